// RUN: hetero-opt %s --hetero-codegen | FileCheck %s

module attributes {hetero.vector_bits = 512 : i64} {

// A convolution with windows of one element is a product, whose columns are all
// pixels; the bias and the activation after it share its tiles.
// CHECK-LABEL: @pointwise
// CHECK: tensor.collapse_shape {{.*}} : tensor<1x8x14x14xf32> into tensor<1x8x196xf32>
// CHECK: scf.forall
// CHECK: vector.transfer_read {{.*}}x196xf32>, vector<16xf32>
// CHECK-NOT: scf.forall (
// CHECK: tensor.expand_shape {{.*}} : tensor<1x512x196xf32> into tensor<1x512x14x14xf32>
// CHECK-NEXT: hetero.yield
func.func @pointwise(%x: tensor<1x8x14x14xf32>, %w: tensor<512x8x1x1xf32>, %b: tensor<512xf32>) -> tensor<1x512x14x14xf32> {
  %r = hetero.execute "pointwise" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x8x14x14xf32>, %f = %w : tensor<512x8x1x1xf32>, %c = %b : tensor<512xf32>) -> (tensor<1x512x14x14xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x512x14x14xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %y = linalg.conv_2d_nchw_fchw ins(%a, %f : tensor<1x8x14x14xf32>, tensor<512x8x1x1xf32>)
        outs(%fill : tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %z = linalg.generic {
        indexing_maps = [affine_map<(n, f, i, j) -> (n, f, i, j)>, affine_map<(n, f, i, j) -> (f)>, affine_map<(n, f, i, j) -> (n, f, i, j)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%y, %c : tensor<1x512x14x14xf32>, tensor<512xf32>) outs(%empty : tensor<1x512x14x14xf32>) {
    ^bb0(%in: f32, %bias: f32, %o: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<1x512x14x14xf32>
    hetero.yield %z : tensor<1x512x14x14xf32>
  }
  return %r : tensor<1x512x14x14xf32>
}

// With a stride the pixels that are read are not next to each other.
// CHECK-LABEL: @strided
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @strided(%x: tensor<1x8x27x27xf32>, %w: tensor<64x8x1x1xf32>, %o: tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32> {
  %r = hetero.execute "strided" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x8x27x27xf32>, %f = %w : tensor<64x8x1x1xf32>, %c = %o : tensor<1x64x14x14xf32>) -> (tensor<1x64x14x14xf32>) {
    %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
        ins(%a, %f : tensor<1x8x27x27xf32>, tensor<64x8x1x1xf32>) outs(%c : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
    hetero.yield %y : tensor<1x64x14x14xf32>
  }
  return %r : tensor<1x64x14x14xf32>
}

// What follows a computation is not taken before it where two sizes that are
// not known would have to be found again: upstream's expand_shape cannot.
// CHECK-LABEL: @unknown
// CHECK: tensor.collapse_shape
// CHECK-NOT: into tensor<?x?xf32>
// CHECK: return
func.func @unknown(%x: tensor<?x?xf32>, %k: index) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  %r:2 = hetero.execute "unknown" on #hetero.device<cpu:0>
      (%a = %x : tensor<?x?xf32>, %n = %k : index) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
    %y = math.absf %a : tensor<?x?xf32>
    %c = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %e = tensor.expand_shape %c [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
    hetero.yield %e, %y : tensor<?x1xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?x1xf32>, tensor<?x?xf32>
}

// The dimension of a scalar that is reshaped belongs to none of the scalar: a
// pad of it stays where it is.
// CHECK-LABEL: @scalar
// CHECK-NOT: into tensor<5xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<f32> into tensor<1xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @scalar(%x: tensor<7xf32>) -> tensor<5xf32> {
  %r = hetero.execute "scalar" on #hetero.device<cpu:0> (%a = %x : tensor<7xf32>) -> (tensor<5xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<f32>
    %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%a : tensor<7xf32>) outs(%start : tensor<f32>) dimensions = [0]
    %e = tensor.expand_shape %sum [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %p = tensor.pad %e low[0] high[4] {
    ^bb0(%i: index):
      tensor.yield %zero : f32
    } : tensor<1xf32> to tensor<5xf32>
    hetero.yield %p : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}

}
