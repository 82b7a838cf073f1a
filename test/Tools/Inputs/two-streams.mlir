func.func private @fill_twice(i1)

func.func @main(%x: tensor<64xf32>, %isOrdered: i1) -> tensor<64xf32> {
  %0 = math.absf %x {hetero.device = #hetero.device<gpu:0>} : tensor<64xf32>
  call @fill_twice(%isOrdered) : (i1) -> ()
  %1 = arith.addf %0, %x {hetero.device = #hetero.device<gpu:0>} : tensor<64xf32>
  return %1 : tensor<64xf32>
}
