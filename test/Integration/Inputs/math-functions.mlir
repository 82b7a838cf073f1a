// Functions that the CPU and a GPU compute each in their own way.
// inputs: 7x13xf32=random:1 7x13xf32=random:2
// rtol: 2e-5
// atol: 2e-6
func.func @main(%a: tensor<7x13xf32>, %b: tensor<7x13xf32>) -> tensor<7x13xf32> {
  %exp = math.exp %a : tensor<7x13xf32>
  %tanh = math.tanh %b : tensor<7x13xf32>
  %product = arith.mulf %exp, %tanh : tensor<7x13xf32>
  %abs = math.absf %product : tensor<7x13xf32>
  %one = arith.constant dense<1.0> : tensor<7x13xf32>
  %above = arith.addf %abs, %one : tensor<7x13xf32>
  %root = math.sqrt %above : tensor<7x13xf32>
  %log = math.log %above : tensor<7x13xf32>
  %quotient = arith.divf %log, %root : tensor<7x13xf32>
  return %quotient : tensor<7x13xf32>
}
