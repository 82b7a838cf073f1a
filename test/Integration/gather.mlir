// Gathers, scatters, and bodies that read elements of other tensors run on every
// device; an index that is not there is an error with a place.

// DEFINE: %{run} = hetero-run %s --entry
// DEFINE: %{cpu} = --rules='default: cpu'
// DEFINE: %{gpu} = --rules='{default: "gpu:0"}'

// RUN: %{run}=rows %{cpu} --input=10x4xf32=iota --input=3x1xindex=7,0,9 --expected=3x4xf32=28,29,30,31,0,1,2,3,36,37,38,39
// RUN: %{run}=rows %{gpu} --input=10x4xf32=iota --input=3x1xindex=7,0,9 --expected=3x4xf32=28,29,30,31,0,1,2,3,36,37,38,39
// RUN: %{run}=rows --input=10x4xf32=iota --input=3x1xindex=7,0,9 --expected=3x4xf32=28,29,30,31,0,1,2,3,36,37,38,39
// RUN: not %{run}=rows %{cpu} --input=10x4xf32=iota --input=3x1xindex=7,10,9 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not %{run}=rows %{gpu} --input=10x4xf32=iota --input=3x1xindex=7,-1,9 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: expected index 0 of tensor.gather at gather.mlir:[[# @LINE + 2]]:8 to stay inside dimension 0 of its tensor; pass indices that fit
func.func @rows(%t: tensor<10x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<10x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Two dimensions, kept as units, of dynamic sizes, by places of i32.
// RUN: %{run}=points %{cpu} --input=2x3x4xf32=iota --input=2x2xi32=1,3,0,2 --expected=2x1x3x1xf32=15,19,23,2,6,10
// RUN: %{run}=points %{gpu} --input=2x3x4xf32=iota --input=2x2xi32=1,3,0,2 --expected=2x1x3x1xf32=15,19,23,2,6,10
// RUN: %{run}=points --input=2x3x4xf32=iota --input=2x2xi32=1,3,0,2 --expected=2x1x3x1xf32=15,19,23,2,6,10
// RUN: not %{run}=points %{gpu} --input=2x3x4xf32=iota --input=2x2xi32=1,4,0,2 2>&1 | FileCheck %s --check-prefix=POINTS
// POINTS: expected index 2 of tensor.gather at
func.func @points(%t: tensor<?x3x?xf32>, %i: tensor<?x2xi32>) -> tensor<?x1x3x1xf32> {
  %0 = tensor.gather %t[%i] gather_dims([0, 2]) : (tensor<?x3x?xf32>, tensor<?x2xi32>) -> tensor<?x1x3x1xf32>
  return %0 : tensor<?x1x3x1xf32>
}

// RUN: %{run}=scatter %{cpu} --input=3x4xf32=iota --input=10x4xf32=9 --input=3x1xi64=7,0,9 --expected=10x4xf32=4,5,6,7,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,0,1,2,3,9,9,9,9,8,9,10,11
// RUN: %{run}=scatter %{gpu} --input=3x4xf32=iota --input=10x4xf32=9 --input=3x1xi64=7,0,9 --expected=10x4xf32=4,5,6,7,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,0,1,2,3,9,9,9,9,8,9,10,11
// RUN: %{run}=scatter --input=3x4xf32=iota --input=10x4xf32=9 --input=3x1xi64=7,0,9 --expected=10x4xf32=4,5,6,7,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,0,1,2,3,9,9,9,9,8,9,10,11
// RUN: not %{run}=scatter --input=3x4xf32=iota --input=10x4xf32=9 --input=3x1xi64=7,0,10 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: expected tensor.scatter at gather.mlir:[[# @LINE + 2]]:8 to stay inside dimension 0
func.func @scatter(%s: tensor<3x4xf32>, %t: tensor<10x4xf32>, %i: tensor<3x1xi64>) -> tensor<10x4xf32> {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<3x4xf32>, tensor<10x4xf32>, tensor<3x1xi64>) -> tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}

