// RUN: hetero-opt %s --hetero-recognize-attention | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-recognize-attention --hetero-recognize-attention | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-recognize-attention --remarks-filter=hetero-recognize-attention -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-recognize-attention --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NAME

// REMARK: [Passed] recognized | {{.*}} Remark="12 operations are one attention"
// REMARK: [Analysis] summary | Category:hetero-recognize-attention | attention=4

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#rows = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#keep = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#scalar = affine_map<(d0, d1, d2, d3) -> ()>
#square = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>

// Acts: what torch-mlir makes of ONNX, with views that join batch and heads, a
// scale and a smaller mask. The views are gone, and the keys are transposed.
// CHECK-LABEL: func.func @onnx
// CHECK-SAME:    (%[[Q:.*]]: tensor<2x3x5x8xf32>, %[[KT:.*]]: tensor<2x3x8x7xf32>, %[[V:.*]]: tensor<2x3x7x4xf32>, %[[MASK:.*]]: tensor<1x1x5x7xf32>)
// CHECK:         %[[K:.*]] = linalg.transpose ins(%[[KT]] : {{.*}} permutation = [0, 1, 3, 2]
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[MASK]] :
// CHECK:         %[[A:.*]] = tm_tensor.attention {scale = 2.500000e-01 : f64} ins(%[[Q]], %[[K]], %[[V]], %[[M]] :
// CHECK-NEXT:    return %[[A]]
// NAME-LABEL:  func.func @onnx
// NAME:          tm_tensor.attention {{.*}} loc(fused["MatMul/values",
func.func @onnx(%q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> tensor<2x3x5x4xf32> {
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

// Acts: without scale and mask, on one device, which it keeps.
// CHECK-LABEL: func.func @pinned
// CHECK-NOT:     linalg.batch_matmul
// CHECK:         tm_tensor.attention {hetero.device = #hetero.device<gpu:0>, scale = 1.000000e+00 : f64}
func.func @pinned(%q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> tensor<2x3x5x4xf32> {
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
  %s3 = linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>} ins(%q3, %k3 : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%z3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s4 = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %slowest = linalg.fill {hetero.device = #hetero.device<gpu:0>} ins(%low : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %szeros = linalg.fill {hetero.device = #hetero.device<gpu:0>} ins(%zero : f32) outs(%ek : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
  %smax = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s4 : tensor<2x3x5x7xf32>) outs(%slowest : tensor<2x3x5xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5xf32>
  %skept = tensor.expand_shape %smax [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
  %sdif = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %skept : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %a = arith.subf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %sexp = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%sdif : tensor<2x3x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %ssum = linalg.generic {indexing_maps = [#map, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%sexp : tensor<2x3x5x7xf32>) outs(%szeros : tensor<2x3x5x1xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x1xf32>
  %ssoft = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sexp, %ssum : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %a = arith.divf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %w3 = tensor.collapse_shape %ssoft [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x7x4xf32> into tensor<6x7x4xf32>
  %o3 = linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>} ins(%w3, %v3 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%zo : tensor<6x5x4xf32>) -> tensor<6x5x4xf32> loc("MatMul/values")
  %o4 = tensor.expand_shape %o3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
  return %o4 : tensor<2x3x5x4xf32>
}

// Must not act: a rule for products says nothing of softmax.
// CHECK-LABEL: func.func @products_alone
// CHECK-COUNT-2: linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>}
func.func @products_alone(%q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> tensor<2x3x5x4xf32> {
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
  %s3 = linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>} ins(%q3, %k3 : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%z3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s4 = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %slowest = linalg.fill ins(%low : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %szeros = linalg.fill ins(%zero : f32) outs(%ek : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
  %smax = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s4 : tensor<2x3x5x7xf32>) outs(%slowest : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5xf32>
  %skept = tensor.expand_shape %smax [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
  %sdif = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %skept : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) {
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
  %o3 = linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>} ins(%w3, %v3 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%zo : tensor<6x5x4xf32>) -> tensor<6x5x4xf32> loc("MatMul/values")
  %o4 = tensor.expand_shape %o3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
  return %o4 : tensor<2x3x5x4xf32>
}

// Conflict: the last product is on another device than the rest.
// CHECK-LABEL: func.func @devices
// CHECK:         linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>}
// CHECK:         linalg.batch_matmul {hetero.device = #hetero.device<cpu:0>}
func.func @devices(%q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> tensor<2x3x5x4xf32> {
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
  %s3 = linalg.batch_matmul {hetero.device = #hetero.device<gpu:0>} ins(%q3, %k3 : tensor<6x5x8xf32>, tensor<6x8x7xf32>) outs(%z3 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s4 = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map, #scalar, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %four : tensor<2x3x5x7xf32>, tensor<f32>) outs(%es : tensor<2x3x5x7xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %a = arith.divf %in, %c : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map, #square, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %mask : tensor<2x3x5x7xf32>, tensor<1x1x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %a = arith.addf %in, %c : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %slowest = linalg.fill {hetero.device = #hetero.device<gpu:0>} ins(%low : f32) outs(%er : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %szeros = linalg.fill {hetero.device = #hetero.device<gpu:0>} ins(%zero : f32) outs(%ek : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
  %smax = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%slowest : tensor<2x3x5xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5xf32>
  %skept = tensor.expand_shape %smax [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
  %sdif = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %skept : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %a = arith.subf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %sexp = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%sdif : tensor<2x3x5x7xf32>) outs(%es : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %ssum = linalg.generic {indexing_maps = [#map, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%sexp : tensor<2x3x5x7xf32>) outs(%szeros : tensor<2x3x5x1xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x1xf32>
  %ssoft = linalg.generic {indexing_maps = [#map, #keep, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sexp, %ssum : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%es : tensor<2x3x5x7xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %a = arith.divf %in, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x5x7xf32>
  %w3 = tensor.collapse_shape %ssoft [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x7x4xf32> into tensor<6x7x4xf32>
  %o3 = linalg.batch_matmul {hetero.device = #hetero.device<cpu:0>} ins(%w3, %v3 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%zo : tensor<6x5x4xf32>) -> tensor<6x5x4xf32> loc("MatMul/values")
  %o4 = tensor.expand_shape %o3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
  return %o4 : tensor<2x3x5x4xf32>
}

// Must not act: the weights are a result too.
// CHECK-LABEL: func.func @weights_are_read
// CHECK-COUNT-2: linalg.batch_matmul
func.func @weights_are_read(%q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x5x7xf32>) {
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
  return %o4, %ssoft : tensor<2x3x5x4xf32>, tensor<2x3x5x7xf32>
}

// Control flow: inside of a branch.
// CHECK-LABEL: func.func @branch
// CHECK:         scf.if
// CHECK:           tm_tensor.attention
// CHECK:           scf.yield
func.func @branch(%cond: i1, %x: tensor<2x3x5x4xf32>, %q: tensor<2x3x5x8xf32>, %kt: tensor<2x3x8x7xf32>, %v: tensor<2x3x7x4xf32>, %mask: tensor<1x1x5x7xf32>) -> tensor<2x3x5x4xf32> {
  %r = scf.if %cond -> tensor<2x3x5x4xf32> {
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
  scf.yield %o4 : tensor<2x3x5x4xf32>
  } else {
    scf.yield %x : tensor<2x3x5x4xf32>
  }
  return %r : tensor<2x3x5x4xf32>
}

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row2 = affine_map<(d0, d1) -> (d0)>
// Acts: matrices without a batch, sizes that are not known, rows in broadcasts,
// and keys that are no transposed ones. Call: of a function with one.
// CHECK-LABEL: func.func private @matrices
// CHECK-SAME:    (%[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?x4xf32>)
// CHECK:         tm_tensor.attention {scale = 5.000000e-01 : f64} ins(%[[Q]], %[[K]], %[[V]] :
// CHECK-LABEL: func.func @caller
// CHECK:         call @matrices
func.func private @matrices(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %q, %c0 : tensor<?x8xf32>
  %n = tensor.dim %k, %c0 : tensor<?x8xf32>
  %es = tensor.empty(%m, %n) : tensor<?x?xf32>
  %er = tensor.empty(%m) : tensor<?xf32>
  %eo = tensor.empty(%m) : tensor<?x4xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      ins(%q, %k : tensor<?x8xf32>, tensor<?x8xf32>) outs(%zs : tensor<?x?xf32>) -> tensor<?x?xf32>
  %scaled = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x?xf32>) outs(%es : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %half, %in : f32
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  %max = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]} ins(%scaled : tensor<?x?xf32>) outs(%lr : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %out, %in : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %wide = linalg.broadcast ins(%max : tensor<?xf32>) outs(%es : tensor<?x?xf32>) dimensions = [1]
  %dif = linalg.sub ins(%scaled, %wide : tensor<?x?xf32>, tensor<?x?xf32>) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %exp = linalg.exp ins(%dif : tensor<?x?xf32>) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x?xf32>) outs(%zr : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %out, %in : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %sums = linalg.broadcast ins(%sum : tensor<?xf32>) outs(%es : tensor<?x?xf32>) dimensions = [1]
  %soft = linalg.div ins(%exp, %sums : tensor<?x?xf32>, tensor<?x?xf32>) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = linalg.matmul ins(%soft, %v : tensor<?x?xf32>, tensor<?x4xf32>) outs(%zo : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}
func.func @caller(%q: tensor<?x8xf32>, %v: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = call @matrices(%q, %q, %v) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
