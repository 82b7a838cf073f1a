// RUN: hetero-opt %s --hetero-codegen --split-input-file | FileCheck %s

// A chain of elementwise operations becomes one operation: one kernel.

// CHECK-LABEL: func.func @chain
// CHECK:         hetero.execute "chain_gpu0_0"
// CHECK:           linalg.generic
// CHECK:             math.exp
// CHECK:             arith.addf
// CHECK:             linalg.yield
// CHECK-NOT:       linalg.
// CHECK:           hetero.yield
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @chain(%x: tensor<8xf32, #hetero.device<gpu:0>>) -> tensor<8xf32, #hetero.device<gpu:0>> {
    %r = hetero.execute "chain_gpu0_0" on #hetero.device<gpu:0> (%a = %x : tensor<8xf32, #hetero.device<gpu:0>>) -> (tensor<8xf32, #hetero.device<gpu:0>>) {
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %1 = linalg.add ins(%0, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      hetero.yield %1 : tensor<8xf32>
    }
    return %r : tensor<8xf32, #hetero.device<gpu:0>>
  }
}

// -----

// A single structured operation is a kernel already and keeps its name.

// CHECK-LABEL: func.func @single
// CHECK:         linalg.add
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @single(%x: tensor<8xf32, #hetero.device<gpu:0>>) -> tensor<8xf32, #hetero.device<gpu:0>> {
    %r = hetero.execute "single_gpu0_0" on #hetero.device<gpu:0> (%a = %x : tensor<8xf32, #hetero.device<gpu:0>>) -> (tensor<8xf32, #hetero.device<gpu:0>>) {
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      hetero.yield %0 : tensor<8xf32>
    }
    return %r : tensor<8xf32, #hetero.device<gpu:0>>
  }
}

// -----

// An operation that stands for several loops is decomposed.

// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg.softmax
// CHECK:         hetero.yield
module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @softmax(%x: tensor<4x8xf32, #hetero.device<gpu:0>>) -> tensor<4x8xf32, #hetero.device<gpu:0>> {
    %r = hetero.execute "softmax_gpu0_0" on #hetero.device<gpu:0> (%a = %x : tensor<4x8xf32, #hetero.device<gpu:0>>) -> (tensor<4x8xf32, #hetero.device<gpu:0>>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      hetero.yield %0 : tensor<4x8xf32>
    }
    return %r : tensor<4x8xf32, #hetero.device<gpu:0>>
  }
}
