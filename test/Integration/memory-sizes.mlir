// Parts of memory that are not there, and memory of sizes that do not fit, are
// errors with a place.

// DEFINE: %{entry} = none
// DEFINE: %{run} = hetero-run %s --entry=%{entry}

// REDEFINE: %{entry} = part
// RUN: %{run} --input=index=6 --input=index=2 --input=index=4 --expected=f32=4
// RUN: %{run} --input=index=6 --input=index=6 --input=index=0 --expected=f32=0
// RUN: not %{run} --input=index=6 --input=index=3 --input=index=4 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %{run} --input=index=6 --input=index=-1 --input=index=4 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %{run} --input=index=6 --input=index=3 --input=index=-1 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=index=6 --input=index=3 --input=index=4 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: expected memref.subview at memory-sizes.mlir:[[# @LINE + 4]]:8 to stay inside dimension 0 of its memory; pass offsets and sizes that fit
func.func @part(%n: index, %i: index, %k: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  %v = memref.subview %m[%i] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  linalg.fill ins(%one : f32) outs(%v : memref<?xf32, strided<[1], offset: ?>>)
  %s = memref.alloc() : memref<f32>
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %s[] : memref<f32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%v : memref<?xf32, strided<[1], offset: ?>>) outs(%s : memref<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  %r = memref.load %s[] : memref<f32>
  return %r : f32
}

// REDEFINE: %{entry} = copy
// RUN: %{run} --input=index=5 --input=index=5 --expected=f32=3
// RUN: not %{run} --input=index=5 --input=index=6 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not %{run} --input=index=6 --input=index=5 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: error: expected equal sizes in memref.copy at memory-sizes.mlir:[[# @LINE + 7]]:3, but dimension 0 of operand 1 differs; pass memory whose sizes match
func.func @copy(%n: index, %k: index) -> f32 {
  %c4 = arith.constant 4 : index
  %three = arith.constant 3.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%three : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %r = memref.load %b[%c4] : memref<?xf32>
  return %r : f32
}

// Operations on memory, as on tensors.
// REDEFINE: %{entry} = sum
// RUN: %{run} --input=index=5 --input=index=5 --expected=f32=6
// RUN: not %{run} --input=index=5 --input=index=6 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: error: expected equal sizes in linalg.add at memory-sizes.mlir:[[# @LINE + 8]]:3, but dimension 0 of operand {{[12]}} differs; pass memory whose sizes match
func.func @sum(%n: index, %k: index) -> f32 {
  %c4 = arith.constant 4 : index
  %three = arith.constant 3.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%three : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%three : f32) outs(%b : memref<?xf32>)
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  %r = memref.load %b[%c4] : memref<?xf32>
  return %r : f32
}

// REDEFINE: %{entry} = cast
// RUN: %{run} --input=index=4 --expected=f32=2
// RUN: not %{run} --input=index=3 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: error: expected dimension 0 in memref.cast at memory-sizes.mlir:[[# @LINE + 5]]:8 to be 4; pass memory whose size fits its type
func.func @cast(%n: index) -> f32 {
  %c3 = arith.constant 3 : index
  %two = arith.constant 2.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  %s = memref.cast %m : memref<?xf32> to memref<4xf32>
  memref.store %two, %s[%c3] : memref<4xf32>
  %r = memref.load %m[%c3] : memref<?xf32>
  return %r : f32
}

// REDEFINE: %{entry} = view
// RUN: %{run} --input=index=4 --input=index=3 --expected=f32=2
// RUN: not %{run} --input=index=4 --input=index=4 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: not %{run} --input=index=-4 --input=index=1 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: expected memref.view at memory-sizes.mlir:[[# @LINE + 6]]:8 to stay inside its memory; pass a shift and sizes that fit
func.func @view(%shift: index, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %two = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<16xi8>
  %v = memref.view %m[%shift][%n] : memref<16xi8> to memref<?xf32>
  memref.store %two, %v[%last] : memref<?xf32>
  %r = memref.load %v[%last] : memref<?xf32>
  return %r : f32
}

