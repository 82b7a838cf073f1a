// A convolution with its channels last is reduced to what is no image: to
// sums of each channel, of each image and of everything, kept dimensions or
// not, with a product of them.
//
// RUN: hetero-run %s --rules="{default: 'gpu:0'}" --input=1x16x8x8xf32=randint:1 --input=16x16x1x1xf32=randint:2 --input=16x4xf32=randint:3 --output=%t.0.npy --output=%t.1.npy --output=%t.2.npy --output=%t.3.npy --output=%t.4.npy --output=%t.5.npy --output=%t.6.npy --output=%t.7.npy --output=%t.8.npy --output=%t.9.npy --output=%t.10.npy --output=%t.11.npy
// RUN: hetero-run %s --rules="default: cpu" --input=1x16x8x8xf32=randint:1 --input=16x16x1x1xf32=randint:2 --input=16x4xf32=randint:3 --expected=@%t.0.npy --expected=@%t.1.npy --expected=@%t.2.npy --expected=@%t.3.npy --expected=@%t.4.npy --expected=@%t.5.npy --expected=@%t.6.npy --expected=@%t.7.npy --expected=@%t.8.npy --expected=@%t.9.npy --expected=@%t.10.npy --expected=@%t.11.npy
// RUN: hetero-run %s --input=1x16x8x8xf32=randint:1 --input=16x16x1x1xf32=randint:2 --input=16x4xf32=randint:3 --expected=@%t.0.npy --expected=@%t.1.npy --expected=@%t.2.npy --expected=@%t.3.npy --expected=@%t.4.npy --expected=@%t.5.npy --expected=@%t.6.npy --expected=@%t.7.npy --expected=@%t.8.npy --expected=@%t.9.npy --expected=@%t.10.npy --expected=@%t.11.npy

!image = tensor<1x16x8x8xf32>
!filters = tensor<16x16x1x1xf32>
!weights = tensor<16x4xf32>

func.func @main(%x: !image, %w: !filters, %v: !weights) -> (tensor<1x16xf32>, tensor<1x16x1x1xf32>, tensor<16x1xf32>, tensor<16xf32>, tensor<1xf32>, tensor<f32>, tensor<1x16x8xf32>, tensor<1x8x16xf32>, tensor<1x8x8xf32>, tensor<1x16xf32>, tensor<16x1xf32>, tensor<1x4xf32>) {
  %channels = call @channels(%x, %w) : (!image, !filters) -> (tensor<1x16xf32>)
  %kept = call @kept(%x, %w) : (!image, !filters) -> (tensor<1x16x1x1xf32>)
  %turned = call @turned(%x, %w) : (!image, !filters) -> (tensor<16x1xf32>)
  %most = call @most(%x, %w) : (!image, !filters) -> (tensor<16xf32>)
  %images = call @images(%x, %w) : (!image, !filters) -> (tensor<1xf32>)
  %all = call @all(%x, %w) : (!image, !filters) -> (tensor<f32>)
  %rows = call @rows(%x, %w) : (!image, !filters) -> (tensor<1x16x8xf32>)
  %columns = call @columns(%x, %w) : (!image, !filters) -> (tensor<1x8x16xf32>)
  %pixels = call @pixels(%x, %w) : (!image, !filters) -> (tensor<1x8x8xf32>)
  %both:2 = call @both(%x, %w) : (!image, !filters) -> (tensor<1x16xf32>, tensor<16x1xf32>)
  %linear = call @linear(%x, %w, %v) : (!image, !filters, !weights) -> (tensor<1x4xf32>)
  return %channels, %kept, %turned, %most, %images, %all, %rows, %columns, %pixels, %both#0, %both#1, %linear : tensor<1x16xf32>, tensor<1x16x1x1xf32>, tensor<16x1xf32>, tensor<16xf32>, tensor<1xf32>, tensor<f32>, tensor<1x16x8xf32>, tensor<1x8x16xf32>, tensor<1x8x8xf32>, tensor<1x16xf32>, tensor<16x1xf32>, tensor<1x4xf32>
}

