// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/nodes.yaml" --hetero-place="memory-budget=gpu:0@1=1MiB report=%t.json" | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/nodes.yaml" --hetero-place="memory-budget=gpu:0@1=1MiB" | hetero-opt --hetero-place --verify-roundtrip | FileCheck %s -enable-var-scope
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/nodes.yaml" --hetero-place --hetero-explain=print -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/nodes.yaml" --hetero-place --remarks-filter=hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/nodes.yaml" --hetero-place --hetero-materialize-copies --hetero-verify | FileCheck %s --check-prefix=COPIES -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/nodes.yaml" --hetero-place -o %t.mlir
// RUN: hetero-translate --placement-to-dot %t.mlir | FileCheck %s --check-prefix=DOT
// RUN: hetero-translate --placement-to-json %t.mlir | FileCheck %s --check-prefix=JSON
// RUN: hetero-translate --placement-to-html %t.mlir | FileCheck %s --check-prefix=HTML

// Devices of several nodes in rules, annotations, budgets, reports and views.

// CHECK: hetero.memory_budget = {"gpu:0@1" = 1048576 : i64}
// REPORT: "from": "gpu:0",
// REPORT-NEXT: "to": "cpu:0@1",
// REPORT: "network": [
// REPORT-NEXT: {
// REPORT-NEXT: "from_node": 0,
// REPORT-NEXT: "to_node": 1,
// REPORT-NEXT: "crossings": 2,
// REPORT-NEXT: "bytes": 260
// REPORT: "device": "cpu:0@1",
// REPORT: "device": "gpu:0@1",
// REPORT: "memory_capacity": 1048576
// EXPLAIN: on gpu:0@1
// REMARK: fallback {{.*}}tensor.reshape runs on cpu:0@1 instead of gpu:0@1
// REMARK: placement {{.*}}gpu:0@1 ops=2
// DOT: gpu:0@1
// JSON: "gpu:0@1"
// HTML: "gpu:0@1"

// CHECK-LABEL: func.func @main
// COPIES-LABEL: func.func @main
// A rule and an annotation; a gpu that no node is said of is one of node 0.
func.func @main(%x: tensor<8x8xf32>, %shape: tensor<1xi32>) -> (tensor<8x8xf32>, tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8x8xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
  %0 = linalg.exp {hetero.device = #hetero.device<gpu>} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // COPIES: hetero.copy %{{.*}} : tensor<8x8xf32, #hetero.device<gpu:0>> -> tensor<8x8xf32, #hetero.device<gpu:0, node = 1>>
  // COPIES: hetero.copy %{{.*}} : tensor<8x8xf32, #hetero.device<gpu:0>> -> tensor<8x8xf32, #hetero.device<cpu:0, node = 1>>
  // CHECK: linalg.abs {hetero.device = #hetero.device<gpu:0, node = 1>, hetero.origin = "rule 1"}
  %1 = linalg.abs ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.ceil {hetero.device = #hetero.device<cpu:0, node = 1>, hetero.origin = "pinned, rule 2"}
  %2 = linalg.ceil {hetero.device = #hetero.device<cpu, node = 1>} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // What no gpu of the node can run, its host runs.
  // CHECK: tensor.reshape {{.*}}hetero.device = #hetero.device<cpu:0, node = 1>, hetero.origin = "fallback: {{.*}}"
  %3 = tensor.reshape %1(%shape) : (tensor<8x8xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: linalg.sub {hetero.device = #hetero.device<gpu:0, node = 1>, hetero.origin = "default"}
  %4 = linalg.sub ins(%1, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // An element of a value on another node comes over the network.
  // COPIES: %[[ELEMENT:.*]] = hetero.copy %{{.*}} : tensor<1x1xf32, #hetero.device<cpu:0, node = 1>> -> tensor<1x1xf32>
  // COPIES: tensor.extract %[[ELEMENT]]
  %5 = tensor.extract %2[%c0, %c0] : tensor<8x8xf32>
  return %4, %3, %5 : tensor<8x8xf32>, tensor<?xf32>, f32
}
