// RUN: hetero-opt %s --hetero-materialize-copies --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-materialize-copies -o %t.once
// RUN: hetero-opt %t.once --hetero-materialize-copies -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: hetero-opt %s --hetero-materialize-copies --remarks-filter=hetero-materialize-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Passed] copy inserted | Category:hetero-materialize-copies | Bytes=140, Reason="needed by linalg.add at {{[0-9]+:[0-9]+}}", Remark="copy of %arg1 of @shared_operand from cpu:0 to gpu:0"
// REMARK: remark: [Passed] replicated | Category:hetero-materialize-copies | Reason="cheaper than a copy; needed by linalg.add at {{[0-9]+:[0-9]+}}", Remark="arith.constant repeated on gpu:0"
// REMARK: remark: [Analysis] summary | Category:hetero-materialize-copies | copies={{[0-9]+}}, destinations={{[0-9]+}}, replicated={{[0-9]+}}

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

// CHECK: module attributes {hetero.phase = #hetero.phase<materialized>}

// Acts: one copy per value and destination, right after the value's
// definition; the shared operand crosses once, destinations never.
// CHECK-LABEL: func.func @shared_operand
// CHECK-SAME: (%[[A:[^:]+]]: tensor<5x7xf32>, %[[B:[^:]+]]: tensor<5x7xf32>, %[[C:[^:]+]]: tensor<5x7xf32>)
// CHECK-NEXT: %[[B0:.+]] = hetero.copy %[[B]] : tensor<5x7xf32> -> tensor<5x7xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: %[[C0:.+]] = hetero.copy %[[C]]
// CHECK-NEXT: %[[E:.+]] = tensor.empty() {hetero.device = #hetero.device<cpu:0>} : tensor<5x7xf32>
// CHECK-NEXT: %[[L:.+]] = linalg.add {{.*}} ins(%[[A]], %[[B]] :
// CHECK-NEXT: %[[E0:.+]] = tensor.empty() {{.*}} : tensor<5x7xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: %[[R0:.+]] = linalg.add {{.*}} ins(%[[B0]], %[[C0]] :{{.*}}) outs(%[[E0]] :
// CHECK-NEXT: %[[R:.+]] = hetero.copy %[[R0]]
// CHECK-NEXT: %[[D:.+]] = linalg.sub {{.*}} ins(%[[L]], %[[R]] :{{.*}}) outs(%[[E]] :
// CHECK-NEXT: return %[[D]]
func.func @shared_operand(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>, %c: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() {hetero.device = #cpu} : tensor<5x7xf32>
  %0 = linalg.add {hetero.device = #cpu} ins(%a, %b : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %1 = linalg.add {hetero.device = #gpu0} ins(%b, %c : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %2 = linalg.sub {hetero.device = #cpu} ins(%0, %1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %2 : tensor<5x7xf32>
}

// Must not act: everything on the host has no encoding and no copy.
// CHECK-LABEL: func.func @all_host
// CHECK-NOT: hetero.copy
// CHECK-NOT: #hetero.device<gpu
// CHECK: return
func.func @all_host(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp {hetero.device = #cpu} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Must not act: between two operations of one device nothing moves.
// CHECK-LABEL: func.func @all_gpu
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32, #hetero.device<gpu:0>> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @all_gpu(%a: tensor<4xf32> {hetero.device = #gpu0}) -> (tensor<4xf32> {hetero.device = #gpu0}) {
  %0 = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {hetero.device = #gpu0} ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Already done: typed IR is as it should be.
// CHECK-LABEL: func.func @already_done
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @already_done(%a: tensor<4xf32>) -> tensor<4xf32, #gpu0> {
  %0 = hetero.copy %a : tensor<4xf32> -> tensor<4xf32, #gpu0>
  %1 = linalg.exp {hetero.device = #gpu0} ins(%0 : tensor<4xf32, #gpu0>) outs(%0 : tensor<4xf32, #gpu0>) -> tensor<4xf32, #gpu0>
  return %1 : tensor<4xf32, #gpu0>
}

// Conflict: a value that two devices want is copied once to each.
// CHECK-LABEL: func.func @two_devices
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[A0:.+]] = hetero.copy %[[A]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: %[[A1:.+]] = hetero.copy %[[A]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: linalg.exp {{.*}} ins(%[[A0]] :
// CHECK: linalg.exp {{.*}} ins(%[[A1]] :
// CHECK: linalg.abs {{.*}} ins(%[[A1]] :
func.func @two_devices(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {hetero.device = #gpu1} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.abs {hetero.device = #gpu1} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A result with several values: copies of the used ones only.
// CHECK-LABEL: func.func @multiple_results
// CHECK: %[[S:.+]]:3 = linalg.generic
// CHECK: hetero.copy %[[S]]#0
// CHECK-NEXT: hetero.copy %[[S]]#1
// CHECK-NOT: hetero.copy %[[S]]#2
func.func @multiple_results(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%a, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attrs = {hetero.device = #cpu} {
  ^bb0(%x: f32, %o0: f32, %o1: f32, %o2: f32):
    linalg.yield %x, %x, %x : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = linalg.sub {hetero.device = #gpu0} ins(%0#0, %0#1 : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A destination whose old value is read is copied like any operand.
// CHECK-LABEL: func.func @accumulator
// CHECK-SAME: (%{{.+}}: tensor<4x4xf32>, %[[C:.+]]: tensor<4x4xf32>)
// CHECK: %[[C0:.+]] = hetero.copy %[[C]]
// CHECK: linalg.matmul {{.*}} outs(%[[C0]] :
func.func @accumulator(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul {hetero.device = #gpu0} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Constants and fills are repeated per device, not copied; what nobody uses any
// more is gone.
// CHECK-LABEL: func.func @replicated
// CHECK-DAG: arith.constant {{.*}} dense<{{.*}}> : tensor<2xf32, #hetero.device<gpu:0>>
// CHECK-DAG: arith.constant {{.*}} dense<{{.*}}> : tensor<2xf32>
// CHECK: %[[F0:.+]] = linalg.fill {{.*}} -> tensor<2xf32, #hetero.device<gpu:0>>
// CHECK-NOT: linalg.fill
// CHECK: linalg.add {{.*}} ins(%{{.+}}, %[[F0]] :
// CHECK: return
func.func @replicated() -> (tensor<2xf32>, tensor<2xf32>) {
  %one = arith.constant {hetero.device = #cpu} 1.0 : f32
  %k = arith.constant {hetero.device = #cpu} dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() {hetero.device = #cpu} : tensor<2xf32>
  %f = linalg.fill {hetero.device = #cpu} ins(%one : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.add {hetero.device = #gpu0} ins(%k, %f : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %1 = linalg.exp {hetero.device = #cpu} ins(%k : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// A constant that an annotation pins is copied.
// CHECK-LABEL: func.func @pinned_constant
// CHECK-NEXT: %[[K:.+]] = arith.constant {{.*}} : tensor<2xf32>
// CHECK-NEXT: hetero.copy %[[K]] {{.*}} -> tensor<2xf32, #hetero.device<gpu:0>>
func.func @pinned_constant() -> tensor<2xf32> {
  %k = arith.constant {hetero.device = #cpu, hetero.origin = "pinned"} dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = linalg.exp {hetero.device = #gpu0} ins(%k : tensor<2xf32>) outs(%k : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// One element of a device's tensor moves alone, unless the host has it all.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[A:.+]]: tensor<4x4xf32, #hetero.device<gpu:0>> {{.*}}, %[[I:.+]]: index)
// CHECK: %[[W:.+]] = linalg.exp
// CHECK: %[[H:.+]] = hetero.copy %[[W]]
// CHECK: %[[S:.+]] = tensor.extract_slice %[[A]][%[[I]], %[[I]]] [1, 1] [1, 1]
// CHECK-NEXT: %[[E:.+]] = hetero.copy %[[S]] {hetero.value = "element of %arg0 of @elements"} : tensor<1x1xf32, #hetero.device<gpu:0>> -> tensor<1x1xf32>
// CHECK: tensor.extract %[[E]]
// CHECK: tensor.extract %[[H]][%[[I]], %[[I]]]
func.func @elements(%a: tensor<4x4xf32> {hetero.device = #gpu0}, %i: index) -> (f32, f32, tensor<4x4xf32>) {
  %w = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = tensor.extract %a[%i, %i] {hetero.device = #cpu} : tensor<4x4xf32>
  %1 = tensor.extract %w[%i, %i] {hetero.device = #cpu} : tensor<4x4xf32>
  return %0, %1, %w : f32, f32, tensor<4x4xf32>
}

// A loop that reads elements of a value from outside gets the whole value once.
// CHECK-LABEL: func.func @elements_in_loop
// CHECK-SAME: (%[[A:.+]]: tensor<8xf32, #hetero.device<gpu:0>> {{.*}}, %{{.+}}: index)
// CHECK-NEXT: %[[H:.+]] = hetero.copy %[[A]] {{.*}} -> tensor<8xf32>
// CHECK: scf.parallel (%[[I:.+]]) =
// CHECK-NEXT: tensor.extract %[[H]][%[[I]]]
func.func @elements_in_loop(%a: tensor<8xf32> {hetero.device = #gpu0}, %n: index) -> f32 {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %c1 = arith.constant {hetero.device = #cpu} 1 : index
  %zero = arith.constant {hetero.device = #cpu} 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %x = tensor.extract %a[%i] {hetero.device = #cpu} : tensor<8xf32>
    scf.reduce (%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }
  } {hetero.device = #cpu}
  return %r : f32
}

// A size is read from the type; nothing moves for it.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: (%[[A:.+]]: tensor<?xf32, #hetero.device<gpu:0>>
// CHECK-NOT: hetero.copy
// CHECK: tensor.dim {{.*}} %[[A]], %{{.+}} : tensor<?xf32, #hetero.device<gpu:0>>
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @sizes(%a: tensor<?xf32> {hetero.device = #gpu0}) -> index {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %0 = tensor.dim {hetero.device = #cpu} %a, %c0 : tensor<?xf32>
  return %0 : index
}

// Views, slices, reshapes and casts are on the device of their operation.
// CHECK-LABEL: func.func @views
// CHECK: hetero.copy
// CHECK: tensor.extract_slice {{.*}} to tensor<2x4xf32, #hetero.device<gpu:0>>
// CHECK: tensor.collapse_shape {{.*}} into tensor<8xf32, #hetero.device<gpu:0>>
// CHECK: tensor.expand_shape {{.*}} into tensor<2x4xf32, #hetero.device<gpu:0>>
// CHECK: tensor.pad {{.*}}
// CHECK: tensor<2x4xf32, #hetero.device<gpu:0>> to tensor<3x5xf32, #hetero.device<gpu:0>>
// CHECK: tensor.insert_slice {{.*}} into tensor<4x8xf32, #hetero.device<gpu:0>>
// CHECK: tensor.cast {{.*}} to tensor<?x8xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy
// CHECK-NEXT: return
func.func @views(%a: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant {hetero.device = #cpu} 0.0 : f32
  %0 = tensor.extract_slice %a[0, 0] [2, 4] [1, 1] {hetero.device = #gpu0} : tensor<4x8xf32> to tensor<2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] {hetero.device = #gpu0} : tensor<2x4xf32> into tensor<8xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 4] {hetero.device = #gpu0} : tensor<8xf32> into tensor<2x4xf32>
  %3 = tensor.pad %2 low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } {hetero.device = #gpu0} : tensor<2x4xf32> to tensor<3x5xf32>
  %4 = tensor.insert_slice %3 into %a[0, 0] [3, 5] [1, 1] {hetero.device = #gpu0} : tensor<3x5xf32> into tensor<4x8xf32>
  %5 = tensor.cast %4 {hetero.device = #gpu0} : tensor<4x8xf32> to tensor<?x8xf32>
  return %5 : tensor<?x8xf32>
}

// Control flow: region arguments and results are on the host, copies stand
// inside; a value from outside of the loop is copied outside of it, once.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>, %{{.+}}: index)
// CHECK: %[[A0:.+]] = hetero.copy %[[A]]
// CHECK: scf.for {{.*}} iter_args(%[[IT:.+]] = %[[A]]) -> (tensor<4xf32>)
// CHECK-NEXT: %[[IT0:.+]] = hetero.copy %[[IT]]
// CHECK: %[[R0:.+]] = linalg.add {{.*}} ins(%[[IT0]], %[[A0]] :
// CHECK-NEXT: %[[R:.+]] = hetero.copy %[[R0]]
// CHECK-NEXT: scf.yield %[[R]]
func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %c1 = arith.constant {hetero.device = #cpu} 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%it = %a) -> tensor<4xf32> {
    %0 = linalg.add {hetero.device = #gpu0} ins(%it, %a : tensor<4xf32>, tensor<4xf32>) outs(%it : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } {hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// Control flow: a value that both arms want elsewhere is copied above the if.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>, %{{.+}}: i1)
// CHECK-NEXT: %[[A0:.+]] = hetero.copy %[[A]]
// CHECK-NEXT: scf.if
// CHECK: linalg.exp {{.*}} ins(%[[A0]] :
// CHECK: } else {
// CHECK: linalg.abs {{.*}} ins(%[[A0]] :
func.func @branches(%a: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = linalg.abs {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } {hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// Control flow: conditions and bodies of scf.while.
// CHECK-LABEL: func.func @while
// CHECK: scf.while (%[[IT:.+]] = %{{.+}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[IT0:.+]] = hetero.copy %[[IT]]
// CHECK: %[[X0:.+]] = linalg.exp {{.*}} ins(%[[IT0]] :
// CHECK-NEXT: %[[X:.+]] = hetero.copy %[[X0]]
// CHECK: scf.condition(%{{.+}}) %[[X]] : tensor<4xf32>
func.func @while(%a: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.while (%it = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #gpu0} ins(%it : tensor<4xf32>) outs(%it : tensor<4xf32>) -> tensor<4xf32>
    scf.condition(%p) %0 : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    scf.yield %x : tensor<4xf32>
  } attributes {hetero.device = #cpu}
  return %r : tensor<4xf32>
}

// Control flow: several blocks, whose arguments are on the host.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[X:.+]] = linalg.exp
// CHECK-NEXT: %[[H:.+]] = hetero.copy %[[X]]
// CHECK-NEXT: cf.br ^[[B:.+]](%[[H]] : tensor<4xf32>)
// CHECK-NEXT: ^[[B]](%[[Y:.+]]: tensor<4xf32>):
// CHECK-NEXT: hetero.copy %[[Y]]
func.func @blocks(%a: tensor<4xf32> {hetero.device = #gpu0}) -> (tensor<4xf32> {hetero.device = #gpu0}) {
  %0 = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1(%0 : tensor<4xf32>)
^bb1(%b: tensor<4xf32>):
  %1 = linalg.exp {hetero.device = #gpu0} ins(%b : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Call: operands and results follow the callee's annotations.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: tensor<4xf32, #hetero.device<gpu:0>> {{.*}}, tensor<4xf32>) -> (tensor<4xf32, #hetero.device<gpu:1>>
func.func private @callee(tensor<4xf32> {hetero.device = #gpu0}, tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu1})
// CHECK-LABEL: func.func @caller
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[A0:.+]] = hetero.copy %[[A]]
// CHECK-NEXT: %[[R1:.+]] = call @callee(%[[A0]], %[[A]]) {{.*}} -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: %[[R:.+]] = hetero.copy %[[R1]]
// CHECK-NEXT: return %[[R]]
func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @callee(%a, %a) {hetero.device = #cpu} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A copy that the user wrote is one with ours.
// CHECK-LABEL: func.func @user_copy
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[A0:.+]] = hetero.copy %[[A]]
// CHECK-NOT: hetero.copy %[[A]]
// CHECK: linalg.add {{.*}} ins(%[[A0]], %[[A0]] :
func.func @user_copy(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hetero.copy %a : tensor<4xf32> on #cpu -> tensor<4xf32> on #gpu0
  %1 = linalg.add {hetero.device = #gpu0} ins(%0, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A tensor that a body reads from outside is on the operation's device, too.
// CHECK-LABEL: func.func @captured
// CHECK-SAME: (%{{.+}}: tensor<4xindex>, %[[T:.+]]: tensor<8xf32>
// CHECK: %[[T0:.+]] = hetero.copy %[[T]]
// CHECK: linalg.generic
// CHECK: tensor.extract %[[T0]][%{{.+}}] : tensor<8xf32, #hetero.device<gpu:0>>
func.func @captured(%i: tensor<4xindex>, %t: tensor<8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<4xindex>) outs(%o : tensor<4xf32>) attrs = {hetero.device = #gpu0} {
  ^bb0(%x: index, %y: f32):
    %v = tensor.extract %t[%x] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Kinds of devices are an open set.
// CHECK-LABEL: func.func @another_kind
// CHECK: hetero.copy {{.*}} -> tensor<4xf32, #hetero.device<npu:3>>
// CHECK: linalg.exp {{.*}} -> tensor<4xf32, #hetero.device<npu:3>>
func.func @another_kind(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp {hetero.device = #hetero.device<npu:3>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
