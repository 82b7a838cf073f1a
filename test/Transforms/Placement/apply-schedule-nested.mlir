// RUN: hetero-opt %s --hetero-apply-schedule --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-pipeline --split-input-file -o /dev/null

// As upstream's interpreter does, the pass finds the schedule in a module beside
// the functions. That module goes with it.

// CHECK: module {
// CHECK-NEXT: func.func @main
// CHECK: linalg.generic
// CHECK-NOT: module
// CHECK-NOT: transform
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// One that holds functions as well stays, without its schedule. A sequence that
// nothing runs is no part of the program either.

// CHECK: module {
// CHECK: func.func @other
// CHECK: module @functions {
// CHECK-NEXT: func.func @main
// CHECK: linalg.generic
// CHECK-NOT: transform
func.func @other() {
  return
}
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
}
module @functions attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %r = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
