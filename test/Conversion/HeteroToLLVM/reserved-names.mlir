// RUN: hetero-opt %s --hetero-to-llvm --split-input-file | FileCheck %s -enable-var-scope

module attributes {hetero.phase = #hetero.phase<gpu>} {
// Conflict: a private function leaves its name to what the compiled code calls,
// of the runtime, of the lowering and of the C library.
// CHECK-DAG: llvm.func @heteroWait(i32) -> i32
// CHECK-DAG: llvm.func internal @heteroWait_[[#]](%{{.*}}: i32) -> !llvm.struct<(i32, i32)>
// CHECK-DAG: llvm.func internal @__hetero_impl_main_[[#]](%{{.*}}: i32)
// CHECK-DAG: llvm.func internal @sinf_[[#]](%{{.*}}: f32)
// CHECK-DAG: llvm.intr.sin
func.func private @heteroWait(%x: i32) -> i32 {
  return %x : i32
}
func.func private @__hetero_impl_main(%x: i32) -> i32 {
  return %x : i32
}
func.func private @sinf(%x: f32) -> f32 {
  return %x : f32
}
func.func @main(%x: i32, %y: f32) -> (i32, f32) {
  hetero.wait on #hetero.device<gpu:0>
  %0 = call @heteroWait(%x) : (i32) -> i32
  %1 = call @__hetero_impl_main(%0) : (i32) -> i32
  %2 = math.sin %y : f32
  %3 = call @sinf(%2) : (f32) -> f32
  return %1, %3 : i32, f32
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// Must not act: nothing here calls the library's function, so that the entry
// point may have its name; sin of f64 is another one.
// CHECK-LABEL: llvm.func @sinf(
func.func @sinf(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
}
