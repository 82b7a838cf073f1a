// RUN: hetero-opt %s --hetero-to-llvm --split-input-file | FileCheck %s -enable-var-scope

module attributes {hetero.phase = #hetero.phase<gpu>} {
memref.global "private" constant @w : memref<2x3xf32> = dense<1.0>
memref.global "private" constant @b : memref<4xi1> = dense<true>

// A constant's elements, bytes, name and device; the runtime writes the rest.
// CHECK: llvm.mlir.global internal @__hetero_constant_w_gpu0()
// CHECK-DAG: llvm.mlir.addressof @w :
// CHECK-DAG: llvm.mlir.constant(24 : i64)
// CHECK: llvm.mlir.global internal @__hetero_constant_b_gpu0()
// CHECK-DAG: llvm.mlir.addressof @b :
// CHECK-DAG: llvm.mlir.constant(4 : i64)
// The same constant on another device is another one.
// CHECK: llvm.mlir.global internal @__hetero_constant_w_gpu1()

// What an entry point may need is what all functions read that it may call.
// CHECK: llvm.mlir.global internal constant @__hetero_constants_both_list()
// CHECK-SAME: !llvm.array<3 x ptr>
// CHECK-DAG: addressof @__hetero_constant_w_gpu0
// CHECK-DAG: addressof @__hetero_constant_b_gpu0
// CHECK-DAG: addressof @__hetero_constant_w_gpu1
// CHECK: llvm.mlir.global internal @__hetero_constants_both()

// Another one shares the constants, and needs fewer.
// CHECK: llvm.mlir.global internal constant @__hetero_constants_one_list()
// CHECK-SAME: !llvm.array<1 x ptr>
// CHECK: addressof @__hetero_constant_w_gpu0
// CHECK: llvm.mlir.global internal @__hetero_constants_one()

// No list for one that needs none: it has nothing to do to be initialized.
// CHECK-NOT: @__hetero_constants_none

// Initialization alone puts the constants there; a call does before its frame.
// CHECK: llvm.func @both(%{{.*}}: !llvm.ptr, %[[COUNT:.*]]: i32,
// CHECK: %[[ONLY:.*]] = llvm.icmp "eq" %[[COUNT]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[ONLY]], ^[[INITIALIZE:.*]], ^[[CALL:[^ ]*]]
// CHECK: llvm.call @heteroUpload(%{{.*}})
// CHECK: llvm.call @heteroFrameBegin
// CHECK: llvm.func @one(
// CHECK: llvm.call @heteroUpload
// CHECK: llvm.func @none(
// CHECK-NOT: llvm.call @heteroUpload
// CHECK: llvm.call @heteroFrameBegin
func.func private @use(memref<2x3xf32>)
func.func private @use_bits(memref<4xi1>)
func.func private @inner() {
  %w = memref.get_global @w : memref<2x3xf32>
  %b = memref.get_global @b : memref<4xi1>
  %0 = hetero.resident of %w : memref<2x3xf32> on #hetero.device<gpu:0>
  %1 = hetero.resident of %b : memref<4xi1> on #hetero.device<gpu:0>
  call @use(%0) : (memref<2x3xf32>) -> ()
  call @use_bits(%1) : (memref<4xi1>) -> ()
  return
}
func.func @both(%c: i1) {
  scf.if %c {
    func.call @inner() : () -> ()
  }
  %w = memref.get_global @w : memref<2x3xf32>
  %0 = hetero.resident of %w : memref<2x3xf32> on #hetero.device<gpu:1>
  call @use(%0) : (memref<2x3xf32>) -> ()
  return
}
func.func @one() {
  %w = memref.get_global @w : memref<2x3xf32>
  %0 = hetero.resident of %w : memref<2x3xf32> on #hetero.device<gpu:0>
  call @use(%0) : (memref<2x3xf32>) -> ()
  return
}
func.func @none() {
  return
}

// An unloaded program has the runtime forget its constants.
// CHECK: llvm.func internal @__hetero_unload
// CHECK: addressof @__hetero_constant_w_gpu0
// CHECK: llvm.call @heteroForget
}
