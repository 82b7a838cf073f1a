// RUN: hetero-opt %s --convert-parallel-loops-to-runtime --split-input-file | FileCheck %s --enable-var-scope

// The body becomes a function of a range; bounds and buffers are in the
// closure, constants are not.
// CHECK: llvm.func @heteroParallelFor(i64, i64, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-LABEL: func.func @main
// CHECK: %[[CLOSURE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(
// CHECK: %[[GRAIN:.*]] = arith.constant 7 : i64
// CHECK: %[[F:.*]] = constant @main_loop : (!llvm.ptr, i64, i64) -> i32
// CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %[[F]]
// CHECK: llvm.call @heteroParallelFor(%{{.*}}, %[[GRAIN]], %[[P]], %[[CLOSURE]]) {hetero.checked}
// CHECK-LABEL: func.func private @main_loop
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) -> i32 attributes {hetero.loop_body}
// CHECK: llvm.load
// CHECK: scf.for
// CHECK: memref.store
// CHECK: return %{{.*}} : i32
func.func @main(%m: memref<?x?xf32>, %n: index, %x: f32) {
  scf.forall (%i, %j) in (%n, 8) {
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  } {hetero.grain = 7 : i64}
  return
}

// -----

// Inner parallel loops are serial: the threads are busy already.
// CHECK-LABEL: func.func @nested
// CHECK-COUNT-1: llvm.call @heteroParallelFor
// CHECK-NOT: heteroParallelFor
// CHECK-LABEL: func.func private @nested_loop
// CHECK-NOT: scf.forall
// CHECK: scf.for
// CHECK: scf.for
func.func @nested(%m: memref<8x8xf32>, %x: f32) {
  scf.forall (%i) in (8) {
    scf.forall (%j) in (8) {
      memref.store %x, %m[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

// A temporary of an iteration is on the stack of the thread that runs it.
// CHECK-LABEL: func.func private @temporary_loop
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NOT: memref.alloc()
// CHECK-NOT: memref.dealloc
func.func @temporary(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %t = memref.alloc() : memref<16xf32>
    memref.store %x, %t[%i] : memref<16xf32>
    %y = memref.load %t[%c0] : memref<16xf32>
    memref.store %y, %m[%i] : memref<8xf32>
    memref.dealloc %t : memref<16xf32>
  }
  return
}

// -----

// A loop in a loop allocates its closure once.
// CHECK-LABEL: func.func @around
// CHECK: llvm.alloca
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// CHECK: llvm.call @heteroParallelFor
func.func @around(%m: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.forall (%i) in (8) {
      memref.store %x, %m[%i] : memref<8xf32>
    }
  }
  return
}

// -----

// A loop with a result reduces: it is left to scf.
// CHECK-LABEL: func.func @reduction
// CHECK: scf.parallel
// CHECK-NOT: heteroParallelFor
func.func @reduction(%m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %v = memref.load %m[%i] : memref<8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
