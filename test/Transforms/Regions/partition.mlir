// RUN: hetero-opt %s --hetero-partition --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-partition -o %t.once
// RUN: hetero-opt %t.once --hetero-partition | diff %t.once -

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!host = tensor<4xf32>
!gpu0 = tensor<4xf32, #gpu0>
!gpu1 = tensor<4xf32, #gpu1>

// CHECK: module attributes {hetero.phase = #hetero.phase<partitioned>}

// Acts: operations of one device are one isolated region on plain tensors; its
// operands and results have the device, constants and destinations are inside,
// copies outside.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>, %[[S:.+]]: f32)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[X]]
// CHECK: %[[R:.+]] = hetero.execute "chain_gpu0_0" on #hetero.device<gpu:0> (%[[A:.+]] = %[[C]] : tensor<4xf32, #hetero.device<gpu:0>>, %[[F:.+]] = %[[S]] : f32) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
// CHECK-DAG: %[[E:.+]] = tensor.empty() : tensor<4xf32>
// CHECK-DAG: %[[K:.+]] = arith.constant dense<{{.*}}> : tensor<4xf32>
// CHECK: %[[V0:.+]] = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%[[A]], %[[K]] : tensor<4xf32>, tensor<4xf32>) outs(%[[E]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[V1:.+]] = linalg.fill {{.*}} ins(%[[F]] : f32)
// CHECK: %[[V2:.+]] = linalg.sub {{.*}} ins(%[[V0]], %[[V1]]
// CHECK-NEXT: hetero.yield %[[V2]] : tensor<4xf32>
// CHECK: hetero.copy %[[R]]
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @chain(%x: !host, %s: f32) -> !host {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : !gpu0
  %e = tensor.empty() : !gpu0
  %c = hetero.copy %x : !host -> !gpu0
  %0 = linalg.add {hetero.device = #gpu0} ins(%c, %k : !gpu0, !gpu0) outs(%e : !gpu0) -> !gpu0
  %z = arith.addf %s, %s : f32
  %1 = linalg.fill {hetero.device = #gpu0, hetero.origin = "pinned"} ins(%s : f32) outs(%0 : !gpu0) -> !gpu0
  %2 = linalg.sub {hetero.device = #gpu0} ins(%0, %1 : !gpu0, !gpu0) outs(%e : !gpu0) -> !gpu0
  %h = hetero.copy %2 : !gpu0 -> !host
  return %h : !host
}

// Acts: operations of one device that do not depend on each other are one
// region, too, and stand where all they need is there.
// CHECK-LABEL: func.func @independent
// CHECK: hetero.execute "independent_cpu0_0"
// CHECK: linalg.add
// CHECK: linalg.sub
// CHECK-NOT: hetero.execute
// CHECK: return
func.func @independent(%x: !host, %y: !host) -> (!host, !host) {
  %0 = linalg.add {hetero.device = #cpu} ins(%x, %y : !host, !host) outs(%x : !host) -> !host
  %1 = linalg.sub {hetero.device = #cpu} ins(%x, %y : !host, !host) outs(%x : !host) -> !host
  return %0, %1 : !host, !host
}

// Acts: a region that could run early joins a later one of its device when
// nothing between them needs it.
// CHECK-LABEL: func.func @joined
// CHECK: hetero.execute "joined_cpu0_0"
// CHECK: hetero.execute "joined_gpu0_0"
// CHECK: linalg.exp
// CHECK: linalg.add
// CHECK-NOT: hetero.execute
// CHECK: return
func.func @joined(%x: !gpu0, %y: !host) -> !gpu0 {
  %0 = linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  %1 = linalg.abs {hetero.device = #cpu} ins(%y : !host) outs(%y : !host) -> !host
  %c = hetero.copy %1 : !host -> !gpu0
  %2 = linalg.add {hetero.device = #gpu0} ins(%0, %c : !gpu0, !gpu0) outs(%x : !gpu0) -> !gpu0
  return %2 : !gpu0
}

// Must not act: a region never waits for itself, so a detour over the host
// splits it.
// CHECK-LABEL: func.func @detour
// CHECK: %[[R:.+]] = hetero.execute "detour_gpu0_0"
// CHECK: %[[H:.+]] = hetero.copy %[[R]]
// CHECK: %[[Q:.+]] = hetero.execute "detour_cpu0_0" {{.*}} = %[[H]]
// CHECK: %[[D:.+]] = hetero.copy %[[Q]]
// CHECK: hetero.execute "detour_gpu0_1" {{.*}} = %[[R]] {{.*}} = %[[D]]
func.func @detour(%x: !gpu0) -> !gpu0 {
  %0 = linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  %h = hetero.copy %0 : !gpu0 -> !host
  %1 = linalg.abs {hetero.device = #cpu} ins(%h : !host) outs(%h : !host) -> !host
  %d = hetero.copy %1 : !host -> !gpu0
  %2 = linalg.add {hetero.device = #gpu0} ins(%0, %d : !gpu0, !gpu0) outs(%x : !gpu0) -> !gpu0
  return %2 : !gpu0
}

// Must not act: two regions must not wait for each other, although each of them
// alone is convex.
// CHECK-LABEL: func.func @crossing
// CHECK-COUNT-3: hetero.execute
// CHECK-NOT: hetero.execute
// CHECK: return
func.func @crossing(%x: !gpu0, %y: !gpu1) -> (!gpu0, !gpu1) {
  %a1 = linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  %c1 = hetero.copy %a1 : !gpu0 -> !gpu1
  %b1 = linalg.abs {hetero.device = #gpu1} ins(%c1 : !gpu1) outs(%y : !gpu1) -> !gpu1
  %b2 = linalg.exp {hetero.device = #gpu1} ins(%y : !gpu1) outs(%y : !gpu1) -> !gpu1
  %c2 = hetero.copy %b2 : !gpu1 -> !gpu0
  %a2 = linalg.abs {hetero.device = #gpu0} ins(%c2 : !gpu0) outs(%x : !gpu0) -> !gpu0
  return %a2, %b1 : !gpu0, !gpu1
}

// Must not act: constants and arguments that are only returned or copied make
// no region.
// CHECK-LABEL: func.func @nothing_to_run
// CHECK-NOT: hetero.execute
// CHECK: return
func.func @nothing_to_run(%x: !gpu0) -> (!host, !gpu0, !host) {
  %k = arith.constant {hetero.device = #gpu0, hetero.origin = "pinned"} dense<1.0> : !gpu0
  %e = tensor.empty() {hetero.device = #cpu} : !host
  %0 = hetero.copy %k : !gpu0 -> !host
  return %0, %x, %e : !host, !gpu0, !host
}

// Must not act: work that nobody reads is not outlined.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%x: !gpu0) {
  %0 = linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  return
}

// Already done: regions stay as they are, and keep their names.
// CHECK-LABEL: func.func @already_done
// CHECK-DAG: hetero.execute "already_done_gpu0_0"
// CHECK-DAG: hetero.execute "already_done_gpu0_1"
func.func @already_done(%x: !gpu0) -> (!gpu0, !gpu0) {
  %0 = hetero.execute "already_done_gpu0_0" on #gpu0 (%a = %x : !gpu0) -> (!gpu0) {
    %1 = linalg.exp {hetero.device = #gpu0} ins(%a : !host) outs(%a : !host) -> !host
    hetero.yield %1 : !host
  }
  %1 = linalg.abs {hetero.device = #gpu0} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  return %0, %1 : !gpu0, !gpu0
}

// Conflict: units of one device are regions of their own.
// CHECK-LABEL: func.func @units
// CHECK: hetero.execute "units_gpu0_0" on #hetero.device<gpu:0, unit = "a">
// CHECK: hetero.execute "units_gpu0_1" on #hetero.device<gpu:0, unit = "b">
func.func @units(%x: !gpu0) -> !gpu0 {
  %0 = linalg.exp {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  %1 = linalg.abs {hetero.device = #hetero.device<gpu:0, unit = "b">} ins(%0 : !gpu0) outs(%x : !gpu0) -> !gpu0
  return %1 : !gpu0
}

// Sizes are taken from the inputs, so that computing one does not split a
// region.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: (%[[X:.+]]: tensor<?xf32, #hetero.device<gpu:0>>)
// CHECK: %[[D:.+]] = tensor.dim %[[X]]
// CHECK: hetero.execute "sizes_gpu0_0"
// CHECK: linalg.exp
// CHECK: linalg.abs
// CHECK-NOT: hetero.execute
// CHECK: return
func.func @sizes(%x: tensor<?xf32, #gpu0>) -> tensor<?xf32, #gpu0> {
  %c0 = arith.constant 0 : index
  %0 = linalg.exp {hetero.device = #gpu0} ins(%x : tensor<?xf32, #gpu0>) outs(%x : tensor<?xf32, #gpu0>) -> tensor<?xf32, #gpu0>
  %d = tensor.dim %0, %c0 : tensor<?xf32, #gpu0>
  %e = tensor.empty(%d) : tensor<?xf32, #gpu0>
  %1 = linalg.abs {hetero.device = #gpu0} ins(%0 : tensor<?xf32, #gpu0>) outs(%e : tensor<?xf32, #gpu0>) -> tensor<?xf32, #gpu0>
  return %1 : tensor<?xf32, #gpu0>
}

// Sizes of reshaped and padded values, too; a size that nobody reads goes.
// CHECK-LABEL: func.func @reshaped_sizes
// CHECK-DAG: %[[P:.+]] = affine.apply
// CHECK: hetero.execute "reshaped_sizes_gpu0_0" {{.*}} = %[[P]] : index
// CHECK: tensor.collapse_shape
// CHECK: linalg.exp
// CHECK-NOT: hetero.execute
// CHECK-NOT: tensor.dim
// CHECK: return
func.func @reshaped_sizes(%x: tensor<?x?xf32, #gpu0>) -> tensor<?xf32, #gpu0> {
  %c0 = arith.constant 0 : index
  %0 = linalg.abs {hetero.device = #gpu0} ins(%x : tensor<?x?xf32, #gpu0>) outs(%x : tensor<?x?xf32, #gpu0>) -> tensor<?x?xf32, #gpu0>
  %1 = tensor.collapse_shape %0 [[0, 1]] {hetero.device = #gpu0} : tensor<?x?xf32, #gpu0> into tensor<?xf32, #gpu0>
  %d = tensor.dim %1, %c0 : tensor<?xf32, #gpu0>
  %e = tensor.empty(%d) : tensor<?xf32, #gpu0>
  %2 = linalg.exp {hetero.device = #gpu0} ins(%1 : tensor<?xf32, #gpu0>) outs(%e : tensor<?xf32, #gpu0>) -> tensor<?xf32, #gpu0>
  %unused = tensor.dim %2, %c0 : tensor<?xf32, #gpu0>
  return %2 : tensor<?xf32, #gpu0>
}

// Control flow: each block has its regions; what a body shares with the outside
// comes in as an operand, except constants.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[S:.+]] = hetero.execute "loop_gpu0_0"
// CHECK: scf.for {{.*}} iter_args(%[[IT:.+]] =
// CHECK: %[[C:.+]] = hetero.copy %[[IT]]
// CHECK: hetero.execute "loop_gpu0_1" on #hetero.device<gpu:0> (%{{.+}} = %[[C]] : {{.*}}, %{{.+}} = %[[S]] : tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NEXT: arith.constant
// CHECK: scf.if
// CHECK: hetero.execute "loop_cpu0_0"
func.func @loop(%x: !gpu0, %h: !host, %n: index, %p: i1) -> !host {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : !gpu0
  %s = linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%x : !gpu0) -> !gpu0
  %r = scf.for %i = %n to %n step %n iter_args(%it = %h) -> !host {
    %c = hetero.copy %it : !host -> !gpu0
    %0 = linalg.add {hetero.device = #gpu0} ins(%c, %s : !gpu0, !gpu0) outs(%c : !gpu0) -> !gpu0
    %1 = linalg.add {hetero.device = #gpu0} ins(%0, %k : !gpu0, !gpu0) outs(%c : !gpu0) -> !gpu0
    %2 = hetero.copy %1 : !gpu0 -> !host
    %3 = scf.if %p -> !host {
      %4 = linalg.exp {hetero.device = #cpu} ins(%2 : !host) outs(%h : !host) -> !host
      scf.yield %4 : !host
    } else {
      scf.yield %2 : !host
    }
    scf.yield %3 : !host
  }
  return %r : !host
}

// Call: calls and operations with side effects stay outside, in their order.
// CHECK-LABEL: func.func @calls
// CHECK: call @first
// CHECK: hetero.execute "calls_cpu0_0"
// CHECK-NOT: call
// CHECK: hetero.yield
// CHECK: call @second
// CHECK: call @first
func.func private @first(!host) -> !host
func.func private @second(!host) -> !host
func.func @calls(%x: !host) -> (!host, !host) {
  %0 = call @first(%x) : (!host) -> !host
  %1 = linalg.exp {hetero.device = #cpu} ins(%0 : !host) outs(%x : !host) -> !host
  %2 = call @second(%1) : (!host) -> !host
  %3 = call @first(%x) : (!host) -> !host
  return %2, %3 : !host, !host
}

// Values that a body reads from outside are operands, too.
// CHECK-LABEL: func.func @captured
// CHECK: hetero.execute "captured_cpu0_0" on #hetero.device<cpu:0> ({{.*}}, %[[S:.+]] = %{{.+}} : f32)
// CHECK: arith.addf %{{.+}}, %[[S]]
func.func @captured(%x: !host, %s: f32) -> !host {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : !host) outs(%x : !host) attrs = {hetero.device = #cpu} {
  ^bb0(%a: f32, %b: f32):
    %v = arith.addf %a, %s : f32
    linalg.yield %v : f32
  } -> !host
  return %0 : !host
}

// Kinds of devices are an open set.
// CHECK-LABEL: func.func @another_kind
// CHECK: hetero.execute "another_kind_npu3_0" on #hetero.device<npu:3>
func.func @another_kind(%x: tensor<4xf32, #hetero.device<npu:3>>) -> tensor<4xf32, #hetero.device<npu:3>> {
  %0 = linalg.exp {hetero.device = #hetero.device<npu:3>} ins(%x : tensor<4xf32, #hetero.device<npu:3>>) outs(%x : tensor<4xf32, #hetero.device<npu:3>>) -> tensor<4xf32, #hetero.device<npu:3>>
  return %0 : tensor<4xf32, #hetero.device<npu:3>>
}
