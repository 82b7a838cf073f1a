// RUN: hetero-opt %s --hetero-convert-elementwise-to-linalg | FileCheck %s -enable-var-scope

// Conflict: two annotated operations that upstream would fuse or fold keep an
// operation, and a device, each.
// CHECK-LABEL: func.func @conflict
// CHECK: linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:0>}
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:1>}
// CHECK: arith.addf
func.func @conflict(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = arith.addf %x, %zero {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.addf %0, %zero {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Control flow: an annotation on a loop stays on the loop.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK-NOT: hetero.device
// CHECK: math.tanh
// CHECK: } {hetero.device = #hetero.device<gpu:0>}
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4xf32>) {
    %1 = math.tanh %c : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } {hetero.device = #hetero.device<gpu:0>}
  return %0 : tensor<4xf32>
}

// Call: signatures and calls stay as they are.
// CHECK-LABEL: func.func private @callee(%{{.+}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK: linalg.generic
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @callee
// CHECK-NEXT: return
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.negf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
