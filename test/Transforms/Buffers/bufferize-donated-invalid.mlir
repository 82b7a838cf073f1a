// RUN: hetero-opt %s --hetero-bufferize --verify-diagnostics

// A caller in the module would go on to own what it passes.
// expected-error @below {{expected no call of @called in the module, whose argument 0 is donated; call a private function that both share}}
func.func @called(%x: tensor<4xf32> {hetero.donated}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
