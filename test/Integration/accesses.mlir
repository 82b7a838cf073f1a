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

// Lanes that are off may be anywhere.
// REDEFINE: %{entry} = masked
// RUN: %{run} --input=index=6 --input=index=2 --input=index=4 --expected=4xf32=2,3,4,5
// RUN: %{run} --input=index=6 --input=index=4 --input=index=2 --expected=4xf32=4,5,0,0
// RUN: %{run} --input=index=6 --input=index=99 --input=index=0 --expected=4xf32=0
// RUN: %{run} --input=index=6 --input=index=-9 --input=index=-1 --expected=4xf32=0
// RUN: not %{run} --input=index=6 --input=index=4 --input=index=3 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: not %{run} --input=index=6 --input=index=-1 --input=index=4 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=index=6 --input=index=4 --input=index=3 2>&1 | FileCheck %s --check-prefix=MASKED
// MASKED: error: expected vector.maskedload at accesses.mlir:[[# @LINE + 13]]:8 to stay inside dimension 0 of its memory; pass indices that fit
func.func @masked(%s: index, %i: index, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %b = memref.alloc(%s) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<?xf32>) {
  ^bb0(%old: f32):
    %j = linalg.index 0 : index
    %k = arith.index_cast %j : index to i32
    %v = arith.sitofp %k : i32 to f32
    linalg.yield %v : f32
  }
  %on = vector.create_mask %n : vector<4xi1>
  %x = vector.maskedload %b[%i], %on, %zeros : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = vector.transfer_write %x, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// A mask that is computed: the last lane that is on counts.
// REDEFINE: %{entry} = computed_mask
// RUN: %{run} --input=4xf32=1,1,1,-1 --input=index=2 --expected=i32=7
// RUN: %{run} --input=4xf32=-1,-1,-1,-1 --input=index=77 --expected=i32=0
// RUN: not %{run} --input=4xf32=-1,-1,-1,1 --input=index=2 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: error: expected vector.maskedstore at accesses.mlir:[[# @LINE + 13]]:3 to stay inside dimension 0 of its memory
func.func @computed_mask(%t: tensor<4xf32>, %i: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<5xi32>
  linalg.fill ins(%zero : i32) outs(%m : memref<5xi32>)
  %x = vector.transfer_read %t[%c0], %f0 {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %on = arith.cmpf ogt, %x, %zeros : vector<4xf32>
  %bits = arith.constant dense<[1, 2, 4, 8]> : vector<4xi32>
  vector.maskedstore %m[%i], %on, %bits : memref<5xi32>, vector<4xi1>, vector<4xi32>
  %s = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %zero) -> (i32) {
    %v = memref.load %m[%k] : memref<5xi32>
    %b = arith.addi %a, %v : i32
    scf.yield %b : i32
  }
  return %s : i32
}

// As many elements as lanes are on.
// REDEFINE: %{entry} = packed
// RUN: %{run} --input=4xf32=1,-1,1,-1 --input=index=3 --expected=f32=7
// RUN: not %{run} --input=4xf32=1,-1,1,1 --input=index=3 2>&1 | FileCheck %s --check-prefix=PACKED
// PACKED: error: expected vector.expandload at accesses.mlir:[[# @LINE + 13]]:8 to stay inside dimension 0 of its memory
func.func @packed(%t: tensor<4xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %m = memref.alloc() : memref<5xf32>
  %three = arith.constant 3.0 : f32
  linalg.fill ins(%three : f32) outs(%m : memref<5xf32>)
  %c4 = arith.constant 4 : index
  %four = arith.constant 4.0 : f32
  memref.store %four, %m[%c4] : memref<5xf32>
  %x = vector.transfer_read %t[%c0], %f0 {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %on = arith.cmpf ogt, %x, %zeros : vector<4xf32>
  %y = vector.expandload %m[%i], %on, %zeros : memref<5xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %0 = vector.reduction <add>, %y : vector<4xf32> into f32
  return %0 : f32
}

// Each lane at a place of its own; one that is off has none.
// REDEFINE: %{entry} = gather
// RUN: %{run} --input=4xi32=0,2,1,99 --input=index=1 --input=index=3 --expected=f32=3
// RUN: %{run} --input=4xi32=0,2,1,0 --input=index=1 --input=index=4 --expected=f32=3
// RUN: %{run} --input=4xi32=0,2,1,0 --input=index=7 --input=index=0 --expected=f32=0
// RUN: not %{run} --input=4xi32=0,2,1,99 --input=index=1 --input=index=4 2>&1 | FileCheck %s --check-prefixes=GATHER,LANE
// RUN: not %{run} --input=4xi32=0,-1,1,99 --input=index=1 --input=index=2 2>&1 | FileCheck %s --check-prefixes=GATHER,LANE
// RUN: not %{run} --input=4xi32=0,2,1,99 --input=index=2 --input=index=1 2>&1 | FileCheck %s --check-prefixes=GATHER,ROW
// GATHER: error: expected vector.gather at accesses.mlir:[[# @LINE + 17]]:8 to stay inside
// LANE-SAME: dimension 1 of its memory
// ROW-SAME: dimension 0 of its memory
func.func @gather(%places: tensor<4xi32>, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %b = memref.alloc() : memref<2x3xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%b : memref<2x3xf32>) {
  ^bb0(%old: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %v = arith.sitofp %k : i32 to f32
    linalg.yield %v : f32
  }
  %on = vector.create_mask %n : vector<4xi1>
  %p = vector.transfer_read %places[%c0], %none {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %x = vector.gather %b[%i, %c0] [%p], %on, %zeros : memref<2x3xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %0 = vector.reduction <add>, %x : vector<4xf32> into f32
  return %0 : f32
}

// REDEFINE: %{entry} = scatter
// RUN: %{run} --input=2xindex=1,3 --expected=f32=5
// RUN: not %{run} --input=2xindex=1,4 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: error: expected vector.scatter at accesses.mlir:[[# @LINE + 8]]:3 to stay inside dimension 0 of its memory
func.func @scatter(%places: tensor<2xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %on = arith.constant dense<true> : vector<2xi1>
  %values = arith.constant dense<[4.0, 5.0]> : vector<2xf32>
  %m = memref.alloc() : memref<4xf32>
  %p = vector.transfer_read %places[%c0], %c0 {in_bounds = [true]} : tensor<2xindex>, vector<2xindex>
  vector.scatter %m[%c0] [%p], %on, %values : memref<4xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>
  %0 = memref.load %m[%c3] : memref<4xf32>
  return %0 : f32
}

// A transfer that says it is inside, as far as its mask reaches.
// REDEFINE: %{entry} = masked_transfer
// RUN: %{run} --input=6xf32=iota --input=index=3 --input=index=3 --expected=f32=12
// RUN: %{run} --input=6xf32=iota --input=index=99 --input=index=0 --expected=f32=0
// RUN: not %{run} --input=6xf32=iota --input=index=3 --input=index=4 2>&1 | FileCheck %s --check-prefix=WITH
// WITH: error: expected vector.transfer_read at accesses.mlir:[[# @LINE + 4]]:8 to stay inside dimension 0 of its tensor
func.func @masked_transfer(%t: tensor<?xf32>, %i: index, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %on = vector.create_mask %n : vector<4xi1>
  %x = vector.transfer_read %t[%i], %zero, %on {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
  %0 = vector.reduction <add>, %x : vector<4xf32> into f32
  return %0 : f32
}
