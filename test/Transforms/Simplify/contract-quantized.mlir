// RUN: hetero-opt %s --hetero-contract-quantized --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-contract-quantized --hetero-contract-quantized --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-contract-quantized --remarks-filter=hetero-contract-quantized --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-contract-quantized --mlir-print-debuginfo --mlir-print-local-scope --split-input-file | FileCheck %s --check-prefix=NAME

// REMARK-DAG: [Passed] in integers | {{.*}} Remark="MatMul/first multiplies integers"
// REMARK-DAG: [Missed] in floats | {{.*}} Reason="a scale is not the same in all steps of a sum"
// REMARK-DAG: [Missed] in floats | {{.*}} Reason="its sums may not fit in 32 bits"
// REMARK-DAG: [Analysis] summary | Category:hetero-contract-quantized | contracted=1

// Acts: the constant's scales and that of the other factor are one tensor, its sums
// times the zero point another; the bias is added where the sums started from it.
// CHECK-LABEL: func.func @weights
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x2xi8>, %[[BIAS:[a-z0-9]+]]: tensor<3xf32>
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[}}1, 2, 3], [4, 5, -6]]> : tensor<2x3xi8>
// CHECK-NOT:     linalg.matmul
// CHECK:         %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : i32)
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<4x2xi8>, tensor<2x3xi8>) outs(%[[ZEROS]] : tensor<4x3xi32>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[SUM:.*]]: i32):
// CHECK-DAG:       %[[WIDE:.*]] = arith.extui %[[A]] : i8 to i32
// CHECK-DAG:       %[[WEIGHT:.*]] = arith.extsi %[[B]] : i8 to i32
// CHECK:           arith.muli %[[WIDE]], %[[WEIGHT]]
// CHECK-DAG:     %[[OFFSETS:.*]] = arith.constant dense<[-640, -896, 384]> : tensor<3xi32>
// CHECK-DAG:     %[[SCALES:.*]] = arith.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]], %[[OFFSETS]], %[[SCALES]], %[[BIAS]] : tensor<4x3xi32>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>)
// CHECK:           arith.addi
// CHECK:           arith.sitofp
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
// NAME-LABEL:  func.func @weights
// NAME:          linalg.generic
// NAME:          } -> tensor<4x3xi32> loc("MatMul/first")
// NAME:          linalg.generic
// NAME:          } -> tensor<4x3xf32> loc("MatMul/first")
func.func @weights(%x: tensor<4x2xi8>, %bias: tensor<3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 128 : i32
  %scale = arith.constant 0.5 : f32
  %w = arith.constant dense<[[1, 2, 3], [4, 5, -6]]> : tensor<2x3xi8>
  %ws = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %wz = arith.constant dense<0> : tensor<3xi8>
  %e = tensor.empty() : tensor<4x2xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi8>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zero : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<4x2xf32>
  %f = tensor.empty() : tensor<2x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %ws, %wz : tensor<2x3xi8>, tensor<3xf32>, tensor<3xi8>) outs(%f : tensor<2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %z: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<2x3xf32>
  %g = tensor.empty() : tensor<4x3xf32>
  %start = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%g : tensor<4x3xf32>) dimensions = [0]
  %y = linalg.matmul ins(%a, %b : tensor<4x2xf32>, tensor<2x3xf32>) outs(%start : tensor<4x3xf32>) -> tensor<4x3xf32> loc("MatMul/first")
  return %y : tensor<4x3xf32>
}

// -----

// Acts: transposes become maps, a pad adds the zero point to the integers, and a
// factor's sums are those of its windows where the other's zero point is not 0.
// CHECK-LABEL: func.func @moves
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x2x2x4xi8>, %[[W:[a-z0-9]+]]: tensor<3x2x3x3xi8>
// CHECK:         %[[BORDER:.*]] = linalg.fill ins(%{{.*}} : i8) outs(%{{.*}} : tensor<1x2x4x6xi8>)
// CHECK:         %[[PADDED:.*]] = tensor.insert_slice %[[X]] into %[[BORDER]][0, 0, 1, 1] [1, 2, 2, 4]
// CHECK:         linalg.generic {{.*}} ins(%[[PADDED]], %[[W]] : tensor<1x2x4x6xi8>, tensor<3x2x3x3xi8>) {{.*}} tensor<1x3x2x4xi32>
// CHECK:         %[[OFX:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[W]] : tensor<3x2x3x3xi8>) outs(%{{.*}} : tensor<3xi32>)
// CHECK:         %[[WINDOW:.*]] = tensor.empty() : tensor<3x3xi8>
// CHECK:         %[[OFW:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[PADDED]], %[[WINDOW]] : tensor<1x2x4x6xi8>, tensor<3x3xi8>) outs(%{{.*}} : tensor<1x2x4xi32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[OFX]], %[[OFW]] : tensor<1x3x2x4xi32>, tensor<3xi32>, tensor<1x2x4xi32>)
// CHECK-NOT:     linalg.conv
func.func @moves(%x: tensor<1x2x2x4xi8>, %w: tensor<3x2x3x3xi8>) -> tensor<1x3x2x4xf32> {
  %xz = arith.constant 3 : i32
  %wz = arith.constant 5 : i32
  %scale = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x4xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x2x2x4xi8>) outs(%e : tensor<1x2x2x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %xz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x2x2x4xf32>
  %f = tensor.empty() : tensor<3x2x3x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : tensor<3x2x3x3xi8>) outs(%f : tensor<3x2x3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %wz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %scale, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x2x3x3xf32>
  %p = tensor.empty() : tensor<1x2x4x6xf32>
  %border = linalg.fill ins(%none : f32) outs(%p : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
  %padded = tensor.insert_slice %a into %border[0, 0, 1, 1] [1, 2, 2, 4] [1, 1, 1, 1] : tensor<1x2x2x4xf32> into tensor<1x2x4x6xf32>
  %g = tensor.empty() : tensor<1x3x2x4xf32>
  %start = linalg.fill ins(%none : f32) outs(%g : tensor<1x3x2x4xf32>) -> tensor<1x3x2x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%padded, %b : tensor<1x2x4x6xf32>, tensor<3x2x3x3xf32>) outs(%start : tensor<1x3x2x4xf32>) -> tensor<1x3x2x4xf32>
  return %y : tensor<1x3x2x4xf32>
}

