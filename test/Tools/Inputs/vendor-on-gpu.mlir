func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0, codegen = "vendor">} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
