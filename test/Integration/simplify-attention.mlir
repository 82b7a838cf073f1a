// Attention that is recognised gives the numbers of the operations as they were
// written, on every device and on devices at random.

// DEFINE: %{in} = --input=2x3x5x8xf32=randint:1 --input=2x3x8x7xf32=randint:2 --input=2x3x7x4xf32=randint:3 --input=1x1x5x7xf32=randint:4
// DEFINE: %{want} = --expected=@%t.npy
// RUN: hetero-run %s %{in} --rules='default: cpu' --simplify=false --output=%t.npy
// RUN: hetero-run %s %{in} --rules='default: cpu' %{want}
// RUN: hetero-run %s %{in} --rules='{default: "gpu:0"}' %{want}
// RUN: hetero-run %s %{in} --rules='rules: [{op: "linalg.batch_matmul", device: "gpu:0"}]' %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=1 devices=cpu:0,gpu:0 min-share=0' -o %t.1.mlir
// RUN: hetero-run %t.1.mlir %{in} %{want}

// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed" | FileCheck %s
// CHECK: tm_tensor.attention

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#rows = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#keep = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#scalar = affine_map<(d0, d1, d2, d3) -> ()>
#square = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>

func.func @main(%q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> tensor<2x3x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %four = arith.constant dense<4.0> : tensor<f32>
  %e3 = tensor.empty() : tensor<6x5x7xf32>
  %eo = tensor.empty() : tensor<6x5x4xf32>
  %es = tensor.empty() : tensor<2x3x5x7xf32>
  %er = tensor.empty() : tensor<2x3x5xf32>
  %ek = tensor.empty() : tensor<2x3x5x1xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x8x7xf32> into tensor<6x8x7xf32>
  %s3 = linalg.batch_matmul ins(%q3, %k3 : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%z3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s4 = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map, #scalar, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %four : tensor<2x3x5x7xf32>, tensor<f32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %a = arith.divf %in, %c : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map, #square, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %mask : tensor<2x3x5x7xf32>, tensor<1x1x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %a = arith.addf %in, %c : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %slowest = linalg.fill ins(%low : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %szeros = linalg.fill ins(%zero : f32) outs(%ek : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
  %smax = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%slowest : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5xf32>
  %skept = tensor.expand_shape %smax [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
  %sdif = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %skept : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %a = arith.subf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %sexp = linalg.exp ins(%sdif : tensor<2x3x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %ssum = linalg.generic {indexing_maps = [#map, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%sexp : tensor<2x3x5x7xf32>) outs(%szeros : tensor<2x3x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x1xf32>
  %ssoft = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sexp, %ssum : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %a = arith.divf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %w3 = tensor.collapse_shape %ssoft [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x7x4xf32> into tensor<6x7x4xf32>
  %o3 = linalg.batch_matmul ins(%w3, %v3 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%zo : tensor<6x5x4xf32>) -> tensor<6x5x4xf32> loc("MatMul/values")
  %o4 = tensor.expand_shape %o3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
  return %o4 : tensor<2x3x5x4xf32>
}
