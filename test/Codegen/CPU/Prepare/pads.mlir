// RUN: hetero-opt %s --hetero-codegen | FileCheck %s
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -

// Already done: the fills of borders stay, whatever could be made of them.

// Each tile of a pooling pads its own images: the borders are filled, and the
// middle is copied once.
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
// CHECK-LABEL: func.func @pool
// CHECK: scf.forall (%[[C:.*]]) in (64)
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[0, %[[C]], 0, 0] [1, 1, 112, 112] [1, 1, 1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [1, 1, 1, 113]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1, 0] [1, 1, 112, 1]
// CHECK: tensor.insert_slice %[[X]] into %{{.*}}[0, 0, 1, 1] [1, 1, 112, 112]
// CHECK: vector.shuffle
func.func @pool(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %r = hetero.execute "pool" on #hetero.device<cpu:0> (%a = %x : tensor<1x64x112x112xf32>) -> (tensor<1x64x56x56xf32>) {
    %least = arith.constant 0xFF800000 : f32
    %padded = tensor.pad %a low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %least : f32
    } : tensor<1x64x112x112xf32> to tensor<1x64x114x114xf32>
    %window = tensor.empty() : tensor<3x3xf32>
    %empty = tensor.empty() : tensor<1x64x56x56xf32>
    %init = linalg.fill ins(%least : f32) outs(%empty : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %most = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %window : tensor<1x64x114x114xf32>, tensor<3x3xf32>) outs(%init : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    hetero.yield %most : tensor<1x64x56x56xf32>
  }
  return %r : tensor<1x64x56x56xf32>
}

// What is inserted where only the program knows is no pad.
// CHECK-LABEL: func.func @somewhere
// CHECK: %[[FILLED:.*]] = scf.forall
// CHECK-NOT: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, %{{.*}}] [64, 8000] [1, 1]
func.func @somewhere(%x: tensor<64x8000xf32>, %at: index) -> tensor<64x9000xf32> {
  %r = hetero.execute "somewhere" on #hetero.device<cpu:0> (%a = %x : tensor<64x8000xf32>, %i = %at : index) -> (tensor<64x9000xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x9000xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x9000xf32>) -> tensor<64x9000xf32>
    %inserted = tensor.insert_slice %a into %filled[0, %i] [64, 8000] [1, 1] : tensor<64x8000xf32> into tensor<64x9000xf32>
    hetero.yield %inserted : tensor<64x9000xf32>
  }
  return %r : tensor<64x9000xf32>
}

// A pad alone is tiled, too, but not along its borders.
// CHECK-LABEL: func.func @alone
// CHECK: scf.forall (%[[C:.*]]) = (0) to (64) step (8)
// CHECK: tensor.extract_slice %{{.*}}[%[[C]], 0] [8, 8000] [1, 1]
func.func @alone(%x: tensor<64x8000xf32>) -> tensor<64x8003xf32> {
  %r = hetero.execute "alone" on #hetero.device<cpu:0> (%a = %x : tensor<64x8000xf32>) -> (tensor<64x8003xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %a low[0, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<64x8000xf32> to tensor<64x8003xf32>
    hetero.yield %padded : tensor<64x8003xf32>
  }
  return %r : tensor<64x8003xf32>
}

// With channels last, only they could be split, into small pieces of rows: the image
// is copied instead, some rows at a time.
// CHECK-LABEL: func.func @channels_last
// CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %{{.*}}[0, 1, 1, 0] [1, 60, 60, 32]
// CHECK: scf.forall (%[[Y:.*]], %[[X:.*]]) = (0, 0) to (60, 60) step (20, 30) shared_outs(%{{.*}} = %[[MIDDLE]])
// CHECK: tensor.extract_slice %{{.*}}[0, %[[Y]], %[[X]], 0] [1, 20, 30, 32]
// CHECK: vector.transfer_write
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1, 1, 0] [1, 60, 60, 32]
func.func @channels_last(%x: tensor<1x60x60x32xf32>) -> tensor<1x62x62x32xf32> {
  %r = hetero.execute "channels_last" on #hetero.device<cpu:0> (%a = %x : tensor<1x60x60x32xf32>) -> (tensor<1x62x62x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x60x60x32xf32> to tensor<1x62x62x32xf32>
    hetero.yield %padded : tensor<1x62x62x32xf32>
  }
  return %r : tensor<1x62x62x32xf32>
}

// Of nothing there is only the border.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @nothing(%x: tensor<4x0xf32>) -> tensor<4x3xf32> {
  %r = hetero.execute "nothing" on #hetero.device<cpu:0> (%a = %x : tensor<4x0xf32>) -> (tensor<4x3xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %a low[0, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<4x0xf32> to tensor<4x3xf32>
    hetero.yield %padded : tensor<4x3xf32>
  }
  return %r : tensor<4x3xf32>
}
}