// REDEFINE: %{entry} = expand
// RUN: %{run} --input=index=6 --input=index=3 --expected=f32=2
// RUN: not %{run} --input=index=6 --input=index=4 2>&1 | FileCheck %s --check-prefix=EXPAND
// EXPAND: error: expected the sizes of memref.expand_shape at memory-sizes.mlir:[[# @LINE + 6]]:8 to make up dimension 0 of its operand; pass sizes whose product fits
func.func @expand(%n: index, %k: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  %e = memref.expand_shape %m [[0, 1]] output_shape [%k, 2] : memref<?xf32> into memref<?x2xf32>
  memref.store %two, %e[%c2, %c1] : memref<?x2xf32>
  %r = memref.load %e[%c2, %c1] : memref<?x2xf32>
  return %r : f32
}

// REDEFINE: %{entry} = reshape
// RUN: %{run} --input=index=6 --input=index=3 --input=index=2 --expected=f32=2
// RUN: not %{run} --input=index=6 --input=index=3 --input=index=3 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RESHAPE: error: expected memref.reshape at memory-sizes.mlir:[[# @LINE + 9]]:8 to keep the number of elements; pass a shape whose product fits
func.func @reshape(%n: index, %i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  %s = memref.alloc() : memref<2xindex>
  memref.store %i, %s[%c0] : memref<2xindex>
  memref.store %j, %s[%c1] : memref<2xindex>
  %v = memref.reshape %m(%s) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  memref.store %two, %v[%c1, %c1] : memref<?x?xf32>
  %r = memref.load %v[%c1, %c1] : memref<?x?xf32>
  return %r : f32
}

// REDEFINE: %{entry} = alloc
// RUN: %{run} --input=index=0 --expected=index=0
// RUN: not %{run} --input=index=-1 2>&1 | FileCheck %s --check-prefix=ALLOC
// ALLOC: error: expected dynamic size 0 of memref.alloc at memory-sizes.mlir:[[# @LINE + 3]]:8 to be 0 or more; pass another one
func.func @alloc(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %r = memref.dim %m, %c0 : memref<?xf32>
  return %r : index
}

// A dimension is cut into tiles that have elements, and that hold it.
// REDEFINE: %{entry} = pack
// RUN: %{run} --input=6xf32=iota --input=index=2 --input=index=3 --expected=2x3xf32=iota
// RUN: %{run} --rules='{default: "gpu:0"}' --input=6xf32=iota --input=index=2 --input=index=3 --expected=2x3xf32=iota
// RUN: not %{run} --input=6xf32=iota --input=index=2 --input=index=0 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=6xf32=iota --input=index=2 --input=index=0 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %{run} --input=6xf32=iota --input=index=2 --input=index=4 2>&1 | FileCheck %s --check-prefix=TILES
// TILE: error: expected tile 0 of linalg.pack at memory-sizes.mlir:[[# @LINE + 4]]:8 to be 1 or more; pass another one
// TILES: error: expected the tiles of linalg.pack at memory-sizes.mlir:[[# @LINE + 3]]:8 to make up dimension 0 of what is not packed; pass tensors whose sizes fit
func.func @pack(%t: tensor<?xf32>, %n: index, %tile: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%n, %tile) : tensor<?x?xf32>
  %0 = linalg.pack %t inner_dims_pos = [0] inner_tiles = [%tile] into %e : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// REDEFINE: %{entry} = unpack
// RUN: %{run} --input=2x3xf32=iota --input=index=3 --input=index=5 --expected=5xf32=iota
// RUN: not %{run} --input=2x3xf32=iota --input=index=0 --input=index=5 2>&1 | FileCheck %s --check-prefix=UNTILE
// RUN: not %{run} --input=2x3xf32=iota --input=index=2 --input=index=4 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %{run} --input=2x3xf32=iota --input=index=3 --input=index=7 2>&1 | FileCheck %s --check-prefix=UNTILES
// UNTILE: error: expected tile 0 of linalg.unpack at memory-sizes.mlir:[[# @LINE + 5]]:8 to be 1 or more; pass another one
// OTHER: error: expected tile 0 of linalg.unpack at memory-sizes.mlir:[[# @LINE + 4]]:8 to be the last dimension that the packed tensor has for it; pass a tile that fits
// UNTILES: error: expected the tiles of linalg.unpack at memory-sizes.mlir:[[# @LINE + 3]]:8 to make up dimension 0 of what is not packed; pass tensors whose sizes fit
func.func @unpack(%t: tensor<?x?xf32>, %tile: index, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [%tile] into %e : tensor<?x?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
