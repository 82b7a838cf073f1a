func.func @main(%a: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = math.exp %a : tensor<65536xf32>
  return %0 : tensor<65536xf32>
}
