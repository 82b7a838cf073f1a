// RUN: hetero-opt %s --hetero-place="report=%t.json" -o /dev/null && FileCheck %s < %t.json
// RUN: not hetero-opt %s --hetero-place="report=%t.d/none/report.json" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: hetero-opt %s --hetero-convert-elementwise-to-linalg --hetero-place --hetero-materialize-copies | FileCheck %s --check-prefix=COPIES

// The report counts one copy per value and destination, and gives times in
// seconds: here a, b and the result cross, a only once.

// What it counts is what is made.

// COPIES-COUNT-3: hetero.copy
// COPIES-NOT: hetero.copy

// BAD: error: cannot write the placement report: {{.*}}none/report.json

// CHECK: "cost_seconds":
// CHECK-NEXT: "lower_bound_seconds":
// CHECK-NEXT: "gap": 0,
// CHECK-NEXT: "optimal": true,
// CHECK-NEXT: "copies": 3,
// CHECK-NEXT: "memory": "unlimited",
// CHECK-NEXT: "links": [
// CHECK-NEXT: {
// CHECK-NEXT: "from": "cpu:0",
// CHECK-NEXT: "to": "gpu:0",
// CHECK-NEXT: "copies": 2,
// CHECK-NEXT: "bytes": 8000000,
// CHECK-NEXT: "seconds": 0.00068666{{[0-9]+}}
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "from": "gpu:0",
// CHECK-NEXT: "to": "cpu:0",
// CHECK-NEXT: "copies": 1,
// CHECK-NEXT: "bytes": 4000000,
// CHECK: "devices": [
// CHECK-NEXT: {
// CHECK-NEXT: "device": "cpu:0",
// CHECK-NEXT: "ops": 0,
// CHECK-NEXT: "seconds": 0,
// CHECK-NEXT: "memory_bytes": 12000000
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "device": "gpu:0",
// CHECK-NEXT: "ops": 2,
// CHECK-NEXT: "seconds": {{5.[0-9e-]+}}

func.func @main(%a: tensor<1000x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<gpu:0>} : tensor<1000x1000xf32>
  %1 = arith.mulf %a, %0 {hetero.device = #hetero.device<gpu:0>} : tensor<1000x1000xf32>
  return %1 : tensor<1000x1000xf32>
}
