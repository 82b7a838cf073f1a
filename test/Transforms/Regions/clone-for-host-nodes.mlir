// RUN: hetero-opt %s --hetero-clone-for-host --verify-diagnostics

// Nodes could not agree on a variant.
// expected-error@+1 {{expected a program of one node, got one that uses gpu:0@1; each node would decide by itself whether its devices are there: run it without fallback=cpu}}
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = hetero.copy %x : tensor<8xf32> -> tensor<8xf32, #hetero.device<gpu:0, node = 1>>
  %1 = hetero.copy %0 : tensor<8xf32, #hetero.device<gpu:0, node = 1>> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
}
