// Tensors that structured control flow carries on a device.
// RUN: hetero-opt %s --hetero-verify --hetero-materialize-copies --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-materialize-copies -o %t.once
// RUN: hetero-opt %t.once --hetero-materialize-copies | diff %t.once -

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// CHECK: module attributes {hetero.phase = #hetero.phase<materialized>}
// CHECK-NOT: hetero.carried
module attributes {hetero.phase = #hetero.phase<placed>} {

// One copy into a loop on the device, one out, nothing inside.
// CHECK-LABEL: func.func @for
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[XG:.+]] = hetero.copy %[[X]] {{.*}}: tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[R:.+]] = scf.for {{.+}} iter_args(%[[IT:.+]] = %[[XG]]) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
// CHECK-NOT: hetero.copy
// CHECK: %[[Y:.+]] = linalg.exp {{.*}}ins(%[[IT]] : tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NOT: hetero.copy
// CHECK: scf.yield %[[Y]] : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: }
// CHECK: %[[RC:.+]] = hetero.copy %[[R]]
// CHECK-NEXT: return %[[RC]]
func.func @for(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %c1 = arith.constant {hetero.device = #cpu} 1 : index
  %c100 = arith.constant {hetero.device = #cpu} 100 : index
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%it = %x) -> tensor<4xf32> {
    %y = linalg.exp {hetero.device = #gpu} ins(%it : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } {hetero.carried = [#gpu], hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// Each position has a device of its own: the copies stand before the init,
// before the yield, and where the argument is read.
// CHECK-LABEL: func.func @positions
// CHECK-SAME: (%[[N:.+]]: index, %[[X:.+]]: tensor<4xf32>)
// CHECK-DAG: %[[X0:.+]] = hetero.copy %[[X]] {{.*}}-> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: %[[X1:.+]] = hetero.copy %[[X]] {{.*}}-> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: %[[R:.+]]:3 = scf.for {{.+}} iter_args(%[[A:.+]] = %[[X0]], %{{.+}} = %[[N]], %[[B:.+]] = %[[X1]]) -> (tensor<4xf32, #hetero.device<gpu:0>>, index, tensor<4xf32, #hetero.device<gpu:1>>)
// CHECK: %[[B0:.+]] = hetero.copy %[[B]] {{.*}}-> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[Y:.+]] = linalg.add {{.*}}ins(%[[A]], %[[B0]] :
// CHECK: %[[Y1:.+]] = hetero.copy %[[Y]] {{.*}}-> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: scf.yield %[[Y]], %{{.+}}, %[[Y1]] :
// CHECK: hetero.copy %[[R]]#2 {{.*}}-> tensor<4xf32>
func.func @positions(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r:3 = scf.for %i = %n to %n step %n iter_args(%a = %x, %j = %n, %b = %x) -> (tensor<4xf32>, index, tensor<4xf32>) {
    %y = linalg.add {hetero.device = #gpu} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y, %i, %y : tensor<4xf32>, index, tensor<4xf32>
  } {hetero.carried = [#gpu, #cpu, #hetero.device<gpu:1>], hetero.device = #cpu}
  return %r#2 : tensor<4xf32>
}

// The inits of a while loop and its results are separate positions.
// CHECK-LABEL: func.func @while
// CHECK-SAME: (%[[P:.+]]: i1, %[[X:.+]]: tensor<4xf32>)
// CHECK: %[[X0:.+]] = hetero.copy %[[X]]
// CHECK: %[[R:.+]] = scf.while (%[[IT:.+]] = %[[X0]]) : (tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32> {
// CHECK-NEXT: %[[H:.+]] = hetero.copy %[[IT]] {{.*}}-> tensor<4xf32>
// CHECK-NEXT: scf.condition(%[[P]]) %[[H]] : tensor<4xf32>
// CHECK: ^bb0(%[[A:.+]]: tensor<4xf32>):
// CHECK: %[[A0:.+]] = hetero.copy %[[A]]
// CHECK: %[[Y:.+]] = linalg.exp {{.*}}ins(%[[A0]]
// CHECK-NEXT: scf.yield %[[Y]] : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: return %[[R]]
func.func @while(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r = scf.while (%it = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%p) %it : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %y = linalg.exp {hetero.device = #gpu} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } attributes {hetero.carried_inits = [#gpu], hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// Both arms yield on the result's device; a value that both arms want there is
// copied once, above.
// CHECK-LABEL: func.func @if
// CHECK-SAME: (%[[P:.+]]: i1, %[[X:.+]]: tensor<4xf32>)
// CHECK: %[[X0:.+]] = hetero.copy %[[X]]
// CHECK: %[[R:.+]] = scf.if %[[P]] -> (tensor<4xf32, #hetero.device<gpu:0>>) {
// CHECK: %[[Y:.+]] = linalg.exp {{.*}}ins(%[[X0]]
// CHECK: scf.yield %[[Y]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[X0]] : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: }
// CHECK-NEXT: linalg.abs {{.*}}ins(%[[R]]
func.func @if(%p: i1, %x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %y = linalg.exp {hetero.device = #gpu} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {hetero.carried = [#gpu], hetero.device = #cpu}
  %z = linalg.abs {hetero.device = #gpu} ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// A loop inside a case; the case that computes on the host copies its result.
// CHECK-LABEL: func.func @nested
// CHECK: scf.index_switch %{{.+}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: case 0 {
// CHECK-NEXT: %[[X0:.+]] = hetero.copy
// CHECK-NEXT: %[[L:.+]] = scf.for {{.*}}= %[[X0]]) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
// CHECK-NOT: hetero.copy
// CHECK: } {hetero.device
// CHECK-NEXT: scf.yield %[[L]]
// CHECK: default {
// CHECK-NEXT: %[[Y:.+]] = linalg.abs
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[Y]]
// CHECK-NEXT: scf.yield %[[C]]
func.func @nested(%n: index, %x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r = scf.index_switch %n {hetero.carried = [#gpu], hetero.device = #cpu} -> tensor<4xf32>
  case 0 {
    %0 = scf.for %i = %n to %n step %n iter_args(%it = %x) -> tensor<4xf32> {
      %y = linalg.exp {hetero.device = #gpu} ins(%it : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %y : tensor<4xf32>
    } {hetero.carried = [#gpu], hetero.device = #cpu}
    scf.yield %0 : tensor<4xf32>
  }
  default {
    %y = linalg.abs {hetero.device = #cpu} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What iterations combine is where the combined tensor is.
// CHECK-LABEL: func.func @forall
// CHECK-SAME: (%[[X:[^:]+]]: tensor<4xf32, #hetero.device<gpu:0>> {{.*}}, %[[Y:[^:]+]]: tensor<2xf32>)
// CHECK: %[[Y0:.+]] = hetero.copy %[[Y]]
// CHECK: scf.forall {{.*}}shared_outs(%[[O:.+]] = %[[X]]) -> (tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK: tensor.parallel_insert_slice %[[Y0]] into %[[O]]{{.*}}: tensor<2xf32, #hetero.device<gpu:0>> into tensor<4xf32, #hetero.device<gpu:0>>
func.func @forall(%x: tensor<4xf32> {hetero.device = #gpu}, %y: tensor<2xf32>) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %0 = scf.forall (%i) in (2) shared_outs(%o = %x) -> tensor<4xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
    }
  } {hetero.carried = [#gpu], hetero.device = #cpu}
  return %0 : tensor<4xf32>
}

// A loop of blocks: the argument of the loop's block stays on the device.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT: hetero.block_arguments
// CHECK: %[[X0:.+]] = hetero.copy
// CHECK: cf.br ^[[LOOP:.+]](%[[X0]] : tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK: ^[[LOOP]](%[[IT:.+]]: tensor<4xf32, #hetero.device<gpu:0>>):
// CHECK-NOT: hetero.copy
// CHECK: %[[Y:.+]] = linalg.exp {{.*}}ins(%[[IT]]
// CHECK: %[[H:.+]] = hetero.copy %[[Y]] {{.*}}-> tensor<4xf32>
// CHECK: cf.cond_br %{{.+}}, ^[[LOOP]](%[[Y]] : tensor<4xf32, #hetero.device<gpu:0>>), ^[[END:.+]](%[[H]] : tensor<4xf32>)
// CHECK: ^[[END]](%[[R:.+]]: tensor<4xf32>):
// CHECK-NEXT: return %[[R]]
func.func @blocks(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> attributes {hetero.block_arguments = [[#gpu], [#cpu]]} {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  cf.br ^loop(%x : tensor<4xf32>)
^loop(%it: tensor<4xf32>):
  %y = linalg.exp {hetero.device = #gpu} ins(%it : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %p, ^loop(%y : tensor<4xf32>), ^end(%y : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// Private functions take and return tensors where their signature says.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%{{.+}}: tensor<4xf32, #hetero.device<gpu:0>> {{.*}}) -> (tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-LABEL: func.func @calls
// CHECK: %[[X0:.+]] = hetero.copy
// CHECK-NEXT: %[[A:.+]] = call @callee(%[[X0]])
// CHECK-NEXT: %[[B:.+]] = call @callee(%[[A]])
// CHECK-NEXT: %[[H:.+]] = hetero.copy %[[B]]
// CHECK-NEXT: return %[[H]]
func.func private @callee(%x: tensor<4xf32> {hetero.device = #gpu}) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %y = linalg.exp {hetero.device = #gpu} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @callee(%x) {hetero.device = #cpu} : (tensor<4xf32>) -> tensor<4xf32>
  %b = func.call @callee(%a) {hetero.device = #cpu} : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
}
