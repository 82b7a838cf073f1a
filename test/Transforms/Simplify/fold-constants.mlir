// RUN: hetero-opt %s --hetero-fold-constants | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-fold-constants --hetero-fold-constants | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-fold-constants=max-bytes=8 | FileCheck %s --check-prefix=LIMIT
// RUN: hetero-opt %s --hetero-fold-constants --remarks-filter=hetero-fold-constants -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-fold-constants --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NAME
// RUN: not hetero-opt %s --hetero-fold-constants=max-bytes=many 2>&1 | FileCheck %s --check-prefix=INVALID

// INVALID: for the --max-bytes option: 'many' value invalid for ulong argument
// REMARK: [Passed] folded | {{.*}} Bytes=24, Remark="'linalg.transpose' is a constant"
// REMARK: [Analysis] summary | Category:hetero-fold-constants | folded=10

// Acts: a transposition of an attribute, with its name, and of a resource, which
// becomes one; a repeated dimension that is as large.
// CHECK-LABEL: func.func @movements
// CHECK-DAG:     %[[A:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense_resource<folded> : tensor<3x24xf32>
// CHECK-NOT:     linalg
// CHECK:         return %[[A]], %[[B]]
// LIMIT-LABEL: func.func @movements
// LIMIT-COUNT-2: linalg.transpose
// NAME:          arith.constant {{.*}} : tensor<3x2xf32> loc("Transpose/a")
func.func @movements() -> (tensor<3x2xf32>, tensor<3x24xf32>) {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = arith.constant dense_resource<weights> : tensor<24x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %f = tensor.empty() : tensor<3x24xf32>
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0] loc("Transpose/a")
  %1 = linalg.transpose ins(%b : tensor<24x3xf32>) outs(%f : tensor<3x24xf32>) permutation = [1, 0]
  return %0, %1 : tensor<3x2xf32>, tensor<3x24xf32>
}

// Acts: numbers of several inputs and types, by the folds of their operations.
// CHECK-LABEL: func.func @numbers
// CHECK-DAG:     %[[ROOT:.*]] = arith.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK-DAG:     %[[SUM:.*]] = arith.constant dense<{{\[\[}}11, 12], [23, 24]]> : tensor<2x2xi32>
// CHECK-DAG:     %[[HALF:.*]] = arith.constant dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf16>
// CHECK-NOT:     linalg
// CHECK:         return %[[ROOT]], %[[SUM]], %[[HALF]]
func.func @numbers() -> (tensor<2xf32>, tensor<2x2xi32>, tensor<2xf16>) {
  %v = arith.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %m = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %n = arith.constant dense<[10, 20]> : tensor<2xi32>
  %h = arith.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = tensor.empty() : tensor<2x2xi32>
  %g = tensor.empty() : tensor<2xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v, %one : tensor<2xf32>, f32) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %3 = arith.addf %a, %b : f32
    %4 = math.rsqrt %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %n : tensor<2x2xi32>, tensor<2xi32>) outs(%i : tensor<2x2xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %3 = arith.addi %a, %b : i32
    linalg.yield %3 : i32
  } -> tensor<2x2xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%h : tensor<2xf32>) outs(%g : tensor<2xf16>) {
  ^bb0(%a: f32, %out: f16):
    %3 = arith.truncf %a : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<2xf16>
  return %0, %1, %2 : tensor<2xf32>, tensor<2x2xi32>, tensor<2xf16>
}

// Acts: views of attributes and resources.
// CHECK-LABEL: func.func @views
// CHECK-DAG:     arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-DAG:     arith.constant dense_resource<weights> : tensor<6x4x3xf32>
// CHECK-NOT:     tensor.
func.func @views() -> (tensor<4xf32>, tensor<6x4x3xf32>) {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense_resource<weights> : tensor<24x3xf32>
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %1 = tensor.expand_shape %b [[0, 1], [2]] output_shape [6, 4, 3] : tensor<24x3xf32> into tensor<6x4x3xf32>
  return %0, %1 : tensor<4xf32>, tensor<6x4x3xf32>
}

// Must not act: what gets larger, depends on arguments or places, sums up, and
// what has no fold.
// CHECK-LABEL: func.func @stays
// CHECK:         linalg.broadcast
// CHECK:         arith.sitofp
// CHECK:         linalg.add
// CHECK:         linalg.index
// CHECK:         linalg.reduce
func.func @stays(%x: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xindex>, tensor<f32>) {
  %v = arith.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %i = arith.constant dense<[3, 15]> : tensor<2xi8>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty() : tensor<2xf32>
  %f = tensor.empty() : tensor<2x2xf32>
  %g = tensor.empty() : tensor<2xindex>
  %0 = linalg.broadcast ins(%v : tensor<2xf32>) outs(%f : tensor<2x2xf32>) dimensions = [0]
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<2xi8>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: i8, %out: f32):
    %5 = arith.sitofp %a : i8 to f32
    linalg.yield %5 : f32
  } -> tensor<2xf32>
  %2 = linalg.add ins(%v, %x : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v : tensor<2xf32>) outs(%g : tensor<2xindex>) {
  ^bb0(%a: f32, %out: index):
    %5 = linalg.index 0 : index
    linalg.yield %5 : index
  } -> tensor<2xindex>
  %4 = linalg.reduce ins(%v : tensor<2xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %5 = arith.addf %a, %b : f32
      linalg.yield %5 : f32
    }
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xindex>, tensor<f32>
}

// Conflict: a constant on another device stays there; the device of what is
// folded is that of its constant.
// CHECK-LABEL: func.func @devices
// CHECK:         linalg.transpose {{.*}}gpu:1
// CHECK:         arith.constant {hetero.device = #hetero.device<gpu:0>} dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]>
func.func @devices() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = arith.constant {hetero.device = #hetero.device<gpu:0>} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0] {hetero.device = #hetero.device<gpu:1>}
  %1 = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0] {hetero.device = #hetero.device<gpu:0>}
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// Control flow: inside of a loop. Call: constants are no arguments.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK:           arith.constant dense<[2.000000e+00, 3.000000e+00]>
// CHECK-NEXT:      func.call @callee
// CHECK-LABEL: func.func private @callee
// CHECK:         linalg.add
func.func @loop(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<2xf32> {
    %1 = linalg.add ins(%v, %one : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %2 = func.call @callee(%t, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
func.func private @callee(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.add ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A constant that has a name, as weights have, keeps it where only it is moved.
// NAME-LABEL: func.func @named
// NAME:         arith.constant {{.*}} : tensor<2x1xf32> loc("head.weight")
func.func @named() -> tensor<2x1xf32> {
  %w = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32> loc("head.weight")
  %e = tensor.empty() : tensor<2x1xf32>
  %0 = linalg.transpose ins(%w : tensor<1x2xf32>) outs(%e : tensor<2x1xf32>) permutation = [1, 0] loc("linear/head")
  return %0 : tensor<2x1xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x04000000000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F0000004000004040000080400000A0400000C040000000000000803F"
    }
  }
#-}
