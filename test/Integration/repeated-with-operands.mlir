// What is made from small tensors has the same elements whether it is repeated
// on each device, with its operands there, or copied: alone and in chains, in
// loops and branches, of dynamic size, with a destination that is read. Links
// are slow here, so that by cost it is repeated, as the first run says.

// RUN: hetero-opt %s --pass-pipeline='builtin.module(hetero-annotate,hetero-convert-elementwise-to-linalg,hetero-place)' | FileCheck %s
// CHECK-COUNT-7: hetero.repeated
// RUN: %python %S/every-placement.py %s
// CASE: broadcast 4xf32=1,2,3,4 -> 4x4xf32=2,4,6,8,2,4,6,8,2,4,6,8,2,4,6,8 4x4xf32=-1,-2,-3,-4,-1,-2,-3,-4,-1,-2,-3,-4,-1,-2,-3,-4
// CASE: chain 4xf32=1,4,9,16 -> 4x4xf32=2,3,4,5,2,3,4,5,2,3,4,5,2,3,4,5 4x4xf32=0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3
// CASE: looped 4xf32=1,2,3,4 4x4xf32=0 -> 4x4xf32=3,6,9,12,3,6,9,12,3,6,9,12,3,6,9,12 4x4xf32=-3,-6,-9,-12,-3,-6,-9,-12,-3,-6,-9,-12,-3,-6,-9,-12
// CASE: branched 4xf32=1,2,3,4 i1=1 -> 4x4xf32=2,4,6,8,2,4,6,8,2,4,6,8,2,4,6,8
// CASE: branched 4xf32=1,2,3,4 i1=0 -> 4x4xf32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// CASE: dynamic 4xf32=1,2,3,4 index=4 -> 4x4xf32=2,4,6,8,2,4,6,8,2,4,6,8,2,4,6,8 4x4xf32=-1,-2,-3,-4,-1,-2,-3,-4,-1,-2,-3,-4,-1,-2,-3,-4
// CASE: accumulated 4xf32=1,2,3,4 4x4xf32=2 -> 4x4xf32=5,6,7,8,5,6,7,8,5,6,7,8,5,6,7,8 4x4xf32=-1,-2,-3,-4,-1,-2,-3,-4,-1,-2,-3,-4,-1,-2,-3,-4

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 10000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 10000000000, bandwidth = 50000000000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000, latency = 1000>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000, latency = 1000>]>} {
func.func @broadcast(%x: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %b = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %p = arith.addf %b, %b {hetero.device = #hetero.device<cpu:0>} : tensor<4x4xf32>
  %q = arith.negf %b {hetero.device = #hetero.device<gpu:0>} : tensor<4x4xf32>
  return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
}

func.func @chain(%x: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  %b = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %c = math.sqrt %b : tensor<4x4xf32>
  %p = arith.addf %c, %one {hetero.device = #hetero.device<cpu:0>} : tensor<4x4xf32>
  %q = arith.subf %c, %one {hetero.device = #hetero.device<gpu:0>} : tensor<4x4xf32>
  return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
}

func.func @looped(%x: tensor<4xf32>, %z: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %z, %v = %z) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %b = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
    %p = arith.addf %u, %b {hetero.device = #hetero.device<cpu:0>} : tensor<4x4xf32>
    %q = arith.subf %v, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4x4xf32>
    scf.yield %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

func.func @branched(%x: tensor<4xf32>, %c: i1) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %b = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %r = scf.if %c -> tensor<4x4xf32> {
    %p = arith.addf %b, %b {hetero.device = #hetero.device<cpu:0>} : tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  } else {
    %q = arith.subf %b, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4x4xf32>
    scf.yield %q : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

func.func @dynamic(%x: tensor<?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %b = linalg.broadcast ins(%x : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  %p = arith.addf %b, %b {hetero.device = #hetero.device<cpu:0>} : tensor<?x?xf32>
  %q = arith.negf %b {hetero.device = #hetero.device<gpu:0>} : tensor<?x?xf32>
  return %p, %q : tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @accumulated(%x: tensor<4xf32>, %z: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %b = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4xf32>) outs(%z : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %p = arith.addf %b, %z {hetero.device = #hetero.device<cpu:0>} : tensor<4x4xf32>
  %q = arith.subf %z, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4x4xf32>
  return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
}
}
