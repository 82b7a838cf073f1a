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
