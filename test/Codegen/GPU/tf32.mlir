// Factors of f32 are rounded to tf32 by permission only. The host computes the
// product and the sums of its terms' absolute values in f64, and says whether the
// error is at most that of rounding each factor to 10 bits of mantissa, and at
// most that of adding in f32.

// DEFINE: %{rule} = {op: "linalg.{matmul,conv_2d_nhwc_hwcf}", device: "gpu:0"}
// DEFINE: %{run} = hetero-run %s --input=70x96xf32=random:1 --input=96x90xf32=random:2 --input=1x9x9x32xf32=random:3 --input=3x3x32x40xf32=random:4
// RUN: %{run} --rules='{rules: [%{rule}], default: cpu}' --entry=plain | FileCheck %s --check-prefix=EXACT
// RUN: %{run} --rules='{rules: [%{rule}], default: cpu}' --entry=plain --allow-tf32 | FileCheck %s --check-prefix=ROUNDED
// RUN: %{run} --rules='{rules: [{op: "linalg.{matmul,conv_2d_nhwc_hwcf}", device: "gpu:0", allow_tf32: true}], default: cpu}' --entry=plain | FileCheck %s --check-prefix=ROUNDED
// RUN: %{run} --rules='{rules: [%{rule}], default: cpu}' --entry=permitted | FileCheck %s --check-prefix=ROUNDED
// RUN: %{run} --rules='{rules: [%{rule}], default: cpu}' --entry=refused --allow-tf32 | FileCheck %s --check-prefix=EXACT

// EXACT: result[0]: i1
// EXACT-NEXT: i1=1
// EXACT: i1=1
// EXACT: i1=1
// EXACT: i1=1
// ROUNDED: result[0]: i1
// ROUNDED-NEXT: i1=1
// ROUNDED: i1=0
// ROUNDED: i1=1
// ROUNDED: i1=0

#row = affine_map<(i, j, k) -> (i, k)>
#column = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>
#image = affine_map<(n, y, x, f, p, q, c) -> (n, y + p, x + q, c)>
#window = affine_map<(n, y, x, f, p, q, c) -> (p, q, c, f)>
#pixel = affine_map<(n, y, x, f, p, q, c) -> (n, y, x, f)>

func.func private @check(%a: tensor<70x96xf32>, %b: tensor<96x90xf32>, %image: tensor<1x9x9x32xf32>, %window: tensor<3x3x32x40xf32>, %product: tensor<70x90xf32>, %conv: tensor<1x7x7x40xf32>) -> (i1, i1, i1, i1) {
  %none = arith.constant 0.0 : f64
  %rounding = arith.constant 1.0e-3 : f64
  %least = arith.constant dense<0.0> : tensor<f64>
  %matrix_e = tensor.empty() : tensor<70x90xf64>
  %matrix_z = linalg.fill ins(%none : f64) outs(%matrix_e : tensor<70x90xf64>) -> tensor<70x90xf64>
  %matrix:2 = linalg.generic {indexing_maps = [#row, #column, #result, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<70x96xf32>, tensor<96x90xf32>) outs(%matrix_z, %matrix_z : tensor<70x90xf64>, tensor<70x90xf64>) {
  ^bb0(%l: f32, %r: f32, %sum: f64, %size: f64):
    %wide_l = arith.extf %l : f32 to f64
    %wide_r = arith.extf %r : f32 to f64
    %term = arith.mulf %wide_l, %wide_r : f64
    %bound = math.absf %term : f64
    %next = arith.addf %sum, %term : f64
    %most = arith.addf %size, %bound : f64
    linalg.yield %next, %most : f64, f64
  } -> (tensor<70x90xf64>, tensor<70x90xf64>)
  %matrix_error = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%product, %matrix#0, %matrix#1 : tensor<70x90xf32>, tensor<70x90xf64>, tensor<70x90xf64>) outs(%least : tensor<f64>) {
  ^bb0(%got: f32, %want: f64, %size: f64, %old: f64):
    %wide_got = arith.extf %got : f32 to f64
    %difference = arith.subf %wide_got, %want : f64
    %distance = math.absf %difference : f64
    %relative = arith.divf %distance, %size : f64
    %worst = arith.maximumf %old, %relative : f64
    linalg.yield %worst : f64
  } -> tensor<f64>
  %matrix_worst = tensor.extract %matrix_error[] : tensor<f64>
  %matrix_adding = arith.constant 5.841255187988281e-06 : f64
  %matrix_ten = arith.cmpf ole, %matrix_worst, %rounding : f64
  %matrix_all = arith.cmpf ole, %matrix_worst, %matrix_adding : f64
  %pixels_e = tensor.empty() : tensor<1x7x7x40xf64>
  %pixels_z = linalg.fill ins(%none : f64) outs(%pixels_e : tensor<1x7x7x40xf64>) -> tensor<1x7x7x40xf64>
  %pixels:2 = linalg.generic {indexing_maps = [#image, #window, #pixel, #pixel], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %window : tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>) outs(%pixels_z, %pixels_z : tensor<1x7x7x40xf64>, tensor<1x7x7x40xf64>) {
  ^bb0(%l: f32, %r: f32, %sum: f64, %size: f64):
    %wide_l = arith.extf %l : f32 to f64
    %wide_r = arith.extf %r : f32 to f64
    %term = arith.mulf %wide_l, %wide_r : f64
    %bound = math.absf %term : f64
    %next = arith.addf %sum, %term : f64
    %most = arith.addf %size, %bound : f64
    linalg.yield %next, %most : f64, f64
  } -> (tensor<1x7x7x40xf64>, tensor<1x7x7x40xf64>)
  %pixels_error = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%conv, %pixels#0, %pixels#1 : tensor<1x7x7x40xf32>, tensor<1x7x7x40xf64>, tensor<1x7x7x40xf64>) outs(%least : tensor<f64>) {
  ^bb0(%got: f32, %want: f64, %size: f64, %old: f64):
    %wide_got = arith.extf %got : f32 to f64
    %difference = arith.subf %wide_got, %want : f64
    %distance = math.absf %difference : f64
    %relative = arith.divf %distance, %size : f64
    %worst = arith.maximumf %old, %relative : f64
    linalg.yield %worst : f64
  } -> tensor<f64>
  %pixels_worst = tensor.extract %pixels_error[] : tensor<f64>
  %pixels_adding = arith.constant 1.728534698486328e-05 : f64
  %pixels_ten = arith.cmpf ole, %pixels_worst, %rounding : f64
  %pixels_all = arith.cmpf ole, %pixels_worst, %pixels_adding : f64
  return %matrix_ten, %matrix_all, %pixels_ten, %pixels_all : i1, i1, i1, i1
}

