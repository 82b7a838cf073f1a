// Broadcasts and transpositions that are read where their elements were, and
// reshapes that are joined, give the numbers of the program as it was written, on
// every device and on devices at random, where annotations keep some of them.

// DEFINE: %{in} = --input=3x4x8xf32=randint:1 --input=8x5xf32=randint:2 --input=5xf32=randint:3 --input=4x7xf32=randint:4
// DEFINE: %{want} = --expected=@%t.0.npy --expected=@%t.1.npy
// RUN: hetero-run %s %{in} --rules='default: cpu' --simplify=false --output=%t.0.npy --output=%t.1.npy
// RUN: hetero-run %s %{in} --rules='default: cpu' %{want}
// RUN: hetero-run %s %{in} --rules='{default: "gpu:0"}' %{want}
// RUN: hetero-run %s %{in} --rules='rules: [{op: "linalg.*matmul", device: "gpu:0"}, {op: "linalg.transpose", device: cpu}, {op: "linalg.broadcast", device: "gpu:1"}]' %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=1 devices=cpu:0,gpu:0 min-share=0' -o %t.1.mlir
// RUN: hetero-run %t.1.mlir %{in} %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=2 devices=cpu:0,gpu:0,gpu:1 min-share=0' -o %t.2.mlir
// RUN: hetero-run %t.2.mlir %{in} %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=3 devices=cpu:0,gpu:0 min-share=0' -o %t.3.mlir
// RUN: hetero-run %t.3.mlir %{in} %{want}

// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed rules='{default: \"gpu:0\"}'" | FileCheck %s
// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed simplify=false" | FileCheck %s --check-prefix=WRITTEN
// CHECK-NOT: linalg.{{broadcast|transpose}}
// CHECK:     tensor.collapse_shape
// CHECK-NOT: {{linalg.broadcast|linalg.transpose|tensor.collapse_shape|tensor.expand_shape}}
// WRITTEN-COUNT-5: linalg.{{broadcast|transpose}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#flat = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<3x4x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>, %y: tensor<4x?xf32>) -> (tensor<12x5xf32>, tensor<?x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c1 : tensor<4x?xf32>

  // A product of a batch, whose weights and bias are repeated; its result is
  // expanded and collapsed.
  %ew = tensor.empty() : tensor<3x8x5xf32>
  %eo = tensor.empty() : tensor<3x4x5xf32>
  %wide = linalg.broadcast ins(%w : tensor<8x5xf32>) outs(%ew : tensor<3x8x5xf32>) dimensions = [0]
  %zeros = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %0 = linalg.batch_matmul ins(%x, %wide : tensor<3x4x8xf32>, tensor<3x8x5xf32>) outs(%zeros : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %rows = linalg.broadcast ins(%b : tensor<5xf32>) outs(%eo : tensor<3x4x5xf32>) dimensions = [0, 1]
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %rows : tensor<3x4x5xf32>, tensor<3x4x5xf32>) outs(%eo : tensor<3x4x5xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %9 = arith.addf %p, %q : f32
    linalg.yield %9 : f32
  } -> tensor<3x4x5xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2], [3]] output_shape [3, 2, 2, 5] : tensor<3x4x5xf32> into tensor<3x2x2x5xf32>
  %3 = tensor.collapse_shape %2 [[0], [1, 2], [3]] : tensor<3x2x2x5xf32> into tensor<3x4x5xf32>
  %4 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<3x4x5xf32> into tensor<12x5xf32>

  // A matrix times itself, transposed, of a size that is not known; what a
  // transposition and a broadcast have moved is added.
  %et = tensor.empty(%n) : tensor<?x4xf32>
  %em = tensor.empty() : tensor<4x4xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %yt = linalg.transpose ins(%y : tensor<4x?xf32>) outs(%et : tensor<?x4xf32>) permutation = [1, 0]
  %zm = linalg.fill ins(%zero : f32) outs(%em : tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = linalg.matmul ins(%y, %yt : tensor<4x?xf32>, tensor<?x4xf32>) outs(%zm : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %sums = linalg.reduce {arith.addf} ins(%5 : tensor<4x4xf32>) outs(%z4 : tensor<4xf32>) dimensions = [1]
  %each = linalg.broadcast ins(%sums : tensor<4xf32>) outs(%et : tensor<?x4xf32>) dimensions = [0]
  %yt2 = linalg.transpose ins(%y : tensor<4x?xf32>) outs(%et : tensor<?x4xf32>) permutation = [1, 0]
  %6 = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel", "parallel"]}
      ins(%each, %yt2 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%et : tensor<?x4xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %9 = arith.subf %p, %q : f32
    linalg.yield %9 : f32
  } -> tensor<?x4xf32>
  return %4, %6 : tensor<12x5xf32>, tensor<?x4xf32>
}
