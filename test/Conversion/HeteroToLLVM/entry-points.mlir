// RUN: hetero-opt %s --hetero-to-llvm --split-input-file | FileCheck %s -enable-var-scope

// The sizes that an argument must have; INT64_MIN stands for any.
// CHECK: llvm.mlir.global internal constant @__hetero_sizes_dynamic_0(dense<[-9223372036854775808, 4]> : tensor<2xi64>)

module attributes {hetero.phase = #hetero.phase<gpu>} {
// A result of dynamic size leaves with the sizes and strides that it has, and
// belongs to the caller from then on; a scalar is returned by its bits.
// CHECK-LABEL: llvm.func @dynamic(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %{{.*}}: i32, %[[RESULTS:.*]]: !llvm.ptr, %{{.*}}: i32) -> i32
// Before anything can fail, the results are safe to release.
// CHECK: llvm.call @heteroCheckCounts
// CHECK: llvm.cond_br %{{.*}}, ^[[REFUSE:.*]](%{{.*}} : i32), ^
// CHECK-COUNT-4: llvm.store %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @heteroFrameBegin
// CHECK: llvm.cond_br %{{.*}}, ^[[REFUSE]](
// CHECK: llvm.call @heteroCheckArgument(%[[ARGS]],
// CHECK: llvm.cond_br %{{.*}}, ^[[END:.*]](%{{.*}} : i32), ^
// CHECK: llvm.call @heteroCheckArgument(
// CHECK: llvm.cond_br %{{.*}}, ^[[END]](%{{.*}} : i32), ^
// CHECK: %[[PACK:.*]] = llvm.call @__hetero_impl_dynamic
// CHECK: %[[STATUS:.*]] = llvm.extractvalue %[[PACK]][0]
// CHECK: llvm.cond_br %{{.*}}, ^[[END]](%[[STATUS]] : i32), ^
// CHECK: %[[SIZE:.*]] = llvm.extractvalue %[[PACK]][1, 0, 3, 0]
// CHECK: llvm.store %[[SIZE]], %{{.*}} : i64, !llvm.ptr
// CHECK: %[[STRIDE:.*]] = llvm.extractvalue %[[PACK]][1, 0, 4, 0]
// CHECK: llvm.store %[[STRIDE]], %{{.*}} : i64, !llvm.ptr
// CHECK: %[[ALLOCATED:.*]] = llvm.extractvalue %[[PACK]][1, 0, 0]
// CHECK: llvm.call @heteroDetach(%{{.*}}, %[[ALLOCATED]])
// CHECK: llvm.cond_br %{{.*}}, ^[[END]](
// CHECK: llvm.store %[[ALLOCATED]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[SCALAR:.*]] = llvm.extractvalue %[[PACK]][1, 1]
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[SCALAR]] : f32 to i32
// CHECK: %[[WIDE:.*]] = llvm.zext %[[BITS]] : i32 to i64
// CHECK: llvm.store %[[WIDE]], %{{.*}} : i64, !llvm.ptr
// CHECK: llvm.br ^[[END]](
// CHECK: ^[[REFUSE]](%[[CODE:.*]]: i32):
// CHECK-NEXT: llvm.return %[[CODE]]
// The frame is closed either way; a failure releases the result that is memory.
// CHECK: ^[[END]](%[[REASON:.*]]: i32):
// CHECK: %[[FINAL:.*]] = llvm.call @heteroFrameEnd(%[[REASON]])
// CHECK: llvm.cond_br %{{.*}}, ^[[RELEASE:bb[0-9]+]], ^[[DONE:bb[0-9]+]]
// CHECK: ^[[RELEASE]]:
// CHECK: llvm.call @heteroReleaseValue(%[[RESULTS]])
// CHECK-NOT: heteroReleaseValue
// CHECK: llvm.return %[[FINAL]]
// CHECK: ^[[DONE]]:
// CHECK: llvm.return %[[FINAL]]
func.func @dynamic(%x: memref<?x4xf32>, %n: index) -> (memref<?x4xf32>, f32) {
  %c = arith.constant 2.0 : f32
  %0 = memref.alloc(%n) : memref<?x4xf32>
  return %0, %c : memref<?x4xf32>, f32
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// Private functions are no entry points.
// CHECK-NOT: llvm.func @private
// CHECK: llvm.func internal @private(
// CHECK-NOT: llvm.func @private
func.func private @private(%x: i32) -> i32 {
  return %x : i32
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// An entry point that another function calls is called without its ABI.
// CHECK: llvm.func internal @__hetero_impl_inner
// CHECK: llvm.func internal @__hetero_impl_outer
// CHECK: llvm.call @__hetero_impl_inner
// CHECK: llvm.func @inner(
// CHECK: llvm.func @outer(
func.func @inner(%x: i32) -> i32 {
  return %x : i32
}
func.func @outer(%x: i32) -> i32 {
  %0 = call @inner(%x) : (i32) -> i32
  return %0 : i32
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// An argument and a result on a device say so to the check and to the caller.
// CHECK-LABEL: llvm.func @on_device(
// CHECK: llvm.call @heteroCheckArgument(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[GPU:.*]]) :
// CHECK: llvm.store %[[GPU]], %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.call @heteroDetach(%[[GPU]],
func.func @on_device(%x: memref<8xf32> {hetero.device = #hetero.device<gpu:3>})
    -> (memref<8xf32> {hetero.device = #hetero.device<gpu:3>}) {
  %0 = gpu.alloc () {hetero.device = #hetero.device<gpu:3>} : memref<8xf32>
  return %0 : memref<8xf32>
}
}