func.func private @channels(%x: !image, %w: !filters) -> (tensor<1x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<1.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1x16xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<1x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

func.func private @kept(%x: !image, %w: !filters) -> (tensor<1x16x1x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<2.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1x16x1x1xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1x16x1x1xf32>) -> tensor<1x16x1x1xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, 0, 0)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<1x16x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x16x1x1xf32>
  return %r : tensor<1x16x1x1xf32>
}

func.func private @turned(%x: !image, %w: !filters) -> (tensor<16x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<3.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<16x1xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<16x1xf32>) -> tensor<16x1xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<16x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<16x1xf32>
  return %r : tensor<16x1xf32>
}

func.func private @most(%x: !image, %w: !filters) -> (tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<4.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<16xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>],
      iterator_types = ["reduction", "parallel", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.maximumf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

func.func private @images(%x: !image, %w: !filters) -> (tensor<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<5.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1xf32>) -> tensor<1xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n)>],
      iterator_types = ["parallel", "reduction", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

func.func private @all(%x: !image, %w: !filters) -> (tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<6.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<f32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> ()>],
      iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func private @rows(%x: !image, %w: !filters) -> (tensor<1x16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<7.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1x16x8xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<1x16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x16x8xf32>
  return %r : tensor<1x16x8xf32>
}

func.func private @columns(%x: !image, %w: !filters) -> (tensor<1x8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<8.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1x8x16xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1x8x16xf32>) -> tensor<1x8x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, w, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%y : !image) outs(%r_f : tensor<1x8x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x8x16xf32>
  return %r : tensor<1x8x16xf32>
}

func.func private @pixels(%x: !image, %w: !filters) -> (tensor<1x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<9.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1x8x8xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, h, w)>],
      iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%y : !image) outs(%r_f : tensor<1x8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8xf32>
  return %r : tensor<1x8x8xf32>
}

func.func private @both(%x: !image, %w: !filters) -> (tensor<1x16xf32>, tensor<16x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<10.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %sums_e = tensor.empty() : tensor<1x16xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%sums_e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %most_e = tensor.empty() : tensor<16x1xf32>
  %most = linalg.fill ins(%zero : f32) outs(%most_e : tensor<16x1xf32>) -> tensor<16x1xf32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>, affine_map<(n, c, h, w) -> (c, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : !image) outs(%sums, %most : tensor<1x16xf32>, tensor<16x1xf32>) {
  ^bb0(%a: f32, %b: f32, %m: f32):
    %s = arith.addf %a, %b : f32
    %n = arith.maximumf %a, %m : f32
    linalg.yield %s, %n : f32, f32
  } -> (tensor<1x16xf32>, tensor<16x1xf32>)
  return %r#0, %r#1 : tensor<1x16xf32>, tensor<16x1xf32>
}

func.func private @linear(%x: !image, %w: !filters, %v: !weights) -> (tensor<1x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<11.0> : !image
  %scaled = arith.mulf %x, %factor : !image
  %e = tensor.empty() : !image
  %f = linalg.fill ins(%zero : f32) outs(%e : !image) -> !image
  %y = linalg.conv_2d_nchw_fchw ins(%scaled, %w : !image, !filters) outs(%f : !image) -> !image
  %r_e = tensor.empty() : tensor<1x16xf32>
  %r_f = linalg.fill ins(%zero : f32) outs(%r_e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : !image) outs(%r_f : tensor<1x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  %l_e = tensor.empty() : tensor<1x4xf32>
  %l_f = linalg.fill ins(%zero : f32) outs(%l_e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %l = linalg.matmul ins(%r, %v : tensor<1x16xf32>, !weights) outs(%l_f : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %l : tensor<1x4xf32>
}
