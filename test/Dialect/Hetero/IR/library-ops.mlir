// RUN: hetero-opt %s --cse --canonicalize | FileCheck %s

// CHECK-LABEL: func @on_tensors
// CHECK: hetero.library_call "openblas" "gemm" ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<16x8xf32>) outs(%arg2 : tensor<4x16xf32>) {orders = [array<i64: 0, 1>, array<i64: 1, 0>, array<i64: 0, 1>]} -> tensor<4x16xf32>
func.func @on_tensors(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>)
      {orders = [array<i64: 0, 1>, array<i64: 1, 0>, array<i64: 0, 1>]} -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A call that nobody needs is gone, as is the second question.
// CHECK-LABEL: func @pure
// CHECK: %[[HAS:.*]] = hetero.has_library "openblas"
// CHECK-NEXT: return %[[HAS]], %[[HAS]]
func.func @pure(%a: tensor<4x4xf32>) -> (i1, i1) {
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)
      {orders = [array<i64: 0, 1>, array<i64: 0, 1>, array<i64: 0, 1>]} -> tensor<4x4xf32>
  %1 = hetero.has_library "openblas"
  %2 = hetero.has_library "openblas"
  return %1, %2 : i1, i1
}

// On buffers it writes, and stays.
// CHECK-LABEL: func @on_buffers
// CHECK: hetero.library_call "openblas" "gemm" ins(%arg0, %arg1 : memref<3x4xf64>, memref<4xf64>) outs(%arg2 : memref<3xf64, strided<[2]>>) {accumulate, orders = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>]}
func.func @on_buffers(%a: memref<3x4xf64>, %x: memref<4xf64>, %y: memref<3xf64, strided<[2]>>) {
  hetero.library_call "openblas" "gemm" ins(%a, %x : memref<3x4xf64>, memref<4xf64>) outs(%y : memref<3xf64, strided<[2]>>)
      {orders = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>], accumulate}
  return
}
