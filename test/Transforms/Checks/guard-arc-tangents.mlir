// RUN: hetero-opt %s --hetero-lower-frontend-ops --hetero-convert-elementwise-to-linalg --canonicalize | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-lower-frontend-ops -o %t.once
// RUN: hetero-opt %t.once --hetero-lower-frontend-ops | diff %t.once -

// Acts: two zeros that are constants fold to what the function is there, not to
// NaN. Already done: the diff above.
// CHECK-LABEL: func.func @zeros
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[PI:.*]] = arith.constant 3.14159274 : f32
// CHECK: return %[[ZERO]], %[[PI]]
func.func @zeros() -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %0 = math.atan2 %zero, %zero : f32
  %1 = math.atan2 %zero, %minus : f32
  return %0, %1 : f32, f32
}

// Acts on tensors as well, where they have become bodies.
// CHECK-LABEL: func.func @tensors
// CHECK: math.copysign
// CHECK: math.atan2
func.func @tensors(%y: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.atan2 %y, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
