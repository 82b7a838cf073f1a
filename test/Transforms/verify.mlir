// RUN: hetero-opt %s --hetero-verify --split-input-file | FileCheck %s

// A module in no phase has no contract, and nothing changes.
// CHECK: func.func @none
// CHECK-NEXT: linalg.exp
module {
  func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Placed: every operation has a device.
// CHECK: func.func @placed
module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @placed(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Materialized: types and operations agree; a size is read from anywhere.
// CHECK: func.func @materialized
module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @materialized(%x: tensor<?xf32>) -> (tensor<?xf32, #hetero.device<gpu:0>>, index) {
    %c0 = arith.constant 0 : index
    %0 = hetero.copy %x : tensor<?xf32> -> tensor<?xf32, #hetero.device<gpu:0>>
    %1 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%0 : tensor<?xf32, #hetero.device<gpu:0>>) outs(%0 : tensor<?xf32, #hetero.device<gpu:0>>) -> tensor<?xf32, #hetero.device<gpu:0>>
    %2 = tensor.dim {hetero.device = #hetero.device<cpu:0>} %1, %c0 : tensor<?xf32, #hetero.device<gpu:0>>
    return %1, %2 : tensor<?xf32, #hetero.device<gpu:0>>, index
  }
}

// -----

// Partitioned: work is inside of regions.
// CHECK: func.func @partitioned
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @partitioned(%x: tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32> {
    %0 = hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %1 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %1 : tensor<4xf32>
    }
    %2 = hetero.copy %0 : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}

// -----

// Bufferized: memrefs in device spaces, copies between them.
// CHECK: func.func @bufferized
module attributes {hetero.phase = #hetero.phase<planned>} {
  func.func @bufferized(%x: memref<4xf32>, %y: memref<4xf32, #hetero.device<gpu:0>>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
    linalg.exp ins(%y : memref<4xf32, #hetero.device<gpu:0>>) outs(%y : memref<4xf32, #hetero.device<gpu:0>>)
    return
  }
}

// -----

// LLVM: nothing but what translates.
// CHECK: llvm.func @main
module attributes {hetero.phase = #hetero.phase<llvm>} {
  llvm.func @main() {
    llvm.return
  }
}
