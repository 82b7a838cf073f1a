// RUN: hetero-opt-test-passes %s --test-hetero-decompose | FileCheck %s
// RUN: hetero-opt-test-passes %s --test-hetero-decompose --test-hetero-decompose | FileCheck %s

// An aggregate takes itself apart; every part is a linalg.generic.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg.softmax
// CHECK-COUNT-6: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @softmax(%x: tensor<4x?xf32>, %e: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// What moves data is slices, and fills where there is no data.
// CHECK-LABEL: func.func @data
// CHECK-NOT:     tensor.pad
// CHECK-NOT:     tensor.concat
// CHECK-NOT:     tensor.splat
// CHECK:         tensor.insert_slice
// CHECK:         return
func.func @data(%x: tensor<3x5xf32>, %s: f32) -> (tensor<8x5xf32>, tensor<4x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %splat = tensor.splat %s : tensor<5x5xf32>
  %both = tensor.concat dim(0) %x, %splat : (tensor<3x5xf32>, tensor<5x5xf32>) -> tensor<8x5xf32>
  %padded = tensor.pad %x low[0, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x5xf32> to tensor<4x7xf32>
  return %both, %padded : tensor<8x5xf32>, tensor<4x7xf32>
}

// Elementwise operations on tensors of dynamic shape, and a bitcast.
// CHECK-LABEL: func.func @elementwise
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.generic
// CHECK:           arith.bitcast
// CHECK-NOT:     tensor.bitcast
func.func @elementwise(%x: tensor<?x3xf32>) -> tensor<?x3xi32> {
  %0 = math.exp %x : tensor<?x3xf32>
  %1 = tensor.bitcast %0 : tensor<?x3xf32> to tensor<?x3xi32>
  return %1 : tensor<?x3xi32>
}

// In branches as elsewhere.
// CHECK-LABEL: func.func @branches
// CHECK:         scf.if
// CHECK-NOT:       linalg.add
// CHECK:           linalg.generic
// CHECK:         else
// CHECK:           linalg.generic
func.func @branches(%which: i1, %x: tensor<4xi8>, %e: tensor<4xi8>) -> tensor<4xi8> {
  %0 = scf.if %which -> tensor<4xi8> {
    %1 = linalg.add ins(%x, %x : tensor<4xi8>, tensor<4xi8>) outs(%e : tensor<4xi8>) -> tensor<4xi8>
    scf.yield %1 : tensor<4xi8>
  } else {
    %1 = linalg.mul ins(%x, %x : tensor<4xi8>, tensor<4xi8>) outs(%e : tensor<4xi8>) -> tensor<4xi8>
    scf.yield %1 : tensor<4xi8>
  }
  return %0 : tensor<4xi8>
}

// Scalars and shapes are left alone.
// CHECK-LABEL: func.func @scalars
// CHECK-NOT:     linalg
// CHECK:         arith.addf %{{.*}} : f32
func.func @scalars(%x: f32, %t: tensor<?xf32>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %x, %x : f32
  %1 = tensor.dim %t, %c0 : tensor<?xf32>
  return %0, %1 : f32, index
}
