// What is simplified before placement gives the numbers of the program as it was
// written, on every device and on devices at random, where annotations keep some
// of it from being joined.

// DEFINE: %{x} = --input=2x3x6x6xf32=randint:1
// DEFINE: %{want} = --expected=@%t.npy
// RUN: hetero-run %s %{x} --rules='default: cpu' --simplify=false --output=%t.npy
// RUN: hetero-run %s %{x} --rules='default: cpu' %{want}
// RUN: hetero-run %s %{x} --rules='{default: "gpu:0"}' %{want}
// RUN: hetero-run %s %{x} --rules='rules: [{op: "linalg.conv*", device: "gpu:0"}, {op: "linalg.generic", device: cpu}]' %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=1 devices=cpu:0,gpu:0 min-share=0' -o %t.1.mlir
// RUN: hetero-run %t.1.mlir %{x} %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=2 devices=cpu:0,gpu:0 min-share=0' -o %t.2.mlir
// RUN: hetero-run %t.2.mlir %{x} %{want}

// Batch norm is gone where it has the device of the convolutions, with their
// biases, and the weights stay resources.
// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed rules='{default: \"gpu:0\"}'" | FileCheck %s
// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed simplify=false" | FileCheck %s --check-prefix=WRITTEN
// CHECK:     dense_resource<folded> : tensor<4x3x3x3xf32>
// CHECK-NOT: math.rsqrt
// WRITTEN-NOT:     dense_resource<folded>
// WRITTEN-COUNT-3: math.rsqrt

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @main(%x: tensor<?x3x6x6xf32>) -> tensor<?x4x2x2xf32> {
  %w1 = arith.constant dense_resource<weights> : tensor<4x3x3x3xf32>
  %w2 = arith.constant dense<[[[1.0, 2.0], [-1.0, 1.0]], [[0.0, 1.0], [3.0, -2.0]], [[1.0, 1.0], [2.0, 2.0]], [[-3.0, 0.0], [1.0, 0.0]]]> : tensor<4x2x2xf32>
  %w3 = arith.constant dense<[[[[[1.0]], [[2.0]]], [[[3.0]], [[-1.0]]]], [[[[0.0]], [[2.0]]], [[[1.0]], [[1.0]]]]]> : tensor<2x2x2x1x1xf32>
  %bias = arith.constant dense<[1.0, -2.0, 0.0, 4.0]> : tensor<4xf32>
  %gamma = arith.constant dense<[1.0, -1.0, 4.0, 2.0]> : tensor<4xf32>
  %beta = arith.constant dense<[5.0, 0.0, -3.0, 1.0]> : tensor<4xf32>
  %mean = arith.constant dense<[2.0, 1.0, 0.0, -1.0]> : tensor<4xf32>
  %variance = arith.constant dense<[3.0, -0.75, 15.0, 0.0]> : tensor<4xf32>
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x6x6xf32>

  %e1 = tensor.empty(%n) : tensor<?x4x4x4xf32>
  %start = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e1 : tensor<?x4x4x4xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w1 : tensor<?x3x6x6xf32>, tensor<4x3x3x3xf32>) outs(%start : tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %gamma, %beta, %mean, %variance : tensor<?x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%e1 : tensor<?x4x4x4xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %20 = arith.addf %v, %one : f32
    %21 = math.rsqrt %20 : f32
    %22 = arith.subf %in, %m : f32
    %23 = arith.mulf %22, %21 : f32
    %24 = arith.mulf %23, %g : f32
    %25 = arith.addf %24, %b : f32
    linalg.yield %25 : f32
  } -> tensor<?x4x4x4xf32>

  %e2 = tensor.empty(%n) : tensor<?x4x2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>
  %2 = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>}
      ins(%1, %w2 : tensor<?x4x4x4xf32>, tensor<4x2x2xf32>) outs(%zeros : tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>
  %root = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%variance : tensor<4xf32>) outs(%variance : tensor<4xf32>) {
  ^bb0(%v: f32, %out: f32):
    %20 = arith.addf %v, %one : f32
    %21 = math.rsqrt %20 : f32
    linalg.yield %21 : f32
  } -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #channel, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%2, %gamma, %mean : tensor<?x4x2x2xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<?x4x2x2xf32>) {
  ^bb0(%in: f32, %g: f32, %m: f32, %out: f32):
    %20 = arith.subf %in, %m : f32
    %21 = arith.mulf %20, %g : f32
    linalg.yield %21 : f32
  } -> tensor<?x4x2x2xf32>
  %wide = linalg.broadcast ins(%root : tensor<4xf32>) outs(%e2 : tensor<?x4x2x2xf32>) dimensions = [0, 2, 3]
  %4 = linalg.mul ins(%3, %wide : tensor<?x4x2x2xf32>, tensor<?x4x2x2xf32>) outs(%e2 : tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>

  %5 = tensor.expand_shape %4 [[0], [1, 2], [3], [4]] output_shape [%n, 2, 2, 2, 2] : tensor<?x4x2x2xf32> into tensor<?x2x2x2x2xf32>
  %e3 = tensor.empty(%n) : tensor<?x2x2x2x2xf32>
  %zeros3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x2x2x2x2xf32>) -> tensor<?x2x2x2x2xf32>
  %6 = linalg.conv_2d_ngchw_gfchw ins(%5, %w3 : tensor<?x2x2x2x2xf32>, tensor<2x2x2x1x1xf32>) outs(%zeros3 : tensor<?x2x2x2x2xf32>) -> tensor<?x2x2x2x2xf32>
  %7 = tensor.collapse_shape %6 [[0], [1, 2], [3], [4]] : tensor<?x2x2x2x2xf32> into tensor<?x4x2x2xf32>
  %8 = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%7, %gamma, %beta, %mean, %variance : tensor<?x4x2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%e2 : tensor<?x4x2x2xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %20 = arith.addf %v, %one : f32
    %21 = math.rsqrt %20 : f32
    %22 = arith.subf %in, %m : f32
    %23 = arith.mulf %22, %21 : f32
    %24 = arith.mulf %23, %g : f32
    %25 = arith.addf %24, %b : f32
    linalg.yield %25 : f32
  } -> tensor<?x4x2x2xf32>
  return %8 : tensor<?x4x2x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x04000000000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040000080BF0000803F000000C00000000000000040"
    }
  }
#-}
