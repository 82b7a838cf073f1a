// A rule with `at` means what stands there in the source, by file, line and
// column, with or without the folders around the file, also where it was fused;
// not what stands in another file, line or column.

// RUN: hetero-opt %s --hetero-annotate='rules={[{at: "model.mlir:12:9", device: "gpu:0"}, {at: "net/other.mlir:7", device: "gpu:1"}]}' | FileCheck %s
// RUN: not hetero-opt %s --hetero-annotate='rules={[{at: "model.mlir", device: gpu}]}' 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-annotate='rules={[{at: "odel.mlir:12", device: gpu}]}' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// PLACE: <rules>:1:7: error: expected at to be a place like model.mlir:12 or model.mlir:12:9, got 'model.mlir'
// NONE: <rules>:1:2: warning: rule 1 matches no operation

// CHECK-LABEL: func.func @places
// CHECK-NEXT: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// CHECK-NEXT: linalg.abs ins
// CHECK-NEXT: linalg.tanh {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// CHECK-NEXT: linalg.ceil {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 2"}
// CHECK-NEXT: linalg.floor ins
func.func @places(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("model.mlir":12:9)
  %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("model.mlir":12:8)
  %2 = linalg.tanh ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc(fused["x"("a/b/model.mlir":12:9), "y"])
  %3 = linalg.ceil ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("work/net/other.mlir":7:1)
  %4 = linalg.floor ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("work/other.mlir":7:1)
  return %4 : tensor<4xf32>
}
