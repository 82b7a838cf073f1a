// The operations in their own form and in the generic one.

// RUN: hetero-opt %s | hetero-opt | FileCheck %s
// RUN: hetero-opt %s --mlir-print-op-generic | hetero-opt | FileCheck %s

// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<4xf32>) -> tensor<?x4xf32> {
  // CHECK: tm_tensor.scan dimension(0) inclusive(false) ins(%{{.*}} : tensor<?x4xf32>) outs(%{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<4xf32>) {
  // CHECK: tm_tensor.yield %{{.*}} : f32
  // CHECK: } -> tensor<?x4xf32>, tensor<4xf32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<?x4xf32>)
      outs(%y, %z : tensor<?x4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tm_tensor.yield %s : f32
  } -> tensor<?x4xf32>, tensor<4xf32>
  return %0#0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<4x?xi64>, %u: tensor<?x?xi64>, %i: tensor<?x1xi32>) -> tensor<4x?xi64> {
  // CHECK: tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%u, %i : tensor<?x?xi64>, tensor<?x1xi32>) outs(%x : tensor<4x?xi64>) {
  ^bb0(%a: i64, %b: i64):
    tm_tensor.yield %a : i64
  } -> tensor<4x?xi64>
  return %0 : tensor<4x?xi64>
}

// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<3xf16>) -> tensor<3xf16> {
  // CHECK: tm_tensor.sort dimension(0) outs(%{{.*}} : tensor<3xf16>) {
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<3xf16>) {
  ^bb0(%a: f16, %b: f16):
    %s = arith.cmpf olt, %a, %b : f16
    tm_tensor.yield %s : i1
  } -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// CHECK-LABEL: func.func @topk
func.func @topk(%x: tensor<2x9xf32>, %v: tensor<2x3xf32>, %i: tensor<2x3xi32>) -> tensor<2x3xi32> {
  // CHECK: tm_tensor.topk dimension(1) ins(
  %0:2 = tm_tensor.topk dimension(1) ins(%x : tensor<2x9xf32>) outs(%v, %i : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %s : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  return %0#1 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x3x4xbf16>, %v: tensor<2x3x4xbf16>) -> tensor<2x3x4xbf16> {
  // CHECK: tm_tensor.attention {scale = 1.250000e-01 : f64} ins(
  %0 = tm_tensor.attention {scale = 0.125 : f64}
      ins(%q, %q, %v : tensor<2x3x4xbf16>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>)
      outs(%q : tensor<2x3x4xbf16>) -> tensor<2x3x4xbf16>
  return %0 : tensor<2x3x4xbf16>
}
