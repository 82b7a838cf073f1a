// Images that the host puts in another order: what is read beside them keeps
// its own, on any device.
//
// A scalar tensor between two convolutions.
// RUN: hetero-run %s --entry=scalars --rules="default: cpu" --input=1x32x12x12xf32=1 --input=32x32x3x3xf32=1 --input=f32=2 --expected=1x32x8x8xf32=250560
// RUN: hetero-run %s --entry=scalars --rules="{default: 'gpu:0'}" --input=1x32x12x12xf32=1 --input=32x32x3x3xf32=1 --input=f32=2 --expected=1x32x8x8xf32=250560
// RUN: hetero-run %s --entry=scalars --input=1x32x12x12xf32=1 --input=32x32x3x3xf32=1 --input=f32=2 --expected=1x32x8x8xf32=250560
//
// Two convolutions that read the same filters in different orders.
// RUN: hetero-run %s --entry=shared_filters --rules="{default: 'gpu:0'}" --input=1x32x12x12xf32=randint:1 --input=32x32x3x3xf32=randint:2 --output=%t.first.npy --output=%t.second.npy
// RUN: hetero-run %s --entry=shared_filters --rules="default: cpu" --input=1x32x12x12xf32=randint:1 --input=32x32x3x3xf32=randint:2 --expected=@%t.first.npy --expected=@%t.second.npy
// RUN: hetero-run %s --entry=shared_filters --input=1x32x12x12xf32=randint:1 --input=32x32x3x3xf32=randint:2 --expected=@%t.first.npy --expected=@%t.second.npy
// RUN: not hetero-run %s --entry=shared_filters --rules="default: cpu" --input=1x32x12x12xf32=randint:1 --input=32x32x3x3xf32=randint:2 --expected=@%t.second.npy --expected=@%t.first.npy

func.func @scalars(%x: tensor<1x32x12x12xf32>, %w: tensor<32x32x3x3xf32>, %s: tensor<f32>) -> tensor<1x32x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant dense<3.0> : tensor<f32>
  %e = tensor.empty() : tensor<1x32x10x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x12x12xf32>, tensor<32x32x3x3xf32>) outs(%f : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %s, %three : tensor<1x32x10x10xf32>, tensor<f32>, tensor<f32>) outs(%e : tensor<1x32x10x10xf32>) {
  ^bb0(%a: f32, %b: f32, %t: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x10x10xf32>
  %g = tensor.empty() : tensor<1x32x8x8xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%z, %w : tensor<1x32x10x10xf32>, tensor<32x32x3x3xf32>) outs(%h : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %r : tensor<1x32x8x8xf32>
}

func.func @shared_filters(%x: tensor<1x32x12x12xf32>, %w: tensor<32x32x3x3xf32>) -> (tensor<1x32x10x10xf32>, tensor<1x32x10x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x10x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x12x12xf32>, tensor<32x32x3x3xf32>) outs(%f : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w, c, p, q) -> (n, c, h + p, w + q)>, affine_map<(n, f, h, w, c, p, q) -> (c, f, p, q)>, affine_map<(n, f, h, w, c, p, q) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x12x12xf32>, tensor<32x32x3x3xf32>) outs(%f : tensor<1x32x10x10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x10x10xf32>
  return %y, %z : tensor<1x32x10x10xf32>, tensor<1x32x10x10xf32>
}
