// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-verify --hetero-optimize-copies --hetero-verify | FileCheck %s -enable-var-scope --implicit-check-not=hetero.copy

// Programs that placement and copies of other compilers got wrong; each line
// with a copy is expected, and there is no other.

#cpu = #hetero.device<cpu>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

// An operand that is shared by both devices; the result is computed where it is
// returned.
// CHECK-LABEL: func.func @shared_operand
// CHECK: hetero.copy %arg1 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %arg2 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %{{.+}} : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
func.func @shared_operand(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add {hetero.device = #cpu} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add {hetero.device = #gpu0} ins(%b, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.sub ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Two results from two devices.
// CHECK-LABEL: func.func @tuple
// CHECK: hetero.copy %arg1 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %[[S:[0-9]+]] : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[R:.+]] = hetero.copy {{.*}} -> tensor<4xf32>
// CHECK: return %[[S]], %[[R]]
func.func @tuple(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add {hetero.device = #cpu} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add {hetero.device = #gpu0} ins(%0, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Each argument is on its own device.
// CHECK-LABEL: func.func @arguments
// CHECK-SAME: (%{{.+}}: tensor<4xf32> {hetero.device = #hetero.device<cpu:0>}, %{{.+}}: tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
func.func @arguments(%a: tensor<4xf32> {hetero.device = #cpu}, %b: tensor<4xf32> {hetero.device = #gpu0}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add {hetero.device = #gpu0} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One device, then another, where the result stays: no copy back.
// CHECK-LABEL: func.func @stays_there
// CHECK-SAME: -> (tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
func.func @stays_there(%a: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu1}) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {hetero.device = #gpu1} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An argument that is only returned elsewhere is copied, and nothing else.
// CHECK-LABEL: func.func @returned_argument
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
func.func @returned_argument(%a: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu0}) {
  return %a : tensor<4xf32>
}

// A device's value that passes a loop which does not use it on the host: the
// loop passes it there, and one copy after it brings the result.
// CHECK-LABEL: func.func @through_region
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NOT: hetero.copy
// CHECK: scf.for {{.*}} -> (tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NOT: hetero.copy
// CHECK: scf.yield
// CHECK: }
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
func.func @through_region(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%it = %a) -> tensor<4xf32> {
    %0 = linalg.add {hetero.device = #gpu0} ins(%it, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A value that both devices want in both arms: one copy above the if. What both
// arms make on the device is copied in each, which costs what one below would:
// of two optima it is the one with less off the host.
// CHECK-LABEL: func.func @both_arms
// CHECK-NEXT: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: scf.if {{.*}} -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK: } else {
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK: }
func.func @both_arms(%a: tensor<4xf32>, %p: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r:2 = scf.if %p -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = linalg.exp {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp {hetero.device = #cpu} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  } else {
    %0 = linalg.abs {hetero.device = #gpu0} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.abs {hetero.device = #cpu} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// A constant on two devices is two constants; a pinned one is copied.
// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[K:.+]] = arith.constant {{.*}}pinned{{.*}} : tensor<2xf32, #hetero.device<gpu:0>>
// CHECK-DAG: hetero.copy %[[K]] {{.*}} -> tensor<2xf32, #hetero.device<gpu:1>>
// CHECK-DAG: arith.constant {{.*}} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32, #hetero.device<gpu:0>>
// CHECK-DAG: arith.constant {{.*}} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32, #hetero.device<gpu:1>>
func.func @constants() -> (tensor<2xf32> {hetero.device = #gpu0}, tensor<2xf32> {hetero.device = #gpu1}) {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %p = arith.constant {hetero.device = #gpu0} dense<[3.0, 4.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.add {hetero.device = #gpu0} ins(%k, %p : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %1 = linalg.add {hetero.device = #gpu1} ins(%k, %p : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// A diamond: one copy each way.
// CHECK-LABEL: func.func @diamond
// CHECK: hetero.copy {{.*}} : tensor<4x4xf32> -> tensor<4x4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} : tensor<4x4xf32, #hetero.device<gpu:0>> -> tensor<4x4xf32>
// CHECK: return
func.func @diamond(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32> {hetero.device = #gpu0}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul {hetero.device = #cpu} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul {hetero.device = #gpu0} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.abs {hetero.device = #cpu} ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matmul {hetero.device = #gpu0} ins(%1, %1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}
