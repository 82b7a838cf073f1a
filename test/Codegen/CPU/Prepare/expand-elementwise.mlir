// RUN: hetero-opt %s --hetero-explain-codegen -o /dev/null 2>&1 | FileCheck %s

module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// What is done with the channels of a grouped convolution, and the shuffle of its
// groups, is done on its accumulators: bias, sum with a residual, activation and
// transposition.
// CHECK: "shuffle": contraction of {{.*}} x 196 x 32 {{.*}}register tile
// CHECK: "shuffle": elementwise over {{.*}} x 196 {{.*}} on the accumulators of the contraction before
// CHECK: "shuffle": contraction of {{.*}} x 196 x 32 {{.*}}register tile
// CHECK: "shuffle": elementwise over {{.*}} x 196 {{.*}} on the accumulators of the contraction before
// CHECK-NOT: "shuffle"
func.func @shuffle(%x: tensor<1x4x32x14x14xf32>, %w: tensor<4x32x32x1x1xf32>, %b: tensor<128xf32>) -> tensor<1x128x14x14xf32> {
  %r = hetero.execute "shuffle" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x4x32x14x14xf32>, %f = %w : tensor<4x32x32x1x1xf32>, %c = %b : tensor<128xf32>) -> (tensor<1x128x14x14xf32>) {
    %zero = arith.constant 0.0 : f32
    %groups = tensor.empty() : tensor<1x4x32x14x14xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%groups : tensor<1x4x32x14x14xf32>) -> tensor<1x4x32x14x14xf32>
    %y = linalg.conv_2d_ngchw_gfchw ins(%a, %f : tensor<1x4x32x14x14xf32>, tensor<4x32x32x1x1xf32>)
        outs(%fill : tensor<1x4x32x14x14xf32>) -> tensor<1x4x32x14x14xf32>
    %channels = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x4x32x14x14xf32> into tensor<1x128x14x14xf32>
    %empty = tensor.empty() : tensor<1x128x14x14xf32>
    %z = linalg.generic {
        indexing_maps = [affine_map<(n, f, i, j) -> (n, f, i, j)>, affine_map<(n, f, i, j) -> (f)>, affine_map<(n, f, i, j) -> (n, f, i, j)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%channels, %c : tensor<1x128x14x14xf32>, tensor<128xf32>) outs(%empty : tensor<1x128x14x14xf32>) {
    ^bb0(%in: f32, %bias: f32, %o: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<1x128x14x14xf32>
    %parts = tensor.expand_shape %z [[0], [1, 2], [3], [4]] output_shape [1, 4, 32, 14, 14] : tensor<1x128x14x14xf32> into tensor<1x4x32x14x14xf32>
    %turned = tensor.empty() : tensor<1x32x4x14x14xf32>
    %t = linalg.transpose ins(%parts : tensor<1x4x32x14x14xf32>) outs(%turned : tensor<1x32x4x14x14xf32>) permutation = [0, 2, 1, 3, 4]
    %joined = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x32x4x14x14xf32> into tensor<1x128x14x14xf32>
    %next = tensor.expand_shape %joined [[0], [1, 2], [3], [4]] output_shape [1, 4, 32, 14, 14] : tensor<1x128x14x14xf32> into tensor<1x4x32x14x14xf32>
    %u = linalg.conv_2d_ngchw_gfchw ins(%next, %f : tensor<1x4x32x14x14xf32>, tensor<4x32x32x1x1xf32>)
        outs(%fill : tensor<1x4x32x14x14xf32>) -> tensor<1x4x32x14x14xf32>
    %again = tensor.collapse_shape %u [[0], [1, 2], [3], [4]] : tensor<1x4x32x14x14xf32> into tensor<1x128x14x14xf32>
    %v = linalg.add ins(%again, %joined : tensor<1x128x14x14xf32>, tensor<1x128x14x14xf32>) outs(%empty : tensor<1x128x14x14xf32>) -> tensor<1x128x14x14xf32>
    hetero.yield %v : tensor<1x128x14x14xf32>
  }
  return %r : tensor<1x128x14x14xf32>
}
}
