// A sum that stays on the gpu from call to call: each call is given the buffer
// of the sum so far, and returns it.
#gpu = #hetero.device<gpu:0>

func.func @accumulate(%sum: tensor<4xf32> {hetero.device = #gpu, hetero.donated},
                      %x: tensor<4xf32> {hetero.device = #gpu})
    -> (tensor<4xf32> {hetero.device = #gpu}) {
  %0 = arith.addf %sum, %x {hetero.device = #gpu} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
