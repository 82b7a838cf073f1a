// Grouped convolutions, a shuffle of their channels and a residual have the numbers
// of their definition wherever they stand: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 2

// CASE: shuffle 1x4x2x2xf32=1,2,-1,0,1,3,2,-2,1,1,1,0,-1,2,2,3 2x2x2x1x1xf32=1,-1,2,0,1,1,-2,3 4xf32=1,-2,0,3 -> 1x4x2x2xf32=3,0,-3,1,1,1,0,2,1,10,8,12,2,22,26,42
func.func @shuffle(%x: tensor<1x4x2x2xf32>, %w: tensor<2x2x2x1x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x2x2xf32>
  %in = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 2, 2] : tensor<1x4x2x2xf32> into tensor<1x2x2x2x2xf32>
  %groups = tensor.empty() : tensor<1x2x2x2x2xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%groups : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %y = linalg.conv_2d_ngchw_gfchw ins(%in, %w : tensor<1x2x2x2x2xf32>, tensor<2x2x2x1x1xf32>)
      outs(%fill : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %channels = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x2x2x2x2xf32> into tensor<1x4x2x2xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(n, f, i, j) -> (n, f, i, j)>, affine_map<(n, f, i, j) -> (f)>, affine_map<(n, f, i, j) -> (n, f, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%channels, %b : tensor<1x4x2x2xf32>, tensor<4xf32>) outs(%empty : tensor<1x4x2x2xf32>) {
  ^bb0(%v: f32, %bias: f32, %o: f32):
    %sum = arith.addf %v, %bias : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<1x4x2x2xf32>
  %parts = tensor.expand_shape %z [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 2, 2] : tensor<1x4x2x2xf32> into tensor<1x2x2x2x2xf32>
  %t = linalg.transpose ins(%parts : tensor<1x2x2x2x2xf32>) outs(%groups : tensor<1x2x2x2x2xf32>) permutation = [0, 2, 1, 3, 4]
  %joined = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x2x2x2x2xf32> into tensor<1x4x2x2xf32>
  %start = linalg.broadcast ins(%b : tensor<4xf32>) outs(%empty : tensor<1x4x2x2xf32>) dimensions = [0, 2, 3]
  %next = tensor.expand_shape %joined [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 2, 2] : tensor<1x4x2x2xf32> into tensor<1x2x2x2x2xf32>
  %from = tensor.expand_shape %start [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 2, 2] : tensor<1x4x2x2xf32> into tensor<1x2x2x2x2xf32>
  %u = linalg.conv_2d_ngchw_gfchw ins(%next, %w : tensor<1x2x2x2x2xf32>, tensor<2x2x2x1x1xf32>)
      outs(%from : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %again = tensor.collapse_shape %u [[0], [1, 2], [3], [4]] : tensor<1x2x2x2x2xf32> into tensor<1x4x2x2xf32>
  %r = arith.addf %again, %x : tensor<1x4x2x2xf32>
  return %r : tensor<1x4x2x2xf32>
}
