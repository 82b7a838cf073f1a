// RUN: hetero-opt %s | FileCheck %s -enable-var-scope

// Copies carry the devices in their types.
// CHECK-LABEL: func.func @copy
// CHECK-SAME: (%[[X:.+]]: tensor<5x?xf32>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[X]] {hetero.value = "x"} : tensor<5x?xf32> -> tensor<5x?xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: return %[[C]]
func.func @copy(%x: tensor<5x?xf32>) -> tensor<5x?xf32, #hetero.device<gpu:0>> {
  %0 = hetero.copy %x {hetero.value = "x"} : tensor<5x?xf32> -> tensor<5x?xf32, #hetero.device<gpu:0>>
  return %0 : tensor<5x?xf32, #hetero.device<gpu:0>>
}

// Copies that the user writes before placement name the devices themselves.
// CHECK-LABEL: func.func @user_copy
// CHECK: hetero.copy %{{.+}} : tensor<4xf32> on #hetero.device<cpu:0> -> tensor<4xf32> on #hetero.device<gpu:1>
func.func @user_copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hetero.copy %x : tensor<4xf32> on #hetero.device<cpu:0> -> tensor<4xf32> on #hetero.device<gpu:1>
  return %0 : tensor<4xf32>
}

// A region binds its operands to plain tensors, scalars to themselves.
// CHECK-LABEL: func.func @execute
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32, #hetero.device<gpu:0>>, %[[F:.+]]: f32)
// CHECK-NEXT: %[[R:.+]]:2 = hetero.execute "work" on #hetero.device<gpu:0, unit = "u"> (%[[A:.+]] = %[[X]] : tensor<4xf32, #hetero.device<gpu:0>>, %[[S:.+]] = %[[F]] : f32) -> (tensor<4xf32, #hetero.device<gpu:0>>, f32) {
// CHECK-NEXT: hetero.yield %[[A]], %[[S]] : tensor<4xf32>, f32
func.func @execute(%x: tensor<4xf32, #hetero.device<gpu:0>>, %f: f32) -> (tensor<4xf32, #hetero.device<gpu:0>>, f32) {
  %0:2 = hetero.execute "work" on #hetero.device<gpu:0, unit = "u"> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>, %s = %f : f32)
      -> (tensor<4xf32, #hetero.device<gpu:0>>, f32) {
    hetero.yield %a, %s : tensor<4xf32>, f32
  }
  return %0#0, %0#1 : tensor<4xf32, #hetero.device<gpu:0>>, f32
}

// A region may have no operands and no results, and attributes.
// CHECK-LABEL: func.func @empty_execute
// CHECK-NEXT: hetero.execute "nothing" on #hetero.device<cpu:0> () attributes {note = 1 : i64} {
// CHECK-NEXT: hetero.yield
func.func @empty_execute() {
  hetero.execute "nothing" on #hetero.device<cpu:0> () attributes {note = 1 : i64} {
    hetero.yield
  }
  return
}

// The schedule's and the report's operations.
// CHECK-LABEL: func.func @host
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK-NEXT: hetero.host_region "main_cpu0_0"
// CHECK-NEXT: hetero.node ["Conv/a", "Relu/b"]
// CHECK-NEXT: hetero.end_host_region
func.func @host() {
  hetero.wait on #hetero.device<gpu:0>
  hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
  hetero.host_region "main_cpu0_0"
  hetero.node ["Conv/a", "Relu/b"]
  hetero.end_host_region
  return
}

// A launch's map of device memory.
// CHECK-LABEL: func.func @tensor_map
// CHECK-SAME:    (%[[BASE:.*]]: i64, %[[SIZE:.*]]: index)
// CHECK-NEXT: hetero.tensor_map %[[BASE]] : i64[%[[SIZE]], %[[SIZE]]] by[%[[SIZE]]] of f16 box [64, 128] swizzle 128 on #hetero.device<gpu:0>
func.func @tensor_map(%base: i64, %size: index) -> i64 {
  %0 = hetero.tensor_map %base : i64 [%size, %size] by [%size] of f16 box [64, 128] swizzle 128 on #hetero.device<gpu:0>
  return %0 : i64
}
