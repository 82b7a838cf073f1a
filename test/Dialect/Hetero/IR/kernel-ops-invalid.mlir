// RUN: hetero-opt %s --split-input-file --verify-diagnostics

// C1
func.func private @function(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @invoke_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a function with 'hetero.kernel', got @function; name a kernel of the module}}
  %0 = hetero.invoke @function outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C2
func.func private @kernel(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hetero.kernel}
func.func @invoke_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 1 operands, as @kernel has arguments, got 2}}
  %0 = hetero.invoke @kernel ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @kernel(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> attributes {hetero.kernel}
func.func @invoke_c2(%n: i64, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected operand 0 to be 'index', got 'i64'}}
  %0 = hetero.invoke @kernel ins(%n : i64) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C3
func.func private @kernel(%x: tensor<4xf32>) attributes {hetero.kernel}
func.func @invoke_c3(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the results of @kernel, , got 'tensor<4xf32>'}}
  %0 = hetero.invoke @kernel outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