// -----

// Acts: named operations of integers with zero points, of which one is known when
// the program runs.
// CHECK-LABEL: func.func @named
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<4x2xi8>, %[[B:[a-z0-9]+]]: tensor<2x3xi8>, %[[Z:[a-z0-9]+]]: i32
// CHECK-NOT:     quantized
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<4x2xi8>, tensor<2x3xi8>)
// CHECK:         %[[OFB:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4x2xi8>) outs(%{{.*}} : tensor<4xi32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]], %[[OFB]] : tensor<4x3xi32>, tensor<4xi32>)
// CHECK:           arith.muli %[[Z]],
// CHECK-NOT:       arith.sitofp
func.func @named(%a: tensor<4x2xi8>, %b: tensor<2x3xi8>, %z: i32) -> tensor<4x3xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x3xi32>
  %start = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x3xi32>) -> tensor<4x3xi32>
  %y = linalg.quantized_matmul ins(%a, %b, %c0, %z : tensor<4x2xi8>, tensor<2x3xi8>, i32, i32) outs(%start : tensor<4x3xi32>) -> tensor<4x3xi32>
  return %y : tensor<4x3xi32>
}

// -----

// Must not act: a scale for each step of the sums, sums of a number of steps that is
// not known, and a factor that is not dequantized.
// CHECK-LABEL: func.func @other_factors
// CHECK-COUNT-3: linalg.matmul
func.func @other_factors(%x: tensor<4x?xi8>, %w: tensor<2x3xi8>, %v: tensor<?x3xi8>, %steps: tensor<2xf32>, %plain: tensor<4x2xf32>,
    %start: tensor<4x3xf32>, %xe: tensor<4x?xf32>, %we: tensor<2x3xf32>, %ve: tensor<?x3xf32>, %q: tensor<4x2xi8>, %qe: tensor<4x2xf32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %scale = arith.constant 0.5 : f32
  %b = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %steps : tensor<2x3xi8>, tensor<2xf32>) outs(%we : tensor<2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<4x2xi8>) outs(%qe : tensor<4x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x2xf32>, tensor<2x3xf32>) outs(%start : tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = linalg.matmul ins(%plain, %b : tensor<4x2xf32>, tensor<2x3xf32>) outs(%start : tensor<4x3xf32>) -> tensor<4x3xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x?xi8>) outs(%xe : tensor<4x?xf32>) {
  ^bb0(%in: i8, %out: f32):
    %2 = arith.sitofp %in : i8 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<4x?xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<?x3xi8>) outs(%ve : tensor<?x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %2 = arith.uitofp %in : i8 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<?x3xf32>
  %5 = linalg.matmul ins(%c, %d : tensor<4x?xf32>, tensor<?x3xf32>) outs(%start : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0, %1, %5 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}

// -----

// Conflict: a factor that is dequantized on another device stays there, and what
// replaces a product on a device stays on it. Control flow: in a loop's body.
// CHECK-LABEL: func.func @pinned
// CHECK:         linalg.generic {{.*}}hetero.device = #hetero.device<cpu:0>
// CHECK:         linalg.matmul {hetero.device = #hetero.device<gpu:0>}
// CHECK:         scf.for
// CHECK-NOT:       linalg.matmul
// CHECK:           linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:0>} {
// CHECK:             arith.muli
// CHECK:           linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:0>} {
// CHECK:             arith.sitofp
// CHECK:           scf.yield
func.func @pinned(%x: tensor<4x4xi8>, %start: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %scale = arith.constant 0.5 : f32
  %a = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xi8>) outs(%e : tensor<4x4xf32>) attrs = {hetero.device = #hetero.device<cpu:0>} {
  ^bb0(%in: i8, %out: f32):
    %1 = arith.sitofp %in : i8 to f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xi8>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %1 = arith.sitofp %in : i8 to f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  %p = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%start : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %p) -> tensor<4x4xf32> {
    %y = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %y : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Call: what comes from another function is not looked at.
// CHECK-LABEL: func.func @called
// CHECK:         call @dequantize
// CHECK:         linalg.matmul
func.func private @dequantize(tensor<4x4xi8>) -> tensor<4x4xf32>
func.func @called(%x: tensor<4x4xi8>, %start: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = call @dequantize(%x) : (tensor<4x4xi8>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%start : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
