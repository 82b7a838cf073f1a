// RUN: hetero-opt %s --hetero-apply-schedule=file=%S/Inputs/schedule.mlir -o %t.once
// RUN: FileCheck %s -enable-var-scope < %t.once
// RUN: hetero-opt %t.once --hetero-apply-schedule | diff %t.once -

// Already done: the last run finds no schedule, and nothing changes.

// Control flow: the schedule finds what stands in a loop, and not the loop.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
// CHECK: }
// CHECK-NOT: hetero.device
// CHECK: return
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4xf32>) {
    %1 = linalg.exp ins(%c : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Call: what a callee does is placed there; the call stays as it is.
// CHECK-LABEL: func.func private @callee
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @callee(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
