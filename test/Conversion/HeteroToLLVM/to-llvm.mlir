// RUN: hetero-opt %s --hetero-to-llvm --hetero-verify | FileCheck %s -enable-var-scope

module attributes {hetero.phase = #hetero.phase<gpu>} {

// Functions that are no entry points are internal and return a status first.
// CHECK-DAG: llvm.func internal @callee({{.*}}) -> !llvm.struct<(i32, i32)>
// CHECK-DAG: llvm.func internal @__hetero_impl_main({{.*}}) -> !llvm.struct<(i32, i32)>
func.func private @callee(%x: i32) -> i32 {
  return %x : i32
}

// A failing assertion is a status; the entry point has the C ABI and closes its
// frame.
// CHECK: llvm.call @heteroAssert
// CHECK: llvm.func @main(%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: !llvm.ptr, %{{.*}}: i32) -> i32
// CHECK: llvm.call @heteroCheckCounts
// CHECK: llvm.call @heteroFrameBegin
// CHECK: llvm.call @heteroCheckArgument
// CHECK: llvm.call @__hetero_impl_main
// CHECK: llvm.call @heteroFrameEnd
func.func @main(%p: i1, %x: i32) -> i32 {
  cf.assert %p, "condition"
  %0 = call @callee(%x) : (i32) -> i32
  return %0 : i32
}
}
