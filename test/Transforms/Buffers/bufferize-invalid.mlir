// RUN: hetero-opt %s --hetero-bufferize --verify-diagnostics

// A device's constant is written there as it lies in the program, so that its
// elements have to lie next to each other.
func.func @sparse() -> tensor<4xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "sparse_gpu0_0" on #hetero.device<gpu:0> () -> (tensor<4xf32, #hetero.device<gpu:0>>) {
    // expected-error @below {{'arith.constant' op cannot hold its elements on gpu:0; use a dense or a dense resource constant}}
    %1 = arith.constant sparse<[[0]], [1.0]> : tensor<4xf32>
    hetero.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32, #hetero.device<gpu:0>>
}
