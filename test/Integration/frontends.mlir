// Affine loops, shapes, packs of dynamic tiles and transforms of Winograd run.

// DEFINE: %{run} = hetero-run %s --entry
// DEFINE: %{cpu} = --rules='default: cpu'
// DEFINE: %{gpu} = --rules='{default: "gpu:0"}'

// RUN: %{run}=loop %{cpu} --input=4xf32=2 --expected=4xf32=8
// RUN: %{run}=loop %{gpu} --input=4xf32=2 --expected=4xf32=8
// RUN: %{run}=loop --input=4xf32=2 --expected=4xf32=8
// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed" | FileCheck %s --check-prefix=LOOP
// LOOP-LABEL: func.func @loop
// LOOP: scf.for
// LOOP: linalg.generic
// LOOP-SAME: hetero.device = #hetero.device<gpu:0>
func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = affine.for %i = 0 to 3 iter_args(%t = %x) -> tensor<4xf32> {
    %1 = arith.addf %t, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// RUN: %{run}=branch %{cpu} --input=4xf32=2 --input=index=5 --expected=4xf32=4
// RUN: %{run}=branch %{gpu} --input=4xf32=2 --input=index=1 --expected=4xf32=2
// RUN: %{run}=branch --input=4xf32=2 --input=index=5 --expected=4xf32=4
func.func @branch(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) -> tensor<4xf32> {
    %1 = arith.addf %x, %x : tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  } else {
    affine.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// RUN: %{run}=shape %{cpu} --input=3x5xf32=2 --expected=index=15
// RUN: %{run}=shape %{gpu} --input=3x5xf32=2 --expected=index=15
// RUN: %{run}=shape --input=3x5xf32=2 --expected=index=15
func.func @shape(%a: tensor<?x5xf32>) -> index {
  %0 = shape.shape_of %a : tensor<?x5xf32> -> tensor<2xindex>
  %1 = shape.num_elements %0 : tensor<2xindex> -> index
  return %1 : index
}

// RUN: %{run}=pack %{cpu} --input=5x3xf32=iota --input=index=2 --expected=3x3x2xf32=0,3,1,4,2,5,6,9,7,10,8,11,12,-1,13,-1,14,-1
// RUN: %{run}=pack %{gpu} --input=5x3xf32=iota --input=index=2 --expected=3x3x2xf32=0,3,1,4,2,5,6,9,7,10,8,11,12,-1,13,-1,14,-1
// RUN: %{run}=pack --input=5x3xf32=iota --input=index=2 --expected=3x3x2xf32=0,3,1,4,2,5,6,9,7,10,8,11,12,-1,13,-1,14,-1
func.func @pack(%a: tensor<?x3xf32>, %n: index) -> tensor<?x3x?xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x3xf32>
  %tiles = arith.ceildivui %m, %n : index
  %e = tensor.empty(%tiles, %n) : tensor<?x3x?xf32>
  %0 = linalg.pack %a padding_value(%pad : f32) inner_dims_pos = [0] inner_tiles = [%n] into %e : tensor<?x3xf32> -> tensor<?x3x?xf32>
  return %0 : tensor<?x3x?xf32>
}

// RUN: %{run}=unpack %{cpu} --input=3x3x2xf32=iota --input=index=5 --expected=5x3xf32=0,2,4,1,3,5,6,8,10,7,9,11,12,14,16
// RUN: %{run}=unpack %{gpu} --input=3x3x2xf32=iota --input=index=5 --expected=5x3xf32=0,2,4,1,3,5,6,8,10,7,9,11,12,14,16
// RUN: %{run}=unpack --input=3x3x2xf32=iota --input=index=5 --expected=5x3xf32=0,2,4,1,3,5,6,8,10,7,9,11,12,14,16
func.func @unpack(%a: tensor<?x3x?xf32>, %m: index) -> tensor<?x3xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c2 : tensor<?x3x?xf32>
  %e = tensor.empty(%m) : tensor<?x3xf32>
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [%n] into %e : tensor<?x3x?xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// A filter of ones: the outer product of the sums of the transform's rows.
// RUN: %{run}=winograd %{cpu} --input=2x3x3x5xf32=1 --expected=6x6xf32=1,-0.33333333,-1,0.25,0.58333333,1,-0.33333333,0.11111111,0.33333333,-0.083333333,-0.19444444,-0.33333333,-1,0.33333333,1,-0.25,-0.58333333,-1,0.25,-0.083333333,-0.25,0.0625,0.14583333,0.25,0.58333333,-0.19444444,-0.58333333,0.14583333,0.34027778,0.58333333,1,-0.33333333,-1,0.25,0.58333333,1
// RUN: %{run}=winograd %{gpu} --input=2x3x3x5xf32=1 --expected=6x6xf32=1,-0.33333333,-1,0.25,0.58333333,1,-0.33333333,0.11111111,0.33333333,-0.083333333,-0.19444444,-0.33333333,-1,0.33333333,1,-0.25,-0.58333333,-1,0.25,-0.083333333,-0.25,0.0625,0.14583333,0.25,0.58333333,-0.19444444,-0.58333333,0.14583333,0.34027778,0.58333333,1,-0.33333333,-1,0.25,0.58333333,1
// RUN: %{run}=winograd --input=2x3x3x5xf32=1 --expected=6x6xf32=1,-0.33333333,-1,0.25,0.58333333,1,-0.33333333,0.11111111,0.33333333,-0.083333333,-0.19444444,-0.33333333,-1,0.33333333,1,-0.25,-0.58333333,-1,0.25,-0.083333333,-0.25,0.0625,0.14583333,0.25,0.58333333,-0.19444444,-0.58333333,0.14583333,0.34027778,0.58333333,1,-0.33333333,-1,0.25,0.58333333,1
func.func @winograd(%w: tensor<2x3x3x5xf32>) -> tensor<6x6xf32> {
  %e = tensor.empty() : tensor<6x6x5x2xf32>
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %1 = tensor.extract_slice %0[0, 0, 4, 1] [6, 6, 1, 1] [1, 1, 1, 1] : tensor<6x6x5x2xf32> to tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}

// A region with several ends, from which a tensor and a number leave.
// RUN: %{run}=ends %{cpu} --input=4xf32=3 --input=i1=1 --input=i32=5 --expected=4xf32=9 --expected=i32=10
// RUN: %{run}=ends %{cpu} --input=4xf32=3 --input=i1=0 --input=i32=5 --expected=4xf32=6 --expected=i32=5
// RUN: %{run}=ends %{gpu} --input=4xf32=3 --input=i1=1 --input=i32=5 --expected=4xf32=9 --expected=i32=10
// RUN: %{run}=ends %{gpu} --input=4xf32=3 --input=i1=0 --input=i32=5 --expected=4xf32=6 --expected=i32=5
// RUN: %{run}=ends --input=4xf32=3 --input=i1=1 --input=i32=5 --expected=4xf32=9 --expected=i32=10
// RUN: %{run}=ends --rules='{rules: [{op: "arith.mulf", device: "gpu:0"}], default: cpu}' --input=4xf32=3 --input=i1=1 --input=i32=5 --expected=4xf32=9 --expected=i32=10
func.func @ends(%x: tensor<4xf32>, %c: i1, %n: i32) -> (tensor<4xf32>, i32) {
  %0:2 = scf.execute_region -> (tensor<4xf32>, i32) {
    cf.cond_br %c, ^product, ^sum
  ^product:
    %1 = arith.mulf %x, %x : tensor<4xf32>
    %2 = arith.addi %n, %n : i32
    scf.yield %1, %2 : tensor<4xf32>, i32
  ^sum:
    %3 = arith.addf %x, %x : tensor<4xf32>
    scf.yield %3, %n : tensor<4xf32>, i32
  }
  return %0#0, %0#1 : tensor<4xf32>, i32
}

// An affine loop that passes a buffer on.
// RUN: %{run}=buffer %{cpu} --input=3xf32=1 --expected=f32=32
// RUN: %{run}=buffer %{gpu} --input=3xf32=1 --expected=f32=32
// RUN: %{run}=buffer --input=3xf32=1 --expected=f32=32
func.func @buffer(%x: tensor<3xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %v = tensor.extract %x[%c1] : tensor<3xf32>
  %m = memref.alloc() : memref<3xf32>
  memref.store %v, %m[%c1] : memref<3xf32>
  %n = affine.for %i = 0 to 5 iter_args(%b = %m) -> memref<3xf32> {
    %0 = memref.load %b[%c1] : memref<3xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %b[%c1] : memref<3xf32>
    affine.yield %b : memref<3xf32>
  }
  %w = memref.load %n[%c1] : memref<3xf32>
  %o = affine.for %i = 0 to 3 iter_args(%b = %n) -> memref<3xf32> {
    affine.store %w, %b[2 - %i] : memref<3xf32>
    affine.yield %b : memref<3xf32>
  }
  %c2 = arith.constant 2 : index
  %r = memref.load %o[%c2] : memref<3xf32>
  return %r : f32
}
