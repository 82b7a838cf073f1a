// Batch norm after a convolution of f16 is applied to its sums, before they are
// rounded: with numbers that f16 holds, the same as the program as it was written.

// DEFINE: %{x} = --input=1x2x5x5xf16=randint:1
// DEFINE: %{want} = --expected=@%t.npy
// RUN: hetero-run %s %{x} --rules='default: cpu' --simplify=false --output=%t.npy
// RUN: hetero-run %s %{x} --rules='default: cpu' %{want}
// RUN: hetero-run %s %{x} --rules='{default: "gpu:0"}' %{want}
// RUN: hetero-run %s %{x} --rules='rules: [{op: "linalg.conv*", device: "gpu:0"}, {op: "linalg.generic", device: cpu}]' %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=1 devices=cpu:0,gpu:0 min-share=0' -o %t.1.mlir
// RUN: hetero-run %t.1.mlir %{x} %{want}

// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed rules='default: cpu'" | FileCheck %s
// CHECK-NOT: math.rsqrt
// CHECK-NOT: arith.subf

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @main(%x: tensor<1x2x5x5xf16>) -> tensor<1x4x4x4xf16> {
  %w = arith.constant dense<[[[[1.0, 0.0], [2.0, -1.0]], [[1.0, 1.0], [0.0, 3.0]]], [[[2.0, 0.0], [-1.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]]],
                             [[[0.0, 1.0], [1.0, 1.0]], [[2.0, -2.0], [1.0, 0.0]]], [[[1.0, 1.0], [1.0, 1.0]], [[-1.0, 0.0], [0.0, 1.0]]]]> : tensor<4x2x2x2xf16>
  %gamma = arith.constant dense<[1.0, -1.0, 4.0, 2.0]> : tensor<4xf16>
  %beta = arith.constant dense<[5.0, 0.0, -3.0, 1.0]> : tensor<4xf16>
  %mean = arith.constant dense<[2.0, 1.0, 0.0, -1.0]> : tensor<4xf16>
  %variance = arith.constant dense<[3.0, -0.75, 15.0, 0.0]> : tensor<4xf16>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x5x5xf16>, tensor<4x2x2x2xf16>) outs(%fill : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %e16 = tensor.empty() : tensor<1x4x4x4xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x4x4x4xf32>) outs(%e16 : tensor<1x4x4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %2 = arith.truncf %in : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x4x4x4xf16>
  %3 = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %gamma, %beta, %mean, %variance : tensor<1x4x4x4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>)
      outs(%1 : tensor<1x4x4x4xf16>) {
  ^bb0(%in: f16, %g: f16, %b: f16, %m: f16, %v: f16, %out: f16):
    %epsilon = arith.truncf %one : f64 to f16
    %4 = arith.addf %v, %epsilon : f16
    %5 = math.rsqrt %4 : f16
    %6 = arith.subf %in, %m : f16
    %7 = arith.mulf %6, %5 : f16
    %8 = arith.mulf %7, %g : f16
    %9 = arith.addf %8, %b : f16
    linalg.yield %9 : f16
  } -> tensor<1x4x4x4xf16>
  return %3 : tensor<1x4x4x4xf16>
}
