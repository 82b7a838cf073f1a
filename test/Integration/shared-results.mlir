// Results that are one buffer are released once each: the caller gets a copy of
// what it has already.
// RUN: hetero-run %s --entry=same --input=4xf32=-1 --expected=4xf32=1 --expected=4xf32=1 --report | FileCheck %s
// RUN: hetero-run %s --entry=view --input=4xf32=-1 --expected=4xf32=1 --expected=2x2xf32=1 --report | FileCheck %s
// RUN: hetero-run %s --entry=loop --input=4xf32=1 --input=index=0 --expected=4xf32=1 --expected=4xf32=1 --report | FileCheck %s
// RUN: hetero-run %s --entry=loop --input=4xf32=1 --input=index=2 --expected=4xf32=4 --expected=4xf32=4 --report | FileCheck %s
// RUN: hetero-run %s --entry=branch --input=4xf32=-1 --input=i1=0 --expected=4xf32=1 --expected=4xf32=1 --expected=4xf32=1 --report | FileCheck %s
// RUN: hetero-run %s --entry=branch --input=4xf32=-1 --input=i1=1 --expected=4xf32=-1 --expected=4xf32=1 --expected=4xf32=-1 --report | FileCheck %s
// RUN: hetero-run %s --entry=device --input=4xf32=-1 --expected=4xf32=1 --expected=4xf32=1 --report | FileCheck %s
// CHECK: as expected
// CHECK-NOT: only the end of a call freed

#gpu = #hetero.device<gpu:0>

func.func @same(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

func.func @view(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}

func.func @loop(%a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @branch(%a: tensor<4xf32>, %p: i1) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.if %p -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = linalg.negf ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %0, %0 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %0, %r#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @device(%a: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu}, tensor<4xf32> {hetero.device = #gpu}) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.abs {hetero.device = #gpu} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}
