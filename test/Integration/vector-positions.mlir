// Elements and rows of vectors at places that are known at run time only.

// RUN: %python %S/every-placement.py %s
// CASE: element 2x4xf32=iota index=1 index=2 -> f32=12
// CASE: row 2x4xf32=iota index=1 -> 4xf32=8,10,12,14
// CASE: plane 2x2x2xf32=iota index=1 index=0 -> 2xf32=8,10
// CASE: into 2x4xf32=iota index=1 f32=5 -> 2x4xf32=0,2,4,6,8,10,5,14
// CASE: row_into 2x4xf32=iota index=1 -> 2x4xf32=0,2,4,6,0,2,4,6

func.func @element(%x: tensor<2x4xf32>, %i: index, %j: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %x[%c0, %c0], %zero : tensor<2x4xf32>, vector<2x4xf32>
  %twice = arith.addf %v, %v : vector<2x4xf32>
  %r = vector.extract %twice[%i, %j] : f32 from vector<2x4xf32>
  return %r : f32
}

func.func @row(%x: tensor<2x4xf32>, %i: index) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %x[%c0, %c0], %zero : tensor<2x4xf32>, vector<2x4xf32>
  %twice = arith.addf %v, %v : vector<2x4xf32>
  %r = vector.extract %twice[%i] : vector<4xf32> from vector<2x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %t = vector.transfer_write %r, %e[%c0] : vector<4xf32>, tensor<4xf32>
  return %t : tensor<4xf32>
}

func.func @plane(%x: tensor<2x2x2xf32>, %i: index, %j: index) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %x[%c0, %c0, %c0], %zero : tensor<2x2x2xf32>, vector<2x2x2xf32>
  %twice = arith.addf %v, %v : vector<2x2x2xf32>
  %p = vector.extract %twice[%i] : vector<2x2xf32> from vector<2x2x2xf32>
  %r = vector.extract %p[%j] : vector<2xf32> from vector<2x2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %t = vector.transfer_write %r, %e[%c0] : vector<2xf32>, tensor<2xf32>
  return %t : tensor<2xf32>
}

func.func @into(%x: tensor<2x4xf32>, %i: index, %s: f32) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %x[%c0, %c0], %zero : tensor<2x4xf32>, vector<2x4xf32>
  %twice = arith.addf %v, %v : vector<2x4xf32>
  %r = vector.insert %s, %twice[%i, 2] : f32 into vector<2x4xf32>
  %t = vector.transfer_write %r, %x[%c0, %c0] : vector<2x4xf32>, tensor<2x4xf32>
  return %t : tensor<2x4xf32>
}

func.func @row_into(%x: tensor<2x4xf32>, %i: index) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %x[%c0, %c0], %zero : tensor<2x4xf32>, vector<2x4xf32>
  %twice = arith.addf %v, %v : vector<2x4xf32>
  %first = vector.extract %twice[0] : vector<4xf32> from vector<2x4xf32>
  %r = vector.insert %first, %twice[%i] : vector<4xf32> into vector<2x4xf32>
  %t = vector.transfer_write %r, %x[%c0, %c0] : vector<2x4xf32>, tensor<2x4xf32>
  return %t : tensor<2x4xf32>
}
