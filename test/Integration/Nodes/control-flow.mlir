// Control flow over two nodes: numbers that decide it are sent where they are
// needed, once each time they are defined.

// RUN: rm -rf %t && mkdir %t
// RUN: sed "s/, node = 1//" %s > %t/alone.mlir

// A loop whose steps alternate between the nodes.
// RUN: hetero-run %t/alone.mlir --entry=loop --input=6xf32=iota --input=index=5 --output=%t/loop.npy
// RUN: hetero-run %s --entry=loop --nodes=in-process --node-seed=3 --input=6xf32=iota --input=index=5 --expected=@%t/loop.npy --report | FileCheck %s --check-prefix=LOOP
// RUN: hetero-run %s --entry=loop --nodes=in-process --input=6xf32=iota --input=index=0 --expected=6xf32=iota
// LOOP: 1 result(s) as expected
// Ten tensors and the bound.
// LOOP: nodes: 2, between them 248 bytes in 11 transfers

// A branch whose condition the other node computes.
// RUN: hetero-run %t/alone.mlir --entry=branch --input=6xf32=iota --output=%t/branch.npy
// RUN: hetero-run %s --entry=branch --nodes=in-process --node-seed=4 --input=6xf32=iota --expected=@%t/branch.npy
// RUN: hetero-run %t/alone.mlir --entry=branch --input=6xf32=-1 --output=%t/other.npy
// RUN: hetero-run %s --entry=branch --nodes=in-process --node-seed=4 --input=6xf32=-1 --expected=@%t/other.npy

// A loop that ends when the other node says so.
// RUN: hetero-run %t/alone.mlir --entry=until --input=4xf32=1 --output=%t/until.npy
// RUN: hetero-run %s --entry=until --nodes=in-process --node-seed=5 --input=4xf32=1 --expected=@%t/until.npy

// Dynamic sizes.
// RUN: hetero-run %t/alone.mlir --entry=sizes --input=7x3xf32=random:2 --output=%t/sizes.npy
// RUN: hetero-run %s --entry=sizes --nodes=in-process --node-seed=6 --input=7x3xf32=random:2 --expected=@%t/sizes.npy
// RUN: hetero-run %s --entry=sizes --nodes=in-process --input=0x3xf32=1 --expected=0x3xf32=1

// Private functions that work on both.
// RUN: hetero-run %t/alone.mlir --entry=calls --input=5xf32=iota --output=%t/calls.npy
// RUN: hetero-run %s --entry=calls --nodes=in-process --node-seed=7 --input=5xf32=iota --expected=@%t/calls.npy

#host = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0, node = 1>

func.func @loop(%x: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<6xf32>
  %half = arith.constant dense<0.5> : tensor<6xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%it = %x) -> tensor<6xf32> {
    %y = arith.addf %it, %one {hetero.device = #gpu} : tensor<6xf32>
    %z = arith.mulf %y, %half {hetero.device = #host} : tensor<6xf32>
    scf.yield %z : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}

func.func @branch(%x: tensor<6xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 1.5 : f32
  %y = math.exp %x {hetero.device = #gpu} : tensor<6xf32>
  %first = tensor.extract %y[%c0] : tensor<6xf32>
  %is = arith.cmpf olt, %first, %limit : f32
  %r = scf.if %is -> tensor<6xf32> {
    %a = arith.addf %y, %x {hetero.device = #gpu} : tensor<6xf32>
    scf.yield %a : tensor<6xf32>
  } else {
    %b = arith.mulf %y, %y {hetero.device = #host} : tensor<6xf32>
    scf.yield %b : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}

func.func @until(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 100.0 : f32
  %r = scf.while (%it = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %y = arith.addf %it, %it {hetero.device = #gpu} : tensor<4xf32>
    %first = tensor.extract %y[%c0] : tensor<4xf32>
    %goes = arith.cmpf olt, %first, %limit : f32
    scf.condition(%goes) %y : tensor<4xf32>
  } do {
  ^bb0(%it: tensor<4xf32>):
    %z = arith.addf %it, %it {hetero.device = #host} : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func @sizes(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = math.exp %x {hetero.device = #gpu} : tensor<?x3xf32>
  %z = arith.addf %y, %x {hetero.device = #host} : tensor<?x3xf32>
  %w = arith.mulf %z, %y {hetero.device = #gpu} : tensor<?x3xf32>
  return %w : tensor<?x3xf32>
}

func.func private @step(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = math.exp %x {hetero.device = #gpu} : tensor<5xf32>
  %z = arith.addf %y, %x {hetero.device = #host} : tensor<5xf32>
  return %z : tensor<5xf32>
}

func.func @calls(%x: tensor<5xf32>) -> tensor<5xf32> {
  %half = arith.constant dense<0.125> : tensor<5xf32>
  %y = call @step(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %z = arith.mulf %y, %half {hetero.device = #gpu} : tensor<5xf32>
  %w = call @step(%z) : (tensor<5xf32>) -> tensor<5xf32>
  return %w : tensor<5xf32>
}
