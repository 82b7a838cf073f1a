// RUN: hetero-opt %s --hetero-outline-host-loops=max-loops=1 | FileCheck %s
// RUN: hetero-opt %s --hetero-outline-host-loops | FileCheck %s --check-prefix=FEW

// Acts: equal loops become one function, which is not inlined again; numbers
// that they use are arguments, constants are inside.
// CHECK-LABEL: func.func @acts(
// CHECK-SAME: %[[A:.+]]: memref<4xf32>, %[[B:.+]]: memref<4xf32>, %[[X:.+]]: f32
// CHECK: call @acts_serial(%[[X]], %[[A]]) : (f32, memref<4xf32>) -> ()
// CHECK: call @acts_serial(%[[X]], %[[B]]) : (f32, memref<4xf32>) -> ()
// CHECK-NOT: scf.for
// CHECK: return
// CHECK: func.func private @acts_serial(%{{.+}}: f32, %{{.+}}: memref<4xf32>)
// CHECK-SAME: passthrough = ["noinline"]
// CHECK-DAG: arith.constant 4 : index
// CHECK: scf.for
// FEW-LABEL: func.func @acts(
// FEW-COUNT-2: scf.for
func.func @acts(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %a[%i] : memref<4xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// Acts: numbers that a loop carries are results of the function.
// CHECK-LABEL: func.func @numbers(
// CHECK: %[[S:.+]] = call @numbers_serial(
// CHECK: %[[T:.+]] = call @numbers_serial(%{{.+}}, %[[S]],
// CHECK: return %[[T]]
func.func @numbers(%a: memref<?xf32>, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> f32 {
    %v = memref.load %a[%i] : memref<?xf32>
    %r = arith.addf %sum, %v : f32
    scf.yield %r : f32
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %s) -> f32 {
    %v = memref.load %a[%i] : memref<?xf32>
    %r = arith.addf %sum, %v : f32
    scf.yield %r : f32
  }
  return %t : f32
}

// Must not act: what a loop allocates may fail, and its caller has to see that.
// CHECK-LABEL: func.func @fallible(
// CHECK-COUNT-2: scf.for
// CHECK: return
func.func @fallible(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<8xf32>
    memref.dealloc %m : memref<8xf32>
  }
  return
}

// Control flow: a loop inside of a branch is as good as any; what is inside of a
// loop goes with it.
// CHECK-LABEL: func.func @branches(
// CHECK: scf.if
// CHECK: call @branches_serial(
// CHECK: else
// CHECK: call @branches_serial_0(
// CHECK: return
func.func @branches(%a: memref<4x4xf32>, %p: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.if %p {
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        memref.store %x, %a[%i, %j] : memref<4x4xf32>
      }
    }
  } else {
    linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  }
  return
}
