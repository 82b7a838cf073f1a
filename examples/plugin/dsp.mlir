// Three kinds of devices and a code generator, two of which a plugin brings along.
#dsp = #hetero.device<dsp:0>
#gpu = #hetero.device<gpu:0>
#vendor = #hetero.device<cpu:0, codegen = "vendor">
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>) {
  %e = tensor.empty() : tensor<2x3xf32>
  // One region of the dsp, one call of the C function.
  %square = linalg.mul {hetero.device = #dsp} ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.add {hetero.device = #dsp} ins(%square, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %negative = linalg.negf {hetero.device = #gpu} ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  // Another one.
  %twice = linalg.add {hetero.device = #dsp} ins(%negative, %negative : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  // A product that the vendor's library adds to ones.
  %ones = arith.constant dense<1.0> : tensor<2x2xf32>
  %product = linalg.matmul {hetero.device = #vendor} ins(%twice, %w : tensor<2x3xf32>, tensor<3x2xf32>) outs(%ones : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %twice, %product : tensor<2x3xf32>, tensor<2x2xf32>
}
