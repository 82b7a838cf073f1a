// RUN: hetero-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s -enable-var-scope

// Acts: one parameter for each operation, as far as it is known, with unit and
// codegen.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @acts
  func.func @acts(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-remark @below {{devices #hetero.device<gpu:1, unit = "u", codegen = "mlir">, #hetero.device<cpu>}}
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:1, unit = "u", codegen = "mlir">} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    // expected-remark @below {{devices #hetero.device<gpu:1, unit = "u", codegen = "mlir">, #hetero.device<cpu>}}
    %1 = linalg.exp {hetero.device = #hetero.device<cpu>} ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.hetero.get_device %0 : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %1, "devices" at %0 : !transform.any_param, !transform.any_op
    transform.yield
  }
}

// -----

// Operations go where others are: each to its own, or all to one.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @follow
  // CHECK: linalg.log {hetero.device = #hetero.device<gpu:0>, hetero.origin = "schedule at
  // CHECK: linalg.log {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at
  // CHECK: linalg.abs {hetero.device = #hetero.device<gpu:2>, hetero.origin = "schedule at
  // CHECK: linalg.abs {hetero.device = #hetero.device<gpu:2>, hetero.origin = "schedule at
  func.func @follow(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.ceil {hetero.device = #hetero.device<gpu:2>} ins(%1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %3 = linalg.log ins(%2 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %4 = linalg.log ins(%3 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %5 = linalg.abs ins(%4 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %6 = linalg.abs ins(%5 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %6 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %log = transform.structured.match ops{["linalg.log"]} in %root : (!transform.any_op) -> !transform.any_op
    %each = transform.hetero.get_device %exp : (!transform.any_op) -> !transform.any_param
    transform.hetero.place_on %log on %each : !transform.any_op, !transform.any_param
    %ceil = transform.structured.match ops{["linalg.ceil"]} in %root : (!transform.any_op) -> !transform.any_op
    %abs = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %one = transform.hetero.get_device %ceil : (!transform.any_op) -> !transform.any_param
    transform.hetero.place_on %abs on %one : !transform.any_op, !transform.any_param
    transform.yield
  }
}

// -----

// Must not act: an operation without a device is a failure that alternatives
// silence.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @silenced
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:3>
  func.func @silenced(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %0 = transform.structured.match ops{["linalg.exp"]} in %scope : (!transform.any_op) -> !transform.any_op
      %1 = transform.hetero.get_device %0 : (!transform.any_op) -> !transform.any_param
    }, {
    ^bb0(%scope: !transform.any_op):
      %0 = transform.structured.match ops{["linalg.exp"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.hetero.place_on %0 {device = #hetero.device<gpu:3>} : !transform.any_op
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @none(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @below {{the operation stands here}}
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'linalg.exp' op has no device; place it earlier}}
    %1 = transform.hetero.get_device %0 : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}
