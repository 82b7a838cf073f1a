// RUN: hetero-opt %s --hetero-target-pipeline="pipeline=convert-math-to-funcs" --split-input-file | FileCheck %s -enable-var-scope

// A function that a pipeline adds beside the body moves to the module; what two
// regions add alike is there once.
// CHECK-LABEL: func.func @shared
// CHECK: hetero.execute "a"
// CHECK: func.call @__mlir_math_ipowi_i32(
// CHECK: hetero.execute "b"
// CHECK: func.call @__mlir_math_ipowi_i32(
// CHECK: func.func private @__mlir_math_ipowi_i32(
// CHECK-NOT: func.func
func.func @shared(%x: tensor<4xi32>, %y: tensor<4xi32, #hetero.device<gpu:0>>) -> (tensor<4xi32>, tensor<4xi32, #hetero.device<gpu:0>>) {
  %0 = hetero.execute "a" on #hetero.device<cpu:0> (%a = %x : tensor<4xi32>) -> (tensor<4xi32>) {
    %e = tensor.empty() : tensor<4xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%i: i32, %o: i32):
      %p = math.ipowi %i, %i : i32
      linalg.yield %p : i32
    } -> tensor<4xi32>
    hetero.yield %r : tensor<4xi32>
  }
  %1 = hetero.execute "b" on #hetero.device<gpu:0> (%a = %y : tensor<4xi32, #hetero.device<gpu:0>>) -> (tensor<4xi32, #hetero.device<gpu:0>>) {
    %e = tensor.empty() : tensor<4xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%i: i32, %o: i32):
      %p = math.ipowi %i, %i : i32
      linalg.yield %p : i32
    } -> tensor<4xi32>
    hetero.yield %r : tensor<4xi32>
  }
  return %0, %1 : tensor<4xi32>, tensor<4xi32, #hetero.device<gpu:0>>
}

// -----

// What clashes with something else gets a name of its own.
// CHECK-LABEL: func.func @clash
// CHECK: func.call @[[POW:__mlir_math_ipowi_i32_[0-9]+]](
// CHECK: func.func private @__mlir_math_ipowi_i32(i64)
// CHECK: func.func private @[[POW]](
func.func @clash(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = hetero.execute "a" on #hetero.device<cpu:0> (%a = %x : tensor<4xi32>) -> (tensor<4xi32>) {
    %e = tensor.empty() : tensor<4xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%i: i32, %o: i32):
      %p = math.ipowi %i, %i : i32
      linalg.yield %p : i32
    } -> tensor<4xi32>
    hetero.yield %r : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}
func.func private @__mlir_math_ipowi_i32(i64)