func.func @plain(%a: tensor<70x96xf32>, %b: tensor<96x90xf32>, %image: tensor<1x9x9x32xf32>, %window: tensor<3x3x32x40xf32>) -> (i1, i1, i1, i1) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x90xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x90xf32>) -> tensor<70x90xf32>
  %product = linalg.matmul ins(%a, %b : tensor<70x96xf32>, tensor<96x90xf32>) outs(%z : tensor<70x90xf32>) -> tensor<70x90xf32>
  %oe = tensor.empty() : tensor<1x7x7x40xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %conv = linalg.conv_2d_nhwc_hwcf ins(%image, %window : tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>) outs(%oz : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %0:4 = call @check(%a, %b, %image, %window, %product, %conv) : (tensor<70x96xf32>, tensor<96x90xf32>, tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>, tensor<70x90xf32>, tensor<1x7x7x40xf32>) -> (i1, i1, i1, i1)
  return %0#0, %0#1, %0#2, %0#3 : i1, i1, i1, i1
}

func.func @permitted(%a: tensor<70x96xf32>, %b: tensor<96x90xf32>, %image: tensor<1x9x9x32xf32>, %window: tensor<3x3x32x40xf32>) -> (i1, i1, i1, i1) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x90xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x90xf32>) -> tensor<70x90xf32>
  %product = linalg.matmul {hetero.allow_tf32 = true} ins(%a, %b : tensor<70x96xf32>, tensor<96x90xf32>) outs(%z : tensor<70x90xf32>) -> tensor<70x90xf32>
  %oe = tensor.empty() : tensor<1x7x7x40xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {hetero.allow_tf32 = true} ins(%image, %window : tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>) outs(%oz : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %0:4 = call @check(%a, %b, %image, %window, %product, %conv) : (tensor<70x96xf32>, tensor<96x90xf32>, tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>, tensor<70x90xf32>, tensor<1x7x7x40xf32>) -> (i1, i1, i1, i1)
  return %0#0, %0#1, %0#2, %0#3 : i1, i1, i1, i1
}

func.func @refused(%a: tensor<70x96xf32>, %b: tensor<96x90xf32>, %image: tensor<1x9x9x32xf32>, %window: tensor<3x3x32x40xf32>) -> (i1, i1, i1, i1) attributes {hetero.allow_tf32 = false} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x90xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x90xf32>) -> tensor<70x90xf32>
  %product = linalg.matmul ins(%a, %b : tensor<70x96xf32>, tensor<96x90xf32>) outs(%z : tensor<70x90xf32>) -> tensor<70x90xf32>
  %oe = tensor.empty() : tensor<1x7x7x40xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %conv = linalg.conv_2d_nhwc_hwcf ins(%image, %window : tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>) outs(%oz : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %0:4 = call @check(%a, %b, %image, %window, %product, %conv) : (tensor<70x96xf32>, tensor<96x90xf32>, tensor<1x9x9x32xf32>, tensor<3x3x32x40xf32>, tensor<70x90xf32>, tensor<1x7x7x40xf32>) -> (i1, i1, i1, i1)
  return %0#0, %0#1, %0#2, %0#3 : i1, i1, i1, i1
}
