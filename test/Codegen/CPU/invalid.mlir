// RUN: hetero-opt %s --hetero-codegen --split-input-file --verify-diagnostics

func.func @unknown_kind(%x: tensor<4xf32>) -> tensor<4xf32, #hetero.device<npu:0>> {
  %c = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #hetero.device<npu:0>>
  // expected-error @below {{the device kind 'npu' is not registered; register it or place "r" on cpu or gpu}}
  %r = hetero.execute "r" on #hetero.device<npu:0>
      (%a = %c : tensor<4xf32, #hetero.device<npu:0>>) -> (tensor<4xf32, #hetero.device<npu:0>>) {
    hetero.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32, #hetero.device<npu:0>>
}

// -----

func.func @unknown_codegen(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{no code generator is called 'nobody'; leave codegen out of the device of "r" or register the generator}}
  %r = hetero.execute "r" on #hetero.device<cpu:0, codegen = "nobody">
      (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    hetero.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
