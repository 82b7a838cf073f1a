// RUN: hetero-opt %s --hetero-fold-scales --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-fold-scales --hetero-fold-scales --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-fold-scales --remarks-filter=hetero-fold-scales -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-fold-scales --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NAME

// REMARK-DAG: [Passed] folded | {{.*}} Remark="1 operations are part of the weights of Conv/first"
// REMARK-DAG: [Passed] folded | {{.*}} Remark="2 operations are part of the weights of
// REMARK-DAG: [Passed] folded | {{.*}} Remark="2 operations are one that scales the sums of
// REMARK-DAG: [Missed] not folded | {{.*}} Reason="its sums start from what is not constant"
// REMARK-DAG: [Missed] not folded | {{.*}} Reason="nothing would be left that has its annotation"
// REMARK-DAG: [Missed] not folded | {{.*}} Reason="scaled weights would not be finite"
// REMARK-DAG: [Analysis] summary | Category:hetero-fold-scales | folded=13, products=9

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#last2 = affine_map<(d0, d1) -> (d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// Acts: batch norm, with its statistics in the order of torch-mlir and the
// convolution as the destination that it does not read, becomes weights and an
// addition that keeps its place and its name.
// CHECK-LABEL: func.func @batch_norm
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}9.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]]
// CHECK:         %[[CONV:.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %[[W]] : {{.*}}) outs(%[[ZEROS]]
// CHECK:         %[[B:.*]] = arith.constant dense<[-1.000000e+01, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %[[SUM:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[CONV]], %[[B]] :
// CHECK-NOT:     arith.mulf
// CHECK:           arith.addf
// CHECK-NOT:     arith.mulf
// CHECK:         return %[[SUM]]
// NAME-LABEL:  func.func @batch_norm
// NAME:          linalg.conv_2d_nchw_fchw {{.*}} loc("Conv/first")
// NAME:          linalg.yield
// NAME-NEXT:     } -> tensor<1x2x4x4xf32> loc("BatchNormalization/first")
func.func @batch_norm(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = arith.constant dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %gamma = arith.constant dense<[4.0, 1.5]> : tensor<2xf32>
  %beta = arith.constant dense<[-8.0, 1.0]> : tensor<2xf32>
  %mean = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %variance = arith.constant dense<[3.0, -0.75]> : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) outs(%zeros : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> loc("Conv/first")
  %1 = linalg.generic {indexing_maps = [#id4, #channel, #channel, #channel, #channel, #id4],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %gamma, %beta, %mean, %variance : tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      outs(%0 : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %2 = arith.addf %v, %one : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.subf %in, %m : f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.mulf %5, %g : f32
    %7 = arith.addf %6, %b : f32
    linalg.yield %7 : f32
  } -> tensor<1x2x4x4xf32> loc("BatchNormalization/first")
  return %1 : tensor<1x2x4x4xf32>
}

// Acts: a chain of named operations, with a broadcast constant and a bias from
// which the sums start, is one addition with the names of all.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[ZEROS:.*]] = linalg.fill
// CHECK:         %[[PRODUCT:.*]] = linalg.matmul ins(%{{.*}}, %[[W:.*]] : {{.*}}) outs(%[[ZEROS]]
// CHECK:         %[[B:.*]] = arith.constant dense<[2.200000e+01, 7.000000e+01]> : tensor<2xf32>
// CHECK-NEXT:    %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]], %[[B]] :
// CHECK:         return %[[SUM]]
// NAME-LABEL:  func.func @chain
// NAME:          } -> tensor<?x2xf32> loc(fused["Add/last", "Mul/first"])
func.func @chain(%x: tensor<?x3xf32>, %n: index) -> tensor<?x2xf32> {
  %w = arith.constant dense<1.0> : tensor<3x2xf32>
  %bias = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %factor = arith.constant dense<[20.0, 20.0]> : tensor<2xf32>
  %shift = arith.constant dense<[[2.0, 10.0]]> : tensor<1x2xf32>
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %start = linalg.broadcast ins(%bias : tensor<2xf32>) outs(%e : tensor<?x2xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x2xf32>) outs(%start : tensor<?x2xf32>) -> tensor<?x2xf32>
  %scale = linalg.broadcast ins(%factor : tensor<2xf32>) outs(%e : tensor<?x2xf32>) dimensions = [0]
  %1 = linalg.mul ins(%0, %scale : tensor<?x2xf32>, tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32> loc("Mul/first")
  %2 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (0, d1)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%1, %shift : tensor<?x2xf32>, tensor<1x2xf32>) outs(%e : tensor<?x2xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %3 = arith.addf %in, %b : f32
    linalg.yield %3 : f32
  } -> tensor<?x2xf32> loc("Add/last")
  return %2 : tensor<?x2xf32>
}

// Acts: groups of channels that a view joins, and channels on their own.
// CHECK-LABEL: func.func @grouped
// CHECK-DAG:     arith.constant dense<{{.*}}5.000000e+00{{.*}}7.000000e+00{{.*}}> : tensor<2x1x1x1x1xf32>
// CHECK-DAG:     arith.constant dense<{{.*}}2.000000e+00{{.*}}4.000000e+00{{.*}}> : tensor<2x1x1xf32>
// CHECK-NOT:     arith.divf
func.func @grouped(%x: tensor<1x2x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = arith.constant dense<1.0> : tensor<2x1x1x1x1xf32>
  %d = arith.constant dense<1.0> : tensor<2x1x1xf32>
  %scale = arith.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %part = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<1x2x1x4x4xf32>
  %e4 = tensor.empty() : tensor<1x2x4x4xf32>
  %zeros5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<1x2x1x4x4xf32>) -> tensor<1x2x1x4x4xf32>
  %zeros4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %0 = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x2x1x4x4xf32>, tensor<2x1x1x1x1xf32>) outs(%zeros5 : tensor<1x2x1x4x4xf32>) -> tensor<1x2x1x4x4xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3], [4]] : tensor<1x2x1x4x4xf32> into tensor<1x2x4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id4, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %scale : tensor<1x2x4x4xf32>, tensor<2xf32>) outs(%e4 : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %5 = arith.mulf %s, %in : f32
    linalg.yield %5 : f32
  } -> tensor<1x2x4x4xf32>
  %3 = linalg.depthwise_conv_2d_nchw_chw ins(%2, %d : tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) outs(%zeros4 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = linalg.generic {indexing_maps = [#id4, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%3, %part : tensor<1x2x4x4xf32>, tensor<2xf32>) outs(%e4 : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %5 = arith.divf %in, %s : f32
    linalg.yield %5 : f32
  } -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}

// Already done, and must not act: an addition alone is an epilogue; others read
// the product; the data are divided by; the weights are an argument.
// CHECK-LABEL: func.func @stays
// CHECK:         linalg.matmul
// CHECK:         arith.addf
// CHECK:         linalg.matmul
// CHECK:         linalg.mul
// CHECK:         linalg.matmul
// CHECK:         linalg.div
// CHECK:         linalg.matmul
// CHECK:         linalg.mul
func.func @stays(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %bias = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %c = arith.constant dense<2.0> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.generic {indexing_maps = [#id2, #last2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<2x2xf32>, tensor<2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %8 = arith.addf %in, %b : f32
    linalg.yield %8 : f32
  } -> tensor<2x2xf32>
  %2 = linalg.matmul ins(%y, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = linalg.mul ins(%2, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = linalg.matmul ins(%1, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %5 = linalg.div ins(%c, %4 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %7 = linalg.mul ins(%6, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %2, %3, %5, %7 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Must not act: sums that go on from an argument, and numbers that f32 lacks.
// CHECK-LABEL: func.func @refused
// CHECK:         linalg.matmul
// CHECK:         linalg.mul
// CHECK:         linalg.matmul
// CHECK:         linalg.mul
func.func @refused(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = arith.constant dense<1.0e+30> : tensor<2x2xf32>
  %c = arith.constant dense<1.0e+10> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%y : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.mul ins(%0, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = linalg.mul ins(%2, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %3 : tensor<2x2xf32>, tensor<2x2xf32>
}

// Conflict: what stands on another device stays there, and what only the scale
// names keeps its operation. On one device they join.
// CHECK-LABEL: func.func @devices
// CHECK:         linalg.matmul {hetero.device = #hetero.device<gpu:0>}
// CHECK-NEXT:    linalg.mul {hetero.device = #hetero.device<gpu:1>}
// CHECK:         linalg.matmul ins
// CHECK-NEXT:    linalg.mul {hetero.device = #hetero.device<gpu:1>}
// CHECK:         linalg.matmul {hetero.device = #hetero.device<gpu:0>}
// CHECK-NOT:     linalg.mul
func.func @devices(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = arith.constant dense<2.0> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.mul {hetero.device = #hetero.device<gpu:1>} ins(%0, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = linalg.mul {hetero.device = #hetero.device<gpu:1>} ins(%2, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%3, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %5 = linalg.mul {hetero.device = #hetero.device<gpu:0>} ins(%4, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %3, %5 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Control flow: inside of a loop, with weights that are outside.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK:           linalg.matmul
// CHECK-NOT:       linalg.mul
// CHECK:           scf.yield
func.func @loop(%x: tensor<2x2xf32>, %n: index) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = arith.constant dense<2.0> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<2x2xf32> {
    %1 = linalg.matmul ins(%t, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = linalg.mul ins(%1, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %2 : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// Call: what a call is given is read by others.
// CHECK-LABEL: func.func private @callee
// CHECK:         linalg.mul
// CHECK-LABEL: func.func @caller
// CHECK:         linalg.matmul
// CHECK-NEXT:    call @callee
func.func private @callee(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = arith.constant dense<2.0> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.mul ins(%x, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @caller(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = call @callee(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Acts: the weights of a narrow product stay; its sums are scaled and shifted
// before they are rounded. The bias from which they start stays too.
// CHECK-LABEL: func.func @narrow
// CHECK:         %[[CONV:.*]] = linalg.conv_2d_nchw_fchw {{.*}} outs(%{{.*}} : tensor<1x2x4x4xf32>)
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// CHECK-DAG:     %[[SHIFT:.*]] = arith.constant dense<[-1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK:         %[[OUT:.*]] = linalg.generic {{.*}} ins(%[[CONV]], %[[SCALE]], %[[SHIFT]] : tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>) outs(%{{.*}} : tensor<1x2x4x4xf16>)
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      arith.truncf
// CHECK-NEXT:      linalg.yield
// CHECK:         return %[[OUT]]
func.func @narrow(%x: tensor<1x1x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %weights = arith.constant dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf16>
  %scale = arith.constant dense<[0.5, 3.0]> : tensor<2xf16>
  %shift = arith.constant dense<[-1.0, 2.0]> : tensor<2xf16>
  %bias = arith.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %start = linalg.broadcast ins(%bias : tensor<2xf32>) outs(%e : tensor<1x2x4x4xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %weights : tensor<1x1x4x4xf16>, tensor<2x1x1x1xf16>) outs(%start : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %e16 = tensor.empty() : tensor<1x2x4x4xf16>
  %1 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x2x4x4xf32>) outs(%e16 : tensor<1x2x4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %2 = arith.truncf %in : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x2x4x4xf16>
  %3 = linalg.generic {indexing_maps = [#id4, #channel, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %scale, %shift : tensor<1x2x4x4xf16>, tensor<2xf16>, tensor<2xf16>) outs(%1 : tensor<1x2x4x4xf16>) {
  ^bb0(%in: f16, %a: f16, %b: f16, %out: f16):
    %4 = arith.mulf %in, %a : f16
    %5 = arith.addf %4, %b : f16
    linalg.yield %5 : f16
  } -> tensor<1x2x4x4xf16>
  return %3 : tensor<1x2x4x4xf16>
}

// Sums of matrices that are scaled before they are rounded are scaled by one
// operation that also rounds them; one that a view follows is rounded first.
// CHECK-LABEL: func.func @rounded_last
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.truncf
// CHECK:         linalg.matmul
// CHECK-NEXT:    linalg.generic
// CHECK-NOT:       arith.mulf
// CHECK:           arith.truncf
// CHECK:         tensor.expand_shape
// CHECK:         linalg.mul
func.func @rounded_last(%x: tensor<4x2xf16>, %init: tensor<4x2xf32>) -> (tensor<4x2xf16>, tensor<4x1x2xf16>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %half = arith.constant dense<0.5> : tensor<4x2xf32>
  %half16 = arith.constant dense<0.5> : tensor<4x1x2xf16>
  %e = tensor.empty() : tensor<4x2xf32>
  %e16 = tensor.empty() : tensor<4x2xf16>
  %0 = linalg.matmul ins(%x, %w : tensor<4x2xf16>, tensor<2x2xf16>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = linalg.mul ins(%0, %half : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x2xf32>) outs(%e16 : tensor<4x2xf16>) {
  ^bb0(%in: f32, %out: f16):
    %3 = arith.truncf %in : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<4x2xf16>
  %4 = linalg.matmul ins(%x, %w : tensor<4x2xf16>, tensor<2x2xf16>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %5 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%4 : tensor<4x2xf32>) outs(%e16 : tensor<4x2xf16>) {
  ^bb0(%in: f32, %out: f16):
    %6 = arith.truncf %in : f32 to f16
    linalg.yield %6 : f16
  } -> tensor<4x2xf16>
  %7 = tensor.expand_shape %5 [[0, 1], [2]] output_shape [4, 1, 2] : tensor<4x2xf16> into tensor<4x1x2xf16>
  %e3 = tensor.empty() : tensor<4x1x2xf16>
  %8 = linalg.mul ins(%7, %half16 : tensor<4x1x2xf16>, tensor<4x1x2xf16>) outs(%e3 : tensor<4x1x2xf16>) -> tensor<4x1x2xf16>
  return %2, %8 : tensor<4x2xf16>, tensor<4x1x2xf16>
}

// Weights of f32 are scaled where the result is rounded, too.
// CHECK-LABEL: func.func @wide_then_rounded
// CHECK:         arith.constant dense<{{\[\[}}5.000000e-01, 1.000000e+00], [1.500000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK:         linalg.matmul
// CHECK-NEXT:    linalg.generic
// CHECK-NOT:       arith.mulf
// CHECK:           arith.truncf
func.func @wide_then_rounded(%x: tensor<4x2xf32>) -> tensor<4x2xf16> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %half = arith.constant dense<0.5> : tensor<4x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %e16 = tensor.empty() : tensor<4x2xf16>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%fill : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = linalg.mul ins(%0, %half : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x2xf32>) outs(%e16 : tensor<4x2xf16>) {
  ^bb0(%in: f32, %out: f16):
    %3 = arith.truncf %in : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<4x2xf16>
  return %2 : tensor<4x2xf16>
}
