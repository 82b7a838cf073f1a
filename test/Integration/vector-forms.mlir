// Forms of vectors that programs bring along: each gives the same numbers
// wherever the rest of the program is.

// DEFINE: %{run} = hetero-run %s --entry
// DEFINE: %{cpu} = --rules='default: cpu'
// DEFINE: %{gpu} = --rules='{default: "gpu:0"}'

// A contraction that takes maxima: no products are added.
// RUN: %{run}=maxima %{cpu} --input=2x3xf32=1,-2,3,-4,5,-6 --expected=2xf32=6,20
// RUN: %{run}=maxima %{gpu} --input=2x3xf32=1,-2,3,-4,5,-6 --expected=2xf32=6,20
// RUN: %{run}=maxima --input=2x3xf32=1,-2,3,-4,5,-6 --expected=2xf32=6,20
#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
func.func @maxima(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<2x3xf32>, vector<2x3xf32>
  %b = arith.constant dense<[-5.0, 1.0, 2.0]> : vector<3xf32>
  %c = arith.constant dense<-1.0> : vector<2xf32>
  %0 = vector.contract {indexing_maps = [#matrix, #row, #column], iterator_types = ["parallel", "reduction"], kind = #vector.kind<maximumf>} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %r = vector.transfer_write %0, %e[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
  return %r : tensor<2xf32>
}

// An outer product that is added to what was there, and a transposition of it.
// RUN: %{run}=outer %{cpu} --input=3xf32=1,2,3 --expected=2x3xf32=11,21,31,2,3,4
// RUN: %{run}=outer %{gpu} --input=3xf32=1,2,3 --expected=2x3xf32=11,21,31,2,3,4
// RUN: %{run}=outer --input=3xf32=1,2,3 --expected=2x3xf32=11,21,31,2,3,4
func.func @outer(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<3xf32>, vector<3xf32>
  %b = arith.constant dense<[10.0, 1.0]> : vector<2xf32>
  %one = arith.constant dense<1.0> : vector<3x2xf32>
  %0 = vector.outerproduct %a, %b, %one {kind = #vector.kind<add>} : vector<3xf32>, vector<2xf32>
  %1 = vector.transpose %0, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %r = vector.transfer_write %1, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// Running sums, and what a mask leaves of them.
// RUN: %{run}=sums %{cpu} --input=4xi32=1,2,3,4 --input=index=3 --expected=4xi32=1,3,6,-1
// RUN: %{run}=sums %{gpu} --input=4xi32=1,2,3,4 --input=index=3 --expected=4xi32=1,3,6,-1
// RUN: %{run}=sums --input=4xi32=1,2,3,4 --input=index=9 --expected=4xi32=1,3,6,10
func.func @sums(%x: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %a = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %rows = vector.shape_cast %a : vector<4xi32> to vector<4x1xi32>
  %zero = arith.constant dense<0> : vector<1xi32>
  %0:2 = vector.scan <add>, %rows, %zero {inclusive = true, reduction_dim = 0 : i64} : vector<4x1xi32>, vector<1xi32>
  %1 = vector.shape_cast %0#0 : vector<4x1xi32> to vector<4xi32>
  %mask = vector.create_mask %n : vector<4xi1>
  %none = arith.constant dense<-1> : vector<4xi32>
  %2 = arith.select %mask, %1, %none : vector<4xi1>, vector<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %r = vector.transfer_write %2, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

// Alternating elements of two vectors, and their halves.
// RUN: %{run}=pairs %{cpu} --input=2xf32=1,2 --expected=4xf32=1,0,2,1 --expected=2xf32=1,2
// RUN: %{run}=pairs %{gpu} --input=2xf32=1,2 --expected=4xf32=1,0,2,1 --expected=2xf32=1,2
// RUN: %{run}=pairs --input=2xf32=1,2 --expected=4xf32=1,0,2,1 --expected=2xf32=1,2
func.func @pairs(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<2xf32>, vector<2xf32>
  %steps = vector.step : vector<2xindex>
  %wide = arith.index_cast %steps : vector<2xindex> to vector<2xi32>
  %b = arith.sitofp %wide : vector<2xi32> to vector<2xf32>
  %0 = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
  %1, %2 = vector.deinterleave %0 : vector<4xf32> -> vector<2xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<2xf32>
  %r = vector.transfer_write %0, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %s = vector.transfer_write %1, %f[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
  return %r, %s : tensor<4xf32>, tensor<2xf32>
}

// Minima of products, in another order of dimensions, and one maximum of all.
// RUN: %{run}=minima %{cpu} --input=2x3xi32=1,-2,3,-4,5,-6 --input=3x2xi32=7,-8,9,10,-11,12 --expected=2x2xi32=-33,-28,-20,-72 --expected=i32=50
// RUN: %{run}=minima %{gpu} --input=2x3xi32=1,-2,3,-4,5,-6 --input=3x2xi32=7,-8,9,10,-11,12 --expected=2x2xi32=-33,-28,-20,-72 --expected=i32=50
// RUN: %{run}=minima --input=2x3xi32=1,-2,3,-4,5,-6 --input=3x2xi32=7,-8,9,10,-11,12 --expected=2x2xi32=-33,-28,-20,-72 --expected=i32=50
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#swapped = affine_map<(i, j, k) -> (j, i)>
#across = affine_map<(i, j) -> (j, i)>
#none = affine_map<(i, j) -> ()>
func.func @minima(%x: tensor<2x3xi32>, %y: tensor<3x2xi32>) -> (tensor<2x2xi32>, i32) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %a = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<2x3xi32>, vector<2x3xi32>
  %b = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<3x2xi32>, vector<3x2xi32>
  %c = arith.constant dense<100> : vector<2x2xi32>
  %0 = vector.contract {indexing_maps = [#left, #right, #swapped], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<minsi>} %a, %b, %c : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  %1 = vector.contract {indexing_maps = [#matrix, #across, #none], iterator_types = ["reduction", "reduction"], kind = #vector.kind<maxsi>} %a, %b, %pad : vector<2x3xi32>, vector<3x2xi32> into i32
  %e = tensor.empty() : tensor<2x2xi32>
  %r = vector.transfer_write %0, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r, %1 : tensor<2x2xi32>, i32
}
