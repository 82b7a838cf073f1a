// Conversions of a float of 8 bits, which stands where TYPE does.

func.func @extend(%x: tensor<256xTYPE>) -> tensor<256xf32> {
  %0 = arith.extf %x : tensor<256xTYPE> to tensor<256xf32>
  return %0 : tensor<256xf32>
}
func.func @truncate(%x: tensor<2048xf32>) -> tensor<2048xTYPE> {
  %0 = arith.truncf %x : tensor<2048xf32> to tensor<2048xTYPE>
  return %0 : tensor<2048xTYPE>
}
func.func @narrow(%x: tensor<2048xf64>) -> tensor<2048xTYPE> {
  %0 = arith.truncf %x : tensor<2048xf64> to tensor<2048xTYPE>
  return %0 : tensor<2048xTYPE>
}
