// Parts of tensors that are not there are errors with a place, not accesses of
// other memory.

// DEFINE: %{run} = hetero-run %s --entry
// RUN: %{run}=slice --input=6xf32=iota --input=index=2 --expected=4xf32=4,6,8,10
// RUN: not %{run}=slice --input=6xf32=iota --input=index=3 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not %{run}=slice --input=6xf32=iota --input=index=9223372036854775807 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not %{run}=slice --input=6xf32=iota --input=index=-1 2>&1 | FileCheck %s --check-prefix=SLICE
// SLICE: error: expected tensor.extract_slice at bounds.mlir:[[# @LINE + 2]]:8 to stay inside dimension 0 of its tensor; pass offsets and sizes that fit
func.func @slice(%x: tensor<?xf32>, %o: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %x[%o] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %1 = arith.addf %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An empty part may begin at the end; strides count.
// RUN: %{run}=strided --input=6xf32=iota --input=index=1 --input=index=3 --expected=3xf32=1,3,5
// RUN: %{run}=strided --input=6xf32=iota --input=index=6 --input=index=0
// RUN: not %{run}=strided --input=6xf32=iota --input=index=2 --input=index=3 2>&1 | FileCheck %s --check-prefix=STRIDED
// RUN: not %{run}=strided --input=6xf32=iota --input=index=0 --input=index=-1 2>&1 | FileCheck %s --check-prefix=STRIDED
// STRIDED: error: expected tensor.extract_slice at bounds.mlir:[[# @LINE + 2]]:8 to stay inside
func.func @strided(%x: tensor<?xf32>, %o: index, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[%o] [%n] [2] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// RUN: %{run}=insert --input=6xf32=iota --input=4xf32=9 --input=index=2 --expected=6xf32=0,1,9,9,9,9
// RUN: not %{run}=insert --input=6xf32=iota --input=4xf32=9 --input=index=100000000 2>&1 | FileCheck %s --check-prefix=INSERT
// INSERT: error: expected tensor.insert_slice at bounds.mlir:[[# @LINE + 2]]:8 to stay inside dimension 0
func.func @insert(%x: tensor<?xf32>, %y: tensor<4xf32>, %o: index) -> tensor<?xf32> {
  %0 = tensor.insert_slice %y into %x[%o] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// RUN: %{run}=extract --input=2x3xf32=iota --input=index=2 --expected=f32=5
// RUN: not %{run}=extract --input=2x3xf32=iota --input=index=3 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not %{run}=extract --input=2x3xf32=iota --input=index=-1 2>&1 | FileCheck %s --check-prefix=EXTRACT
// EXTRACT: error: expected tensor.extract at bounds.mlir:[[# @LINE + 3]]:8 to stay inside dimension 1
func.func @extract(%x: tensor<2x?xf32>, %o: index) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %x[%c1, %o] : tensor<2x?xf32>
  return %0 : f32
}

// In a loop each iteration is checked, in a branch only what runs.
// RUN: %{run}=loop --input=6xf32=iota --input=index=5 --input=i1=0 --expected=f32=0
// RUN: %{run}=loop --input=6xf32=iota --input=index=6 --input=i1=1 --expected=f32=15
// RUN: not %{run}=loop --input=6xf32=iota --input=index=7 --input=i1=1 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: error: expected tensor.extract at bounds.mlir:[[# @LINE + 7]]:12 to stay inside dimension 0
func.func @loop(%x: tensor<?xf32>, %n: index, %p: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.if %p -> f32 {
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 {
      %2 = tensor.extract %x[%i] : tensor<?xf32>
      %3 = arith.addf %sum, %2 : f32
      scf.yield %3 : f32
    }
    scf.yield %1 : f32
  } else {
    scf.yield %zero : f32
  }
  return %0 : f32
}

// A dimension that is not there has no size, on any device.
// RUN: %{run}=dimension --input=5x7xf32=1 --input=index=1 --expected=index=7
// RUN: not %{run}=dimension --input=5x7xf32=1 --input=index=2 2>&1 | FileCheck %s --check-prefix=DIMENSION
// RUN: not %{run}=dimension --input=5x7xf32=1 --input=index=-1 2>&1 | FileCheck %s --check-prefix=DIMENSION
// RUN: not %{run}=dimension --rules='{default: "gpu:0"}' --input=5x7xf32=1 --input=index=2 2>&1 | FileCheck %s --check-prefix=DIMENSION
// DIMENSION: error: expected the dimension in tensor.dim at bounds.mlir:[[# @LINE + 2]]:8 to be below 2; pass one that the tensor has
func.func @dimension(%x: tensor<?x?xf32>, %i: index) -> index {
  %0 = tensor.dim %x, %i : tensor<?x?xf32>
  return %0 : index
}