// RUN: %{run}=scatter_points --input=2x1x3x1xf32=iota --input=2x3x4xf32=9 --input=2x2xi32=1,3,0,2 --expected=2x3x4xf32=9,9,3,9,9,9,4,9,9,9,5,9,9,9,9,0,9,9,9,1,9,9,9,2
func.func @scatter_points(%s: tensor<?x1x3x1xf32>, %t: tensor<?x3x?xf32>, %i: tensor<?x2xi32>) -> tensor<?x3x?xf32> {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0, 2]) unique : (tensor<?x1x3x1xf32>, tensor<?x3x?xf32>, tensor<?x2xi32>) -> tensor<?x3x?xf32>
  return %0 : tensor<?x3x?xf32>
}

// An embedding as torch makes it, with an assertion of its own in the body.
// RUN: %{run}=embedding %{cpu} --input=5x2xf32=iota --input=2x2xi64=4,0,1,1 --expected=2x2x2xf32=8,9,0,1,2,3,2,3
// RUN: %{run}=embedding %{gpu} --input=5x2xf32=iota --input=2x2xi64=4,0,1,1 --expected=2x2x2xf32=8,9,0,1,2,3,2,3 --report | FileCheck %s --check-prefix=KERNEL
// RUN: %{run}=embedding --input=5x2xf32=iota --input=2x2xi64=4,0,1,1 --expected=2x2x2xf32=8,9,0,1,2,3,2,3
// RUN: not %{run}=embedding %{cpu} --input=5x2xf32=iota --input=2x2xi64=4,0,-1,1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %{run}=embedding %{gpu} --input=5x2xf32=iota --input=2x2xi64=4,0,-1,1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %{run}=embedding %{cpu} --input=5x2xf32=iota --input=2x2xi64=4,0,5,1 2>&1 | FileCheck %s --check-prefix=EMBEDDING
// RUN: not %{run}=embedding %{gpu} --input=5x2xf32=iota --input=2x2xi64=4,0,5,1 2>&1 | FileCheck %s --check-prefix=EMBEDDING
// KERNEL: gpu:0 kernel
// NEGATIVE: the index is negative
// EMBEDDING: expected index 0 of tensor.extract at gather.mlir:[[# @LINE + 14]]:10 to stay inside
func.func @embedding(%t: tensor<?x2xf32>, %i: tensor<?x?xi64>) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %m = tensor.dim %i, %c0 : tensor<?x?xi64>
  %n = tensor.dim %i, %c1 : tensor<?x?xi64>
  %e = tensor.empty(%m, %n) : tensor<?x?x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%i : tensor<?x?xi64>) outs(%e : tensor<?x?x2xf32>) {
  ^bb0(%place: i64, %out: f32):
    %1 = arith.index_cast %place : i64 to index
    %2 = arith.cmpi sge, %place, %zero : i64
    cf.assert %2, "the index is negative"
    %3 = linalg.index 2 : index
    %4 = tensor.extract %t[%1, %3] : tensor<?x2xf32>
    linalg.yield %4 : f32
  } -> tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>
}

// What is proven is not checked: the code is the same with checks and without.
// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen" | FileCheck %s --check-prefix=PROVEN
// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen bounds-checks=false" | FileCheck %s --check-prefix=UNCHECKED
// RUN: %{run}=wrapped %{gpu} --input=4xf32=iota --input=3xi32=5,4,3 --expected=3xf32=1,0,3
// PROVEN-LABEL: func.func @wrapped
// PROVEN-NOT: cf.assert
// UNCHECKED-NOT: to stay inside
func.func @wrapped(%t: tensor<4xf32>, %i: tensor<3xi32>) -> tensor<3xf32> {
  %c4 = arith.constant 4 : i32
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3xf32>) {
  ^bb0(%in: i32, %out: f32):
    %1 = arith.remui %in, %c4 : i32
    %2 = arith.index_castui %1 : i32 to index
    %3 = tensor.extract %t[%2] : tensor<4xf32>
    linalg.yield %3 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
