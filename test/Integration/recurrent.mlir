// A recurrent loop whose products of the input move before it has the numbers of
// its definition wherever it stands: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 2
// RUN: hetero-opt %s --hetero-convert-elementwise-to-linalg --hetero-hoist-loop-products --remarks-filter=hetero-hoist-loop-products 2>&1 | FileCheck %s

// CHECK: summary | Category:hetero-hoist-loop-products | products=2

// CASE: cell 3x2x3xf32=1,2,-1,0,1,3,2,-2,1,1,1,0,-1,2,2,3,0,1 2x3xf32=1,-1,2,0,1,1 2x2xf32=1,2,-1,0 2xf32=3,-1 2x2xf32=1,0,2,-1 -> 2x2xf32=12,19,-7,14 3x2x2xf32=1,2,11,7,8,0,7,22,12,19,-7,14
func.func @cell(%all: tensor<3x2x3xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>, %h: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<3x2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : tensor<3x2x2xf32>
  %o = tensor.empty() : tensor<2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %h, %seen = %none) -> (tensor<2x2xf32>, tensor<3x2x2xf32>) {
    %x = tensor.extract_slice %all[%i, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<3x2x3xf32> to tensor<2x3xf32>
    %e = tensor.empty() : tensor<3x2xf32>
    %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
    %p = linalg.matmul ins(%x, %t : tensor<2x3xf32>, tensor<3x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
    %g = linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<2x2xf32>, tensor<2xf32>) outs(%o : tensor<2x2xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %sum = arith.addf %u, %v : f32
      linalg.yield %sum : f32
    } -> tensor<2x2xf32>
    %q = linalg.matmul ins(%s, %r : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
    %n = arith.addf %g, %q : tensor<2x2xf32>
    %next = tensor.insert_slice %n into %seen[%i, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2xf32> into tensor<3x2x2xf32>
    scf.yield %n, %next : tensor<2x2xf32>, tensor<3x2x2xf32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<3x2x2xf32>
}

// Sums that start from something else, and a part of what a step has.
// CASE: started 3x4xf32=1,2,-1,0,1,3,2,-2,1,1,1,0 2x2xf32=1,-1,2,1 1x2xf32=5,-3 1x2xf32=0,0 -> 1x2xf32=52,-35
func.func @started(%all: tensor<3x4xf32>, %w: tensor<2x2xf32>, %from: tensor<1x2xf32>, %h: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %h) -> tensor<1x2xf32> {
    %x = tensor.extract_slice %all[%i, 1] [1, 2] [1, 1] : tensor<3x4xf32> to tensor<1x2xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%from : tensor<1x2xf32>) -> tensor<1x2xf32>
    %d = arith.addf %s, %s : tensor<1x2xf32>
    %n = arith.addf %p, %d : tensor<1x2xf32>
    scf.yield %n : tensor<1x2xf32>
  }
  return %0 : tensor<1x2xf32>
}
