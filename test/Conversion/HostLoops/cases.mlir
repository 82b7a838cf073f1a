// RUN: hetero-opt %s --convert-parallel-loops-to-runtime --hetero-expand-host-operations | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --convert-parallel-loops-to-runtime --hetero-expand-host-operations -o %t.once
// RUN: FileCheck %s --check-prefix=BODY < %t.once
// RUN: hetero-opt %t.once --convert-parallel-loops-to-runtime --hetero-expand-host-operations | diff %t.once -

// The last run shows what is already done.

// Must not act: a serial loop and an operation of a library stay.
// CHECK-LABEL: func.func @serial
// CHECK-NOT: heteroParallelFor
// CHECK: scf.for
// CHECK: math.sin
func.func @serial(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    %y = math.sin %x : f32
    memref.store %y, %m[%i] : memref<8xf32>
  }
  return
}

// Conflict: a body gets a name that no function has.
// BODY-DAG: func.func private @taken_loop()
// BODY-DAG: func.func private @taken_loop_0(
// CHECK-LABEL: func.func @taken
// CHECK: constant @taken_loop_0
func.func private @taken_loop() {
  return
}
func.func @taken(%m: memref<8xf32>, %x: f32) {
  scf.forall (%i) in (8) {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}

// Control flow: both arms of a branch have a loop of their own.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: llvm.call @heteroParallelFor
// CHECK: } else {
// CHECK: llvm.call @heteroParallelFor
func.func @branch(%p: i1, %m: memref<8xf32>, %x: f32, %y: f32) {
  scf.if %p {
    scf.forall (%i) in (8) {
      memref.store %x, %m[%i] : memref<8xf32>
    }
  } else {
    scf.forall (%i) in (8) {
      memref.store %y, %m[%i] : memref<8xf32>
    }
  }
  return
}

// Call: a body may call, and a caller of a function with a loop does not change.
// BODY: func.func private @callee_loop
// BODY: call @one
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @callee
// CHECK-NEXT: return
func.func private @one() -> f32 {
  %0 = arith.constant 1.0 : f32
  return %0 : f32
}
func.func private @callee(%m: memref<8xf32>) {
  scf.forall (%i) in (8) {
    %x = func.call @one() : () -> f32
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
func.func @caller(%m: memref<8xf32>) {
  call @callee(%m) : (memref<8xf32>) -> ()
  return
}
