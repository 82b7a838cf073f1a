// Vectors in a program, as schedules make them: reductions of several dimensions.

// RUN: hetero-run %s --entry=main --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --rules='default: cpu' --expected=f32=60
// RUN: hetero-run %s --entry=main --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --rules='{default: "gpu:0"}' --expected=f32=60

func.func @main(%x: tensor<3x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x4xf32>, vector<3x4xf32>
  %init = arith.constant -18.0 : f32
  %sum = vector.multi_reduction <add>, %v, %init [0, 1] : vector<3x4xf32> to f32
  return %sum : f32
}

// A contraction over two dimensions whose operands are narrower than its sum,
// and negative.

// RUN: hetero-run %s --entry=contract --input=2x3x2xi8=-100,1,2,3,4,5,6,7,8,9,10,100 --input=3x2xi8=100,1,1,1,1,1 --rules='default: cpu' --expected=2xi32=-9984,735
// RUN: hetero-run %s --entry=contract --input=2x3x2xi8=-100,1,2,3,4,5,6,7,8,9,10,100 --input=3x2xi8=100,1,1,1,1,1 --rules='{default: "gpu:0"}' --expected=2xi32=-9984,735
// RUN: hetero-run %s --entry=contract --input=2x3x2xi8=-100,1,2,3,4,5,6,7,8,9,10,100 --input=3x2xi8=100,1,1,1,1,1 --expected=2xi32=-9984,735

#all = affine_map<(i, j, k) -> (i, j, k)>
#pairs = affine_map<(i, j, k) -> (j, k)>
#sums = affine_map<(i, j, k) -> (i)>
func.func @contract(%x: tensor<2x3x2xi8>, %y: tensor<3x2xi8>) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %a = vector.transfer_read %x[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : tensor<2x3x2xi8>, vector<2x3x2xi8>
  %b = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<3x2xi8>, vector<3x2xi8>
  %init = arith.constant dense<1> : vector<2xi32>
  %sum = vector.contract {indexing_maps = [#all, #pairs, #sums], iterator_types = ["parallel", "reduction", "reduction"], kind = #vector.kind<add>} %a, %b, %init : vector<2x3x2xi8>, vector<3x2xi8> into vector<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %r = vector.transfer_write %sum, %e[%c0] {in_bounds = [true]} : vector<2xi32>, tensor<2xi32>
  return %r : tensor<2xi32>
}
