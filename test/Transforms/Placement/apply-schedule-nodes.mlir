// RUN: hetero-opt %s --hetero-apply-schedule --hetero-place="profile=%S/Inputs/profile-nodes.yaml report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// A schedule places on a device of another node, units are inferred there as on
// any device, and a profile has its times.

// The operations of gpu:0@1 by the profile, the additions of gpu:0 by its
// roofline.
// REPORT: "device": "gpu:0",
// REPORT-NEXT: "ops": 1,
// REPORT-NEXT: "seconds": 5.0
// REPORT: "device": "gpu:0@1",
// REPORT-NEXT: "ops": 2,
// REPORT-NEXT: "seconds": 0.25

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @main
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0, node = 1, unit = "a">, hetero.origin = "schedule at
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0, node = 1, unit = "a">, hetero.origin = "pinned"}
    %1 = linalg.exp {hetero.device = #hetero.device<gpu, node = 1>} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    // CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
    %2 = linalg.add {hetero.device = #hetero.device<gpu>} ins(%1, %1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.hetero.place_on %first {device = #hetero.device<gpu:0, node = 1, unit = "a">} : !transform.any_op
    transform.yield
  }
}
