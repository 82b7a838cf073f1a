// Two products of the same matrix, one on each gpu, and their sum on the first.
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  %a = linalg.matmul {hetero.device = #hetero.device<gpu:0>}
    ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = linalg.matmul {hetero.device = #hetero.device<gpu:1>}
    ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %sum = linalg.add {hetero.device = #hetero.device<gpu:0>}
    ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %result = linalg.exp {hetero.device = #hetero.device<cpu>}
    ins(%sum : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %result : tensor<64x64xf32>
}
