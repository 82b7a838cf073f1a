// Tensors of dynamic sizes that belong together are compared before the loops
// that rely on it.

// DEFINE: %{entry} = none
// DEFINE: %{run} = hetero-run %s --entry=%{entry}

// REDEFINE: %{entry} = sort
// RUN: %{run} --input=2x3xf32=3,1,2,6,5,4 --input=2x3xi64=0,1,2,0,1,2 --expected=2x3xf32=1,2,3,4,5,6 --expected=2x3xi64=1,2,0,2,1,0
// RUN: not %{run} --input=2x3xf32=3,1,2,6,5,4 --input=2x4xi64=0 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=2x3xf32=3,1,2,6,5,4 --input=2x2xi64=0 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: not %{run} --bounds-checks=true --input=2x4xf32=3 --input=2x3xi64=0 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: not %{run} --input=2x3xf32=3 --input=3x3xi64=0 2>&1 | FileCheck %s --check-prefix=ROWS
// SORT: error: expected equal sizes in tm_tensor.sort at tm-tensor-sizes.mlir:[[# @LINE + 3]]:10, but dimension 1 of operand 1 differs; pass tensors whose sizes match
// ROWS: error: expected equal sizes in tm_tensor.sort at tm-tensor-sizes.mlir:[[# @LINE + 2]]:10, but dimension 0 of operand 1 differs
func.func @sort(%x: tensor<?x?xf32>, %i: tensor<?x?xi64>) -> (tensor<?x?xf32>, tensor<?x?xi64>) {
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<?x?xf32>, tensor<?x?xi64>) {
  ^bb0(%a: f32, %b: f32, %ia: i64, %ib: i64):
    %p = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %p : i1
  } -> tensor<?x?xf32>, tensor<?x?xi64>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi64>
}

// In a branch, where it runs.
// REDEFINE: %{entry} = branch
// RUN: %{run} --input=3xf32=3,1,2 --input=4xf32=0 --input=i1=0 --expected=3xf32=3,1,2
// RUN: not %{run} --input=3xf32=3,1,2 --input=4xf32=0 --input=i1=1 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: error: expected equal sizes in tm_tensor.sort at tm-tensor-sizes.mlir:[[# @LINE + 3]]:12, but dimension 0 of operand 1 differs
func.func @branch(%x: tensor<?xf32>, %y: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %r = scf.if %p -> tensor<?xf32> {
    %0:2 = tm_tensor.sort dimension(0) outs(%x, %y : tensor<?xf32>, tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      %q = arith.cmpf ole, %a, %b : f32
      tm_tensor.yield %q : i1
    } -> tensor<?xf32>, tensor<?xf32>
    scf.yield %0#0 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// REDEFINE: %{entry} = topk
// RUN: %{run} --input=1x4xf32=3,1,4,2 --input=1x4xi32=0,1,2,3 --input=1x2xf32=-inf --input=1x2xi32=0 --expected=1x2xf32=4,3 --expected=1x2xi32=2,0
// RUN: not %{run} --input=1x4xf32=3,1,4,2 --input=1x3xi32=0 --input=1x2xf32=-inf --input=1x2xi32=0 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not %{run} --input=1x4xf32=3,1,4,2 --input=1x4xi32=0 --input=2x2xf32=-inf --input=2x2xi32=0 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not %{run} --input=1x4xf32=3,1,4,2 --input=1x4xi32=0 --input=1x2xf32=-inf --input=1x3xi32=0 2>&1 | FileCheck %s --check-prefix=PLACES
// INPUTS: error: expected equal sizes in tm_tensor.topk at tm-tensor-sizes.mlir:[[# @LINE + 4]]:10, but dimension 1 of operand 1 differs
// KEPT: error: expected equal sizes in tm_tensor.topk at tm-tensor-sizes.mlir:[[# @LINE + 3]]:10, but dimension 0 of operand 2 differs
// PLACES: error: expected equal sizes in tm_tensor.topk at tm-tensor-sizes.mlir:[[# @LINE + 2]]:10, but dimension 1 of operand 3 differs
func.func @topk(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %v: tensor<?x?xf32>, %p: tensor<?x?xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = tm_tensor.topk dimension(1) ins(%x, %i : tensor<?x?xf32>, tensor<?x?xi32>) outs(%v, %p : tensor<?x?xf32>, tensor<?x?xi32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %q : i1
  } -> tensor<?x?xf32>, tensor<?x?xi32>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

// REDEFINE: %{entry} = scatter
// RUN: %{run} --input=2xf32=5,7 --input=2x1xi32=1,3 --input=4xf32=0 --expected=4xf32=0,5,0,7
// RUN: not %{run} --input=3xf32=5 --input=2x1xi32=1,3 --input=4xf32=0 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not %{run} --input=1xf32=5 --input=2x1xi32=1,3 --input=4xf32=0 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: error: expected equal sizes in tm_tensor.scatter at tm-tensor-sizes.mlir:[[# @LINE + 2]]:8, but dimension 0 of operand 1 differs
func.func @scatter(%u: tensor<?xf32>, %i: tensor<?x1xi32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<?xf32>, tensor<?x1xi32>) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// REDEFINE: %{entry} = scan
// RUN: %{run} --input=4xi32=1,2,3,4 --input=4xi32=0 --input=i32=0 --expected=4xi32=1,3,6,10
// RUN: not %{run} --input=4xi32=1,2,3,4 --input=5xi32=0 --input=i32=0 2>&1 | FileCheck %s --check-prefix=SCAN
// SCAN: error: expected equal sizes in tm_tensor.scan at tm-tensor-sizes.mlir:[[# @LINE + 3]]:10, but dimension 0 of operand 1 differs
func.func @scan(%x: tensor<?xi32>, %y: tensor<?xi32>, %s: i32) -> tensor<?xi32> {
  %a = tensor.from_elements %s : tensor<i32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?xi32>) outs(%y, %a : tensor<?xi32>, tensor<i32>) {
  ^bb0(%b: i32, %n: i32):
    %t = arith.addi %b, %n : i32
    tm_tensor.yield %t : i32
  } -> tensor<?xi32>, tensor<i32>
  return %0#0 : tensor<?xi32>
}
