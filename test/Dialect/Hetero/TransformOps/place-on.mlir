// RUN: hetero-opt %s --transform-interpreter --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --transform-interpreter --transform-interpreter --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate='rules=[{op: linalg.matmul, device: cpu}]' --transform-interpreter --split-input-file 2>/dev/null | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --transform-interpreter --hetero-annotate='rules=[{op: linalg.matmul, device: cpu}]' --split-input-file 2>/dev/null | FileCheck %s -enable-var-scope

// Acts: every operation of the handle gets the device, and the place in the
// schedule as its origin; what is not in the handle stays. Nothing changes when
// the schedule runs again, and neither do rules before or after it.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @acts
  // CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at place-on.mlir:[[#@LINE+11]]:5"}
  // CHECK: linalg.exp ins
  // CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at place-on.mlir:[[#@LINE+9]]:5"}
  func.func @acts(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.matmul ins(%a, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:1>} : !transform.any_op
    transform.yield
  }
}

// -----

// Must not act: an empty handle changes nothing, whatever the device.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @empty_handle
  // CHECK: linalg.exp ins
  func.func @empty_handle(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.log"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

// Already done: an annotation that says as much stays, with its origin; one
// that says less is completed. Both devices hold.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @annotated
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1>} ins
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at {{.*}}"}
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1, unit = "u">} ins
  func.func @annotated(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp {hetero.device = #hetero.device<gpu>} ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.exp {hetero.device = #hetero.device<gpu:1, unit = "u">} ins(%1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:1>} : !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu>} : !transform.any_op
    transform.yield
  }
}

// -----

// Conflict: what a rule annotated is annotated anew. The operations of rules
// and of the schedule keep apart.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @ruled
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0, unit = "u", codegen = "mlir">, hetero.origin = "schedule at {{.*}}"}
  // CHECK: linalg.log {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 3"}
  func.func @ruled(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 2"} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.log {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 3"} ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0, unit = "u", codegen = "mlir">} : !transform.any_op
    transform.yield
  }
}

// -----

// Control flow: operations in it, the control itself, and a function, whose
// device is the default for what is inside.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @loop
  // CHECK-SAME: attributes {hetero.device = #hetero.device<cpu>, hetero.origin = "schedule at {{.*}}"}
  // CHECK: scf.for
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "schedule at {{.*}}"}
  // CHECK: } {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at {{.*}}"}
  func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
      %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    %1 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %1 {device = #hetero.device<gpu:1>} : !transform.any_op
    %2 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %2 {device = #hetero.device<cpu>} : !transform.any_op
    transform.yield
  }
}

// -----

// Call: the operation in the callee is placed for all its calls.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func private @callee
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "schedule at {{.*}}"}
  func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  // CHECK-LABEL: func.func @caller
  // CHECK: call @callee(%{{.*}}) : (tensor<4xf32>)
  func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %0 {device = #hetero.device<gpu:0>} : !transform.any_op
    transform.yield
  }
}

// -----

// Must not act: where one operation of several cannot be placed nothing is
// annotated, and alternatives go on with what they hold instead.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @silenced
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:3>
  // CHECK: linalg.add ins
  func.func @silenced(%a: tensor<4xf32>, %b: tensor<4xi4>) -> (tensor<4xf32>, tensor<4xi4>) {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.add ins(%b, %b : tensor<4xi4>, tensor<4xi4>) outs(%b : tensor<4xi4>) -> tensor<4xi4>
    return %0, %1 : tensor<4xf32>, tensor<4xi4>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %0 = transform.structured.match ops{["linalg.exp", "linalg.add"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.hetero.place_on %0 {device = #hetero.device<gpu:2>} : !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
      %0 = transform.structured.match ops{["linalg.exp"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.hetero.place_on %0 {device = #hetero.device<gpu:3>} : !transform.any_op
    }
    transform.yield
  }
}
