// Views of dynamic size may end a region: what comes after it, on the same
// device or another, gets the right elements, and sizes that do not fit are
// errors with a place.

// DEFINE: %{entry} =
// DEFINE: %{args} =
// DEFINE: %{run} = hetero-run %s --entry=%{entry} %{args} --rules

// Two regions of one device with a host operation between them.
// REDEFINE: %{entry} = two_regions
// REDEFINE: %{args} = --input=6xf32=1 --input=index=4 --expected=4xf32=9.389056
// RUN: %{run}='default: cpu' && %{run}='default: auto'
// RUN: %{run}='{rules: [{op: math.exp, device: cpu}], default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: math.exp, device: "gpu:0"}], default: cpu}'
// RUN: not hetero-run %s --entry=two_regions --input=6xf32=1 --input=index=7 2>&1 | FileCheck %s --check-prefix=SLICE
// SLICE: error: expected tensor.extract_slice at views.mlir:[[# @LINE + 4]]:8 to stay inside dimension 0 of its tensor; pass offsets and sizes that fit
func.func @two_regions(%x: tensor<?xf32>, %h: index) -> tensor<?xf32> {
  %e = tensor.empty(%h) : tensor<?xf32>
  %a = arith.addf %x, %x : tensor<?xf32>
  %r = tensor.extract_slice %a[0] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %c = math.exp %r : tensor<?xf32>
  %n = linalg.add ins(%r, %c : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %n : tensor<?xf32>
}

// An expansion whose size is an argument.
// REDEFINE: %{entry} = expand
// REDEFINE: %{args} = --input=6xf32=iota --input=index=3 --expected=3x2xf32=0,1,2,3,4,5
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: tensor.expand_shape, device: cpu}], default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: tensor.expand_shape, device: "gpu:0"}], default: cpu}'
// RUN: not hetero-run %s --entry=expand --input=7xf32=1 --input=index=3 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not hetero-run %s --entry=expand --input=6xf32=1 --input=index=-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// EXPAND: error: expected the sizes of tensor.expand_shape at views.mlir:[[# @LINE + 3]]:8 to make up dimension 0 of its operand; pass sizes whose product fits
// NEGATIVE: error: expected size 0 of tensor.expand_shape at views.mlir:[[# @LINE + 2]]:8 to be 0 or more; pass another one
func.func @expand(%x: tensor<?xf32>, %h: index) -> tensor<?x2xf32> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%h, 2] : tensor<?xf32> into tensor<?x2xf32>
  %n = math.absf %r : tensor<?x2xf32>
  return %n : tensor<?x2xf32>
}

// A collapse, of which the dimension is asked for.
// REDEFINE: %{entry} = collapse
// REDEFINE: %{args} = --input=3x2xf32=iota --expected=6xf32=6,7,8,9,10,11
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: tensor.collapse_shape, device: cpu}], default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: tensor.collapse_shape, device: "gpu:0"}], default: cpu}'
func.func @collapse(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = math.absf %x : tensor<?x?xf32>
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  %i = arith.index_cast %d : index to i32
  %f = arith.sitofp %i : i32 to f32
  %s = tensor.splat %f[%d] : tensor<?xf32>
  %n = arith.addf %r, %s : tensor<?xf32>
  return %n : tensor<?xf32>
}

// A product with the valid part of a larger tensor, and sums of its rows.
// REDEFINE: %{entry} = product
// REDEFINE: %{args} = --input=160x160xf32=1 --input=3x64xf32=2 --input=3x64xf32=1 --input=index=3 --expected=3x64xf32=7
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: linalg.matmul, device: "gpu:0"}], default: cpu}'
func.func @product(%x: tensor<160x160xf32>, %b: tensor<?x64xf32>, %init: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  %s = tensor.extract_slice %x[0, 0] [%n, %n] [1, 1] : tensor<160x160xf32> to tensor<?x?xf32>
  %r = linalg.matmul ins(%s, %b : tensor<?x?xf32>, tensor<?x64xf32>) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// REDEFINE: %{entry} = sums
// REDEFINE: %{args} = --input=160x160xf32=1 --input=3xf32=1 --input=index=3 --expected=3xf32=4
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: linalg.reduce, device: "gpu:0"}], default: cpu}'
func.func @sums(%x: tensor<160x160xf32>, %init: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0, 0] [%n, %n] [1, 1] : tensor<160x160xf32> to tensor<?x?xf32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
}

