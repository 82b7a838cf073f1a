// RUN: hetero-opt %s --hetero-to-llvm --hetero-verify | FileCheck %s -enable-var-scope

// CHECK-DAG: llvm.func @heteroHasLibrary(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @heteroCallLibrary(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, i32, !llvm.ptr) -> i32
module attributes {hetero.phase = #hetero.phase<gpu>} {

// The values are on the stack of the function, dimensions in the function's
// order; the status is checked.
// CHECK: llvm.func internal @__hetero_impl_main
// CHECK: llvm.alloca %{{.*}} x i64
// CHECK: %[[STATUS:.*]] = llvm.call @heteroHasLibrary
// CHECK: llvm.icmp "ne"
// CHECK: llvm.cond_br
// CHECK: llvm.call @heteroCallLibrary
// CHECK: llvm.icmp "ne"
func.func @main(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4xf32>) {
  %0 = hetero.has_library "openblas"
  scf.if %0 {
    hetero.library_call "openblas" "gemm" ins(%a, %b : memref<4x8xf32>, memref<8xf32>) outs(%c : memref<4xf32>)
        {orders = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>]}
  }
  return
}
}
