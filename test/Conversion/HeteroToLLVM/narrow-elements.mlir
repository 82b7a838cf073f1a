// RUN: hetero-opt %s --hetero-to-llvm --hetero-verify | FileCheck %s -enable-var-scope

module attributes {hetero.phase = #hetero.phase<gpu>} {

// An element of less than a byte is stored as a byte.
// CHECK-LABEL: llvm.func internal @stores(
// CHECK-SAME: %[[BIT:[a-z0-9]+]]: i1)
// CHECK: %[[BYTE:.*]] = llvm.zext %[[BIT]] : i1 to i8
// CHECK: llvm.store %[[BYTE]], %{{.*}} : i8, !llvm.ptr
func.func private @stores(%m: memref<3xi1>, %b: i1) {
  %c1 = arith.constant 1 : index
  memref.store %b, %m[%c1] : memref<3xi1>
  return
}

// So it is loaded.
// CHECK-LABEL: llvm.func internal @loads(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[BITS:.*]] = llvm.trunc %[[BYTE]] : i8 to i4
// CHECK: llvm.sext %[[BITS]] : i4 to i32
func.func private @loads(%m: memref<?x?xi4, strided<[?, ?], offset: ?>>, %i: index) -> i32 {
  %0 = memref.load %m[%i, %i] : memref<?x?xi4, strided<[?, ?], offset: ?>>
  %1 = arith.extsi %0 : i4 to i32
  return %1 : i32
}

// A whole byte, or more, is loaded and stored as it is.
// CHECK-LABEL: llvm.func internal @whole(
// CHECK: %[[VALUE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NEXT: llvm.store %[[VALUE]], %{{.*}} : i8, !llvm.ptr
func.func private @whole(%m: memref<i8>) {
  %0 = memref.load %m[] : memref<i8>
  memref.store %0, %m[] : memref<i8>
  return
}
}
