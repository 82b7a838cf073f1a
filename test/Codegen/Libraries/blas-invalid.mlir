// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-codegen

module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @on_gpu(%a: tensor<4x4xf32, #hetero.device<gpu:0>>) -> tensor<4x4xf32, #hetero.device<gpu:0>> {
  // expected-error@+1 {{region "r" is on gpu:0, but openblas computes on the host only; place it on cpu:0 or leave codegen out}}
  %0 = hetero.execute "r" on #hetero.device<gpu:0, codegen = "openblas"> (%x = %a : tensor<4x4xf32, #hetero.device<gpu:0>>) -> (tensor<4x4xf32, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    hetero.yield %d : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32, #hetero.device<gpu:0>>
}
}

// -----

module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @on_host(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{region "r" is on cpu:0, but cublas:tf32 computes on gpus only; place it on gpu:0 or leave codegen out}}
  %0 = hetero.execute "r" on #hetero.device<cpu:0, codegen = "cublas:tf32"> (%x = %a : tensor<4x4xf32>) -> (tensor<4x4xf32>) {
    %d = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    hetero.yield %d : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
}
