// RUN: hetero-opt %s --hetero-codegen --split-input-file --verify-diagnostics

// What has no destination-style form is refused on every kind of device.

func.func @gather(%x: tensor<4x4xf32>, %i: tensor<2x1xindex>) -> tensor<2x4xf32> {
  // expected-error @below {{cannot generate host code for "r"}}
  %r = hetero.execute "r" on #hetero.device<cpu:0>
      (%a = %x : tensor<4x4xf32>, %b = %i : tensor<2x1xindex>) -> (tensor<2x4xf32>) {
    // expected-error @below {{has no code in this form; rewrite it as linalg.generic, or give it static tiles, before hetero-codegen}}
    %g = tensor.gather %a[%b] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
    hetero.yield %g : tensor<2x4xf32>
  }
  return %r : tensor<2x4xf32>
}

// -----

!values = tensor<4x4xf32, #hetero.device<gpu:0>>
!positions = tensor<2x1xindex, #hetero.device<gpu:0>>
!result = tensor<2x4xf32, #hetero.device<gpu:0>>
func.func @gather_on_gpu(%x: !values, %i: !positions) -> !result {
  // expected-error @below {{cannot generate device code for "r"}}
  %r = hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : !values, %b = %i : !positions) -> (!result) {
    // expected-error @below {{has no code in this form; rewrite it as linalg.generic, or give it static tiles, before hetero-codegen}}
    %g = tensor.gather %a[%b] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
    hetero.yield %g : tensor<2x4xf32>
  }
  return %r : !result
}
