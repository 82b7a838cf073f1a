// Recursion that a default puts on gpu:0 has its signature there: what it passes,
// to itself too, stays, and only the entry point copies. The values are the
// host's.

// RUN: hetero-run --report %s --entry=simple --input=index=3 --input=4xf32=1 --rules="{default: 'gpu:0'}" > %t.gpu
// RUN: FileCheck %s --check-prefix=SIMPLE --input-file=%t.gpu
// RUN: hetero-run --report %s --entry=simple --input=index=3 --input=4xf32=1 --rules='default: cpu' | FileCheck %s --check-prefix=VALUE
// SIMPLE: 4xf32=8 8 8 8
// SIMPLE: copies: 2, 32 bytes
// VALUE: 4xf32=8 8 8 8

// RUN: hetero-run --report %s --entry=mutual --input=index=4 --input=4xf32=1 --rules="{default: 'gpu:0'}" | FileCheck %s --check-prefix=MUTUAL
// RUN: hetero-run --report %s --entry=mutual --input=index=4 --input=4xf32=1 --rules='default: cpu' | FileCheck %s --check-prefix=MUTUAL-VALUE
// MUTUAL: 4xf32=7 7 7 7
// MUTUAL: copies: 2, 32 bytes
// MUTUAL-VALUE: 4xf32=7 7 7 7

func.func private @f(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %h = arith.addf %x, %x : tensor<4xf32>
    %s = func.call @f(%m, %h) : (index, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func @simple(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f(%n, %x) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func private @even(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %h = arith.addf %x, %x : tensor<4xf32>
    %s = func.call @odd(%m, %h) : (index, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func private @odd(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %h = arith.addf %x, %one : tensor<4xf32>
    %s = func.call @even(%m, %h) : (index, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// 1, 2, 3, 6, 7.
func.func @mutual(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @even(%n, %x) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