// One operand is sliced outside of the loop, one inside.
// REDEFINE: %{entry} = loop
// REDEFINE: %{args} = --input=16xf32=iota --input=index=5 --expected=5xf32=3,5,7,9,11
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: linalg.add, device: "gpu:0"}], default: cpu}'
func.func @loop(%x: tensor<16xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %outside = tensor.extract_slice %x[0] [%n] [1] : tensor<16xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %e) -> tensor<?xf32> {
    %inside = tensor.extract_slice %x[%i] [%n] [1] : tensor<16xf32> to tensor<?xf32>
    %0 = linalg.add ins(%outside, %inside : tensor<?xf32>, tensor<?xf32>) outs(%acc : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A row without its dimension, in a branch.
// REDEFINE: %{entry} = row
// REDEFINE: %{args} = --input=3x4xf32=iota --input=index=2 --input=i1=1 --expected=4xf32=16,18,20,22
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: arith.addf, device: "gpu:0"}], default: cpu}'
func.func @row(%x: tensor<?x?xf32>, %i: index, %p: i1) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = scf.if %p -> tensor<?xf32> {
    %0 = tensor.extract_slice %x[%i, 0] [1, %d] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %0 = tensor.extract_slice %x[0, 0] [1, %d] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  %n = arith.addf %r, %r : tensor<?xf32>
  return %n : tensor<?xf32>
}

// A cast to a size that the tensor must have.
// REDEFINE: %{entry} = cast
// REDEFINE: %{args} = --input=8xf32=-2 --expected=8xf32=2
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=cast --input=7xf32=1 --rules='default: cpu' 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not hetero-run %s --entry=cast --input=7xf32=1 --rules='{default: "gpu:0"}' 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: error: expected dimension 0 in tensor.cast at views.mlir:[[# @LINE + 2]]:8 to be 8; pass a tensor whose size fits its type
func.func @cast(%x: tensor<?xf32>) -> tensor<8xf32> {
  %r = tensor.cast %x : tensor<?xf32> to tensor<8xf32>
  %n = math.absf %r : tensor<8xf32>
  return %n : tensor<8xf32>
}

// REDEFINE: %{entry} = reshape
// REDEFINE: %{args} = --input=8xf32=-2 --input=2xindex=2,4 --expected=2x4xf32=2
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=reshape --input=7xf32=1 --input=2xindex=2,4 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not hetero-run %s --entry=reshape --input=8xf32=1 --input=2xindex=-2,-4 2>&1 | FileCheck %s --check-prefix=SHAPE
// RESHAPE: error: expected tensor.reshape at views.mlir:[[# @LINE + 3]]:8 to keep the number of elements; pass a shape whose product fits
// SHAPE: error: expected size 0 of tensor.reshape at views.mlir:[[# @LINE + 2]]:8 to be 0 or more; pass another one
func.func @reshape(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %r = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %n = math.absf %r : tensor<?x?xf32>
  return %n : tensor<?x?xf32>
}

// Sizes may be computed as i64, as importers do.
// REDEFINE: %{entry} = reshape_i64
// REDEFINE: %{args} = --input=4x2xf32=-2 --expected=8x1xf32=2
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=reshape_i64 --input=4x3xf32=1 2>&1 | FileCheck %s --check-prefix=RESHAPE-I64
// RESHAPE-I64: error: expected tensor.reshape at views.mlir:[[# @LINE + 9]]:8 to keep the number of elements; pass a shape whose product fits
func.func @reshape_i64(%x: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = arith.index_cast %d : index to i64
  %m = arith.muli %n, %c2 : i64
  %s = tensor.from_elements %m, %c1 : tensor<2xi64>
  %r = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x1xf32>
  %y = math.absf %r : tensor<?x1xf32>
  return %y : tensor<?x1xf32>
}

// What is inserted must have the size of its place.
// REDEFINE: %{entry} = insert
// REDEFINE: %{args} = --input=3xf32=5 --input=6xf32=1 --input=index=3 --expected=6xf32=1,5,5,5,1,1
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=insert --input=2xf32=5 --input=6xf32=1 --input=index=3 2>&1 | FileCheck %s --check-prefix=INSERT
// INSERT: error: expected equal sizes in tensor.insert_slice at views.mlir:[[# @LINE + 2]]:8, but dimension 0 of operand 0 differs; pass tensors whose sizes match
func.func @insert(%x: tensor<?xf32>, %y: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %r = tensor.insert_slice %x into %y[1] [%n] [1] : tensor<?xf32> into tensor<6xf32>
  return %r : tensor<6xf32>
}

// RUN: not hetero-run %s --entry=empty --input=index=-1 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected size 0 of tensor.empty at views.mlir:[[# @LINE + 3]]:8 to be 0 or more; pass another one
func.func @empty(%n: index) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// One dimension becomes two, of which both are arguments.
// REDEFINE: %{entry} = expand_two
// REDEFINE: %{args} = --input=6x2xf32=iota --input=index=3 --input=index=2 --expected=3x2x2xf32=1,2,3,4,5,6,7,8,9,10,11,12
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: tensor.expand_shape, device: cpu}], default: "gpu:0"}'
// RUN: %{run}='{rules: [{op: tensor.expand_shape, device: "gpu:0"}], default: cpu}'
// RUN: not hetero-run %s --entry=expand_two --input=6x2xf32=1 --input=index=3 --input=index=3 2>&1 | FileCheck %s --check-prefix=EXPAND-TWO
// EXPAND-TWO: error: expected the sizes of tensor.expand_shape at views.mlir:[[# @LINE + 2]]:8 to make up dimension 0 of its operand
func.func @expand_two(%x: tensor<?x2xf32>, %n: index, %m: index) -> tensor<?x?x2xf32> {
  %r = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
  %c = arith.constant dense<1.0> : tensor<1xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %c : tensor<?x?x2xf32>, tensor<1xf32>) outs(%r : tensor<?x?x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?x2xf32>
  return %d : tensor<?x?x2xf32>
}

