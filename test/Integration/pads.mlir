// Pads whose amounts the types do not tell, and amounts that cannot be.

// DEFINE: %{entry} =
// DEFINE: %{args} =
// DEFINE: %{run} = hetero-run %s --entry=%{entry} %{args} --rules

// The amount is a constant operand.
// REDEFINE: %{entry} = constant
// REDEFINE: %{args} = --input=4xf32=1 --expected=6xf32=0,0,1,1,1,1
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
func.func @constant(%x: tensor<4xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : index
  %r = tensor.pad %x low[%two] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// The size of what is padded is known, and its type does not say so.
// REDEFINE: %{entry} = cast
// REDEFINE: %{args} = --input=4xf32=1 --expected=6xf32=0,1,1,1,1,0
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
func.func @cast(%x: tensor<4xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %r = tensor.pad %c low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// Each place around the source has a value of its own, for which the body needs
// what is outside of it.
// REDEFINE: %{entry} = indices
// REDEFINE: %{args} = --input=1x2xf32=-1 --input=index=1 --expected=2x4xf32=0,1,2,3,10,-1,-1,13
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
func.func @indices(%x: tensor<1x?xf32>, %n: index) -> tensor<2x?xf32> {
  %ten = arith.constant 10 : index
  %r = tensor.pad %x low[1, %n] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %0 = arith.muli %i, %ten : index
    %1 = arith.addi %0, %j : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    tensor.yield %3 : f32
  } : tensor<1x?xf32> to tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// Amounts may be zero, and not less.
// REDEFINE: %{entry} = dynamic
// REDEFINE: %{args} = --input=2xf32=1 --input=index=0 --input=index=1 --expected=3xf32=1,1,9
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=dynamic --input=2xf32=1 --input=index=-1 --input=index=1 --rules='default: cpu' 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not hetero-run %s --entry=dynamic --input=2xf32=1 --input=index=-1 --input=index=1 --rules='{default: "gpu:0"}' 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not hetero-run %s --entry=dynamic --input=2xf32=1 --input=index=1 --input=index=-1 2>&1 | FileCheck %s --check-prefix=HIGH
// LOW: error: expected low padding 0 of tensor.pad at pads.mlir:[[# @LINE + 4]]:8 to be 0 or more; pass another one
// HIGH: error: expected high padding 0 of tensor.pad at pads.mlir:[[# @LINE + 3]]:8 to be 0 or more; pass another one
func.func @dynamic(%x: tensor<?xf32>, %l: index, %h: index) -> tensor<?xf32> {
  %nine = arith.constant 9.0 : f32
  %r = tensor.pad %x low[%l] high[%h] {
  ^bb0(%i: index):
    tensor.yield %nine : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// RUN: not hetero-run %s --entry=negative --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: expected low padding 0 of tensor.pad at pads.mlir:[[# @LINE + 3]]:8 to be 0 or more; pass another one
func.func @negative(%x: tensor<4xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[-1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// The result's type knows more than the operands.
// REDEFINE: %{entry} = result
// REDEFINE: %{args} = --input=4xf32=1 --input=index=2 --expected=6xf32=0,0,1,1,1,1
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=result --input=4xf32=1 --input=index=1 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: error: expected dimension 0 of the result of tensor.pad at pads.mlir:[[# @LINE + 3]]:8 to be 6; pass a tensor whose size fits its type
func.func @result(%x: tensor<?xf32>, %l: index) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[%l] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

// What is put together must be as large in the other dimensions.
// REDEFINE: %{entry} = concat
// REDEFINE: %{args} = --input=2x2xf32=1 --input=1x2xf32=9 --expected=3x2xf32=1,1,1,1,9,9
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
// RUN: not hetero-run %s --entry=concat --input=2x2xf32=1 --input=1x1xf32=9 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: error: expected equal sizes in tensor.concat at pads.mlir:[[# @LINE + 2]]:8, but dimension 1 of operand 1 differs; pass tensors whose sizes match
func.func @concat(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Parts without elements add none.
// REDEFINE: %{entry} = nothing
// REDEFINE: %{args} = --input=2x3xf32=1 --expected=2x3xf32=1 --expected=2x3xf32=1
// RUN: %{run}='default: cpu' && %{run}='{default: "gpu:0"}'
func.func @nothing(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<2x?xf32>) {
  %e = tensor.empty() : tensor<0x3xf32>
  %a = tensor.concat dim(0) %e, %x, %e : (tensor<0x3xf32>, tensor<?x3xf32>, tensor<0x3xf32>) -> tensor<?x3xf32>
  %f = tensor.empty() : tensor<2x0xf32>
  %y = tensor.cast %x : tensor<?x3xf32> to tensor<2x?xf32>
  %b = tensor.concat dim(1) %f, %y, %f : (tensor<2x0xf32>, tensor<2x?xf32>, tensor<2x0xf32>) -> tensor<2x?xf32>
  return %a, %b : tensor<?x3xf32>, tensor<2x?xf32>
}

// RUN: hetero-run %s --entry=no_columns --input=2x0xf32=0 --rules='default: cpu' | FileCheck %s --check-prefix=NO-COLUMNS
// RUN: hetero-run %s --entry=no_columns --input=2x0xf32=0 --rules='{default: "gpu:0"}' | FileCheck %s --check-prefix=NO-COLUMNS
// NO-COLUMNS: tensor<4x0xf32>
// NO-COLUMNS: tensor<2x0xf32>
// NO-COLUMNS: tensor<2x1x0xf32>
func.func @no_columns(%x: tensor<?x0xf32>) -> (tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x1x0xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x0xf32>
  %a = tensor.concat dim(0) %x, %x : (tensor<?x0xf32>, tensor<?x0xf32>) -> tensor<?x0xf32>
  %b = tensor.concat dim(1) %x, %x : (tensor<?x0xf32>, tensor<?x0xf32>) -> tensor<?x0xf32>
  %c = tensor.expand_shape %b [[0], [1, 2]] output_shape [%n, 1, 0] : tensor<?x0xf32> into tensor<?x1x0xf32>
  return %a, %b, %c : tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x1x0xf32>
}

// A scalar becomes the first of several elements, or one in a matrix.
// REDEFINE: %{entry} = scalar
// REDEFINE: %{args} = --input=7xf32=2 --expected=5xf32=14,0,0,0,0 --expected=2x3xf32=0,14,0,0,0,0
// RUN: %{run}='default: cpu' && %{run}='default: auto' && %{run}='{default: "gpu:0"}'
func.func @scalar(%x: tensor<7xf32>) -> (tensor<5xf32>, tensor<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<7xf32>) outs(%start : tensor<f32>) dimensions = [0]
  %row = tensor.expand_shape %sum [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %r = tensor.pad %row low[0] high[4] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<1xf32> to tensor<5xf32>
  %one = tensor.expand_shape %sum [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %m = tensor.pad %one low[0, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1x1xf32> to tensor<2x3xf32>
  return %r, %m : tensor<5xf32>, tensor<2x3xf32>
}
