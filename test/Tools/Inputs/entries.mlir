func.func @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @mixed(%x: tensor<2x3xi32>, %s: i32) -> (tensor<2x3xi32>, i32) {
  %0 = tensor.splat %s : tensor<2x3xi32>
  %1 = arith.muli %x, %0 {hetero.device = #hetero.device<gpu:0>} : tensor<2x3xi32>
  return %1, %s : tensor<2x3xi32>, i32
}
func.func @main() -> f64 {
  %0 = arith.constant 2.5 : f64
  return %0 : f64
}
