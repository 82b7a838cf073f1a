// RUN: hetero-opt %s --hetero-place --mlir-print-debuginfo -o %t.placed
// RUN: hetero-translate --placement-to-json %t.placed | FileCheck %s
// RUN: hetero-translate --placement-to-json %t.placed | %python -m json.tool | FileCheck %s --check-prefix=WELL
// RUN: not hetero-translate --placement-to-json %s 2>&1 | FileCheck %s --check-prefix=PHASE

// PHASE: error: expected a module in phase 'placed', 'materialized' or 'copies-optimized', got phase 'none'; run hetero-opt --hetero-place first

// WELL: "summary": "cost {{.*}}, 4 copies"

// Operations have the name of the source, why they are where they are, and what
// they take there; copies have no bytes where the shape is dynamic.
// CHECK: "devices": [
// CHECK-NEXT: "cpu:0"
// CHECK-NEXT: "gpu:0"
// CHECK: "op": "linalg.add"
// CHECK-NEXT: "name": "Add/\"one\""
// CHECK-NEXT: "location": "Add/\"one\""
// CHECK-NEXT: "device": "gpu:0"
// CHECK-NEXT: "origin": "pinned"
// CHECK-NEXT: "explanation": "{{.*}} on gpu:0; cpu:0 would cost {{.*}}"
// CHECK-NEXT: "seconds": {{[0-9.e-]+$}}
// CHECK: "copies": [
// CHECK: "value": "%arg0 of @main"
// CHECK-NEXT: "from": "cpu:0"
// CHECK-NEXT: "to": "gpu:0"
// CHECK-NEXT: "seconds": {{[0-9.e-]+$}}
// CHECK: "value": "%arg1 of @main"
// CHECK-NEXT: "from": "cpu:0"
// CHECK-NEXT: "to": "gpu:0"
// CHECK-NEXT: "bytes": 32
func.func @main(%x: tensor<?xf32>, %z: tensor<8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %0 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32> loc("Add/\22one\22")
  %1 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%z, %z : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<?xf32>, tensor<8xf32>
}
