// Where copies stand when other blocks than that of the definition want them.
// RUN: hetero-opt %s --hetero-materialize-copies -o %t.sites
// RUN: FileCheck %s -enable-var-scope < %t.sites
// RUN: hetero-opt %t.sites --hetero-optimize-copies --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %t.sites --hetero-materialize-copies | diff %t.sites -

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

module attributes {hetero.phase = #hetero.phase<placed>} {

// Sunk into the only arm that reads the value, right before the first use.
// CHECK-LABEL: func.func @one_arm
// CHECK-SAME: (%{{.+}}: i1, %[[X:.+]]: tensor<4xf32>)
// CHECK-NOT: hetero.copy
// CHECK: scf.if
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[X]]
// CHECK-NEXT: linalg.add {{.*}}ins(%[[C]], %[[C]] :
// CHECK: } else {
// CHECK-NOT: hetero.copy %[[X]]
// CHECK: return
func.func @one_arm(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %a = linalg.abs {hetero.device = #cpu} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %y = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %z = linalg.add {hetero.device = #cpu} ins(%a, %y : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// Above the branch if both arms read it.
// CHECK-LABEL: func.func @both_arms
// CHECK-SAME: (%{{.+}}: i1, %[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[X]]
// CHECK: scf.if
// CHECK-NEXT: linalg.exp {{.*}}ins(%[[C]] :
// CHECK: } else {
// CHECK-NEXT: linalg.abs {{.*}}ins(%[[C]] :
func.func @both_arms(%p: i1, %x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %y = linalg.exp {hetero.device = #gpu} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    %y = linalg.abs {hetero.device = #gpu} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } {hetero.carried = [#gpu], hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// In two arms of three, one copy each.
// CHECK-LABEL: func.func @some_arms
// CHECK: case 0 {
// CHECK-NEXT: hetero.copy
// CHECK: case 1 {
// CHECK-NEXT: hetero.copy
// CHECK: default {
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @some_arms(%n: index, %x: tensor<4xf32>, %y: tensor<4xf32> {hetero.device = #gpu}) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %r = scf.index_switch %n {hetero.carried = [#gpu], hetero.device = #cpu} -> tensor<4xf32>
  case 0 {
    %a = linalg.exp {hetero.device = #gpu} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  case 1 {
    scf.yield %x : tensor<4xf32>
  }
  default {
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Out of loops, whatever is inside of them, into the arm around.
// CHECK-LABEL: func.func @loops_in_arm
// CHECK-SAME: (%{{.+}}: i1, %{{.+}}: index, %{{.+}}: index, %[[X:.+]]: tensor<4xf32>)
// CHECK: scf.if
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[X]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: linalg.add {{.*}}ins(%{{.+}}, %[[C]] :
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @loops_in_arm(%p: i1, %m: index, %n: index, %x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %f0 = arith.constant {hetero.device = #cpu} 0.0 : f32
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %zero = linalg.fill {hetero.device = #gpu} ins(%f0 : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %0 = scf.for %i = %m to %n step %n iter_args(%a = %zero) -> tensor<4xf32> {
      %1 = scf.for %j = %m to %n step %n iter_args(%b = %a) -> tensor<4xf32> {
        %2 = scf.if %p -> tensor<4xf32> {
          %y = linalg.add {hetero.device = #gpu} ins(%b, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          scf.yield %y : tensor<4xf32>
        } else {
          scf.yield %b : tensor<4xf32>
        } {hetero.carried = [#gpu], hetero.device = #cpu}
        scf.yield %2 : tensor<4xf32>
      } {hetero.carried = [#gpu], hetero.device = #cpu}
      scf.yield %1 : tensor<4xf32>
    } {hetero.carried = [#gpu], hetero.device = #cpu}
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %zero : tensor<4xf32>
  } {hetero.carried = [#gpu], hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// A use in the block of the definition decides: the copy there serves all.
// CHECK-LABEL: func.func @own_block
// CHECK: %[[Y:.+]] = linalg.exp
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[Y]]
// CHECK: scf.if
// CHECK-NEXT: linalg.abs {{.*}}ins(%[[C]] :
// CHECK: linalg.sub {{.*}}ins(%[[C]],
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @own_block(%p: i1, %x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu}) {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  %y = linalg.exp {hetero.device = #cpu} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %0 = linalg.abs {hetero.device = #gpu} ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %e : tensor<4xf32>
  } {hetero.carried = [#gpu], hetero.device = #cpu}
  %s = linalg.sub {hetero.device = #gpu} ins(%y, %r : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// After the loop of blocks that computes the value, once, for both blocks that
// follow.
// CHECK-LABEL: func.func @blocks
// CHECK: ^[[LOOP:bb[0-9]+]](
// CHECK: %[[Y:.+]] = linalg.exp
// CHECK-NOT: hetero.copy
// CHECK: cf.cond_br
// CHECK-NEXT: ^{{bb[0-9]+}}:
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[Y]]
// CHECK: linalg.abs {{.*}}ins(%[[C]] :
// CHECK: linalg.sub {{.*}}ins(%{{.+}}, %[[C]] :
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @blocks(%p: i1, %x: tensor<4xf32> {hetero.device = #gpu}) -> tensor<4xf32> attributes {hetero.block_arguments = [[#gpu], [], []]} {
  %e = tensor.empty() {hetero.device = #gpu} : tensor<4xf32>
  cf.br ^loop(%x : tensor<4xf32>)
^loop(%it: tensor<4xf32>):
  %y = linalg.exp {hetero.device = #gpu} ins(%it : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %p, ^loop(%y : tensor<4xf32>), ^after
^after:
  %a = linalg.abs {hetero.device = #cpu} ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end
^end:
  %r = linalg.sub {hetero.device = #cpu} ins(%a, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Two devices want an argument and a sum, in their block, in a loop, and in an
// arm: one copy each after the definition, in the order of the first users.
// CHECK-LABEL: func.func @several_devices
// CHECK-SAME: (%{{.+}}: i1, %{{.+}}: index, %[[X:[^:]+]]: tensor<4xf32>,
// CHECK-NEXT: %[[X1:.+]] = hetero.copy %[[X]] : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: %[[X0:.+]] = hetero.copy %[[X]] : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[S:.+]] = linalg.add
// CHECK-NEXT: %[[S0:.+]] = hetero.copy %[[S]] : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: %[[S1:.+]] = hetero.copy %[[S]] : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NOT: hetero.copy
// CHECK: linalg.exp {{.*}}ins(%[[X1]] :
// CHECK: scf.for
// CHECK: linalg.add {{.*}}ins(%[[S0]], %[[X0]] :
// CHECK: linalg.add {{.*}}ins(%{{.+}}, %[[S1]] :
// CHECK: scf.if
// CHECK: linalg.mul {{.*}}ins(%[[S1]], %[[X1]] :
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @several_devices(%p: i1, %n: index, %x: tensor<4xf32>, %out0: tensor<4xf32> {hetero.device = #gpu},
                           %out1: tensor<4xf32> {hetero.device = #gpu1})
    -> (tensor<4xf32> {hetero.device = #gpu}, tensor<4xf32> {hetero.device = #gpu1}, tensor<4xf32> {hetero.device = #gpu1}) {
  %zero = arith.constant {hetero.device = #cpu} 0 : index
  %one = arith.constant {hetero.device = #cpu} 1 : index
  %s = linalg.add {hetero.device = #cpu} ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %e = linalg.exp {hetero.device = #gpu1} ins(%x : tensor<4xf32>) outs(%out1 : tensor<4xf32>) -> tensor<4xf32>
  %loop:2 = scf.for %i = %zero to %n step %one iter_args(%a = %out0, %b = %e) -> (tensor<4xf32>, tensor<4xf32>) {
    %y = linalg.add {hetero.device = #gpu} ins(%s, %x : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %z = linalg.add {hetero.device = #gpu1} ins(%b, %s : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y, %z : tensor<4xf32>, tensor<4xf32>
  } {hetero.carried = [#gpu, #gpu1], hetero.device = #cpu}
  %r = scf.if %p -> tensor<4xf32> {
    %m = linalg.mul {hetero.device = #gpu1} ins(%s, %x : tensor<4xf32>, tensor<4xf32>) outs(%out1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %e : tensor<4xf32>
  } {hetero.carried = [#gpu1], hetero.device = #cpu}
  return %loop#0, %loop#1, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

}
