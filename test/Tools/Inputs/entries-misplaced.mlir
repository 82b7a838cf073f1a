func.func @double(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @element(%x: tensor<3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] {hetero.device = #hetero.device<gpu:0>} : tensor<3xf32>
  return %0 : f32
}