// The expansion of every second row, whose elements are apart.
// REDEFINE: %{entry} = expand_rows
// REDEFINE: %{args} = --input=8x2xf32=iota --input=index=2 --input=index=2 --expected=2x2x2xf32=0,1,4,5,8,9,12,13
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
func.func @expand_rows(%x: tensor<8x2xf32>, %n: index, %m: index) -> tensor<?x?x2xf32> {
  %nm = arith.muli %n, %m : index
  %s = tensor.extract_slice %x[0, 0] [%nm, 2] [2, 1] : tensor<8x2xf32> to tensor<?x2xf32>
  %r = tensor.expand_shape %s [[0, 1], [2]] output_shape [%n, %m, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
  %d = math.absf %r : tensor<?x?x2xf32>
  return %d : tensor<?x?x2xf32>
}

// Collapsed as a code generator would, and expanded again.
// REDEFINE: %{entry} = column
// REDEFINE: %{args} = --input=3x2xf32=iota --expected=6x1xf32=0,1,2,3,4,5 --expected=3x2xf32=0,1,2,3,4,5
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
func.func @column(%x: tensor<?x?xf32>) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = math.absf %x : tensor<?x?xf32>
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %m = arith.muli %d0, %d1 : index
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%m, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %e, %a : tensor<?x1xf32>, tensor<?x?xf32>
}

// What is copied is contiguous, and its type cannot say so.
// REDEFINE: %{entry} = expand_and_return
// REDEFINE: %{args} = --input=2x4xf32=1 --input=index=1 --expected=2x1x4xf32=2 --expected=2x4xf32=2
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
func.func @expand_and_return(%x: tensor<2x?xf32>, %n: index) -> (tensor<?x?x4xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (tensor<2x?xf32>) {
    %s = arith.addf %v, %x : tensor<2x?xf32>
    scf.yield %s : tensor<2x?xf32>
  }
  %b = tensor.cast %a : tensor<2x?xf32> to tensor<?x?xf32>
  %r = tensor.expand_shape %b [[0], [1, 2]] output_shape [%c2, %n, 4] : tensor<?x?xf32> into tensor<?x?x4xf32>
  return %r, %b : tensor<?x?x4xf32>, tensor<?x?xf32>
}

// The same on the way from one device to another.
// REDEFINE: %{entry} = expand_and_copy
// REDEFINE: %{args} = --input=6x4xf32=-1 --input=index=2 --expected=3x2x4xf32=1
// RUN: %{run}='{default: "gpu:0"}'
func.func @expand_and_copy(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = math.absf %x : tensor<?x?xf32>
  %r = tensor.expand_shape %a [[0, 1], [2]] output_shape [%c3, %n, %d] : tensor<?x?xf32> into tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// What a branch takes of a tensor outlives the branch, and so does the tensor.
// REDEFINE: %{entry} = branch
// REDEFINE: %{args} = --input=3x2xf32=iota --input=index=2 --input=i1=0 --expected=2x2xf32=6,9,12,15
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
func.func @branch(%x: tensor<?x?xf32>, %n: index, %p: i1) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.if %p -> (tensor<?x?xf32>) {
    scf.yield %x : tensor<?x?xf32>
  } else {
    %0 = tensor.extract_slice %x[1, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> (tensor<?x?xf32>) {
    %0 = arith.addf %acc, %a : tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  }
  return %b : tensor<?x?xf32>
}

// What a branch makes is written to a part of another result of the branch, at
// a place that the branch computes.
// REDEFINE: %{entry} = insert_own
// REDEFINE: %{args} = --input=2xf32=1 --input=4xf32=5 --input=i1=1 --expected=4xf32=5,2,2,5
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
func.func @insert_own(%x: tensor<?xf32>, %y: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r:3 = scf.if %p -> (tensor<?xf32>, tensor<?xf32>, index) {
    %0 = arith.addf %x, %x : tensor<?xf32>
    %1 = math.absf %y : tensor<?xf32>
    scf.yield %0, %1, %c1 : tensor<?xf32>, tensor<?xf32>, index
  } else {
    %0 = arith.negf %x : tensor<?xf32>
    scf.yield %0, %y, %c0 : tensor<?xf32>, tensor<?xf32>, index
  }
  %i = tensor.insert_slice %r#0 into %r#1[%r#2] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %i : tensor<?xf32>
}
