// RUN: hetero-opt %s --hetero-expand-host-operations | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-expand-host-operations -o %t.once
// RUN: hetero-opt %t.once --hetero-expand-host-operations | diff %t.once -
// RUN: hetero-opt %s --hetero-expand-host-operations --remarks-filter=hetero-expand-host-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Analysis] summary | Category:hetero-expand-host-operations | copies=1, functions=1

// Already done: the diff above. Control flow: both arms of a branch are
// expanded where they stand.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK: } else {
// CHECK-NOT: math.exp
// CHECK: return
func.func @branch(%p: i1, %a: memref<4xf32, strided<[2]>>, %b: memref<4xf32>, %v: vector<8xf32>, %w: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  scf.if %p {
    memref.copy %a, %b : memref<4xf32, strided<[2]>> to memref<4xf32>
  } else {
    %0 = math.exp %v : vector<8xf32>
    vector.store %0, %w[%c0] : memref<8xf32>, vector<8xf32>
  }
  return
}

// Call: a function of the program that is named like one of math stays a call.
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @expf
// CHECK-NEXT: return
func.func private @expf(%x: f32) -> f32 {
  return %x : f32
}
func.func @caller(%x: f32) -> f32 {
  %0 = call @expf(%x) : (f32) -> f32
  return %0 : f32
}
