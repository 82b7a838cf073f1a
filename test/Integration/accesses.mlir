// Accesses of a program's own memory, and of vectors, that are not there are
// errors with a place.

// DEFINE: %{entry} = none
// DEFINE: %{run} = hetero-run %s --entry=%{entry}

// REDEFINE: %{entry} = load
// RUN: %{run} --input=index=4 --input=index=3 --expected=f32=3
// RUN: not %{run} --input=index=4 --input=index=4 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not %{run} --input=index=4 --input=index=-1 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=index=0 --input=index=0 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: error: expected memref.load at accesses.mlir:[[# @LINE + 10]]:8 to stay inside dimension 0 of its memory; pass indices that fit
func.func @load(%n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xf32>
  scf.for %k = %c0 to %n step %c1 {
    %x = arith.index_cast %k : index to i32
    %y = arith.sitofp %x : i32 to f32
    memref.store %y, %m[%k] : memref<?xf32>
  }
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}

// REDEFINE: %{entry} = store
// RUN: %{run} --input=index=2 --input=i1=1 --expected=i32=7
// RUN: %{run} --input=index=3 --input=i1=0 --expected=i32=0
// RUN: not %{run} --input=index=3 --input=i1=1 2>&1 | FileCheck %s --check-prefix=STORE
// STORE: error: expected memref.store at accesses.mlir:[[# @LINE + 10]]:5 to stay inside dimension 1 of its memory
func.func @store(%i: index, %p: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %m = memref.alloc() : memref<2x3xi32>
  memref.store %zero, %m[%c1, %c2] : memref<2x3xi32>
  scf.if %p {
    memref.store %seven, %m[%c1, %i] : memref<2x3xi32>
  }
  %0 = memref.load %m[%c1, %c2] : memref<2x3xi32>
  return %0 : i32
}

// In loops whose iterations run at the same time, and in functions that are
// called.
// REDEFINE: %{entry} = parallel
// RUN: %{run} --input=index=8 --expected=index=7
// RUN: not %{run} --input=index=9 2>&1 | FileCheck %s --check-prefix=PARALLEL
// PARALLEL: error: expected memref.store at accesses.mlir:[[# @LINE + 5]]:5 to stay inside dimension 0 of its memory
func.func private @fill(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}
func.func @parallel(%n: index) -> index {
  %c7 = arith.constant 7 : index
  %m = memref.alloc() : memref<8xindex>
  %d = memref.cast %m : memref<8xindex> to memref<?xindex>
  func.call @fill(%d, %n) : (memref<?xindex>, index) -> ()
  %r = memref.load %m[%c7] : memref<8xindex>
  return %r : index
}

// The last element of a vector counts.
// REDEFINE: %{entry} = vectors
// RUN: %{run} --input=index=8 --input=index=4 --expected=f32=12
// RUN: not %{run} --input=index=8 --input=index=5 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not %{run} --input=index=3 --input=index=0 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not %{run} --input=index=8 --input=index=9223372036854775807 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: expected vector.{{store|load}} at accesses.mlir:{{[0-9]+}}:{{3|8}} to stay inside dimension 0 of its memory
func.func @vectors(%n: index, %i: index) -> f32 {
  %three = arith.constant dense<3.0> : vector<4xf32>
  %m = memref.alloc(%n) : memref<?xf32>
  vector.store %three, %m[%i] : memref<?xf32>, vector<4xf32>
  %x = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
  %0 = vector.reduction <add>, %x : vector<4xf32> into f32
  return %0 : f32
}

// A transfer that says so must be inside; another one may end outside.
// REDEFINE: %{entry} = transfers
// RUN: %{run} --input=6xf32=iota --input=index=2 --input=index=4 --expected=f32=14 --expected=f32=9
// RUN: not %{run} --input=6xf32=iota --input=index=3 --input=index=4 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not %{run} --input=6xf32=iota --input=index=2 --input=index=-1 2>&1 | FileCheck %s --check-prefix=OPEN
// INSIDE: error: expected vector.transfer_read at accesses.mlir:[[# @LINE + 5]]:8 to stay inside dimension 0 of its tensor; pass indices that fit
// OPEN: error: expected vector.transfer_read at accesses.mlir:[[# @LINE + 7]]:8 to stay inside dimension 0 of its tensor
func.func @transfers(%t: tensor<?xf32>, %i: index, %j: index) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  // Inside.
  %x = vector.transfer_read %t[%i], %zero {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
  %0 = vector.reduction <add>, %x : vector<4xf32> into f32
  // Open.
  %y = vector.transfer_read %t[%j], %zero : tensor<?xf32>, vector<4xf32>
  %1 = vector.reduction <add>, %y : vector<4xf32> into f32
  return %0, %1 : f32, f32
}

// REDEFINE: %{entry} = affine
// RUN: %{run} --input=index=3 --expected=i32=5
// RUN: not %{run} --input=index=4 2>&1 | FileCheck %s --check-prefix=AFFINE
// AFFINE: error: expected affine.load at accesses.mlir:[[# @LINE + 8]]:8 to stay inside dimension 0 of its memory
func.func @affine(%i: index) -> i32 {
  %five = arith.constant 5 : i32
  %m = memref.alloc() : memref<8xi32>
  affine.for %k = 0 to 8 {
    affine.store %five, %m[%k] : memref<8xi32>
  }
  // Two times four is one too many.
  %0 = affine.load %m[symbol(%i) * 2] : memref<8xi32>
  return %0 : i32
}
