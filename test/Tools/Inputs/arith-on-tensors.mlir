// What rules see is made into linalg.generic before it is placed.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %sum = arith.addf %a, %a : tensor<4xf32>
  %root = math.sqrt %sum : tensor<4xf32>
  return %root : tensor<4xf32>
}
