// add1 = data1 + data2 on the CPU, add2 = add1 + data2 on the GPU, and both are
// returned: `%add1` stays on the host as a result and is copied to the GPU as
// an operand, once.
//
// Run it:
//   hetero-run examples/two-devices-tuple.mlir --report \
//     --input=5x7xf32=iota --input=5x7xf32=10

func.func @main(%data1: tensor<5x7xf32>, %data2: tensor<5x7xf32>)
    -> (tensor<5x7xf32>, tensor<5x7xf32>) {
  %empty = tensor.empty() : tensor<5x7xf32>
  %add1 = linalg.add {hetero.device = #hetero.device<cpu>}
    ins(%data1, %data2 : tensor<5x7xf32>, tensor<5x7xf32>)
    outs(%empty : tensor<5x7xf32>) -> tensor<5x7xf32>
  %add2 = linalg.add {hetero.device = #hetero.device<gpu:0>}
    ins(%add1, %data2 : tensor<5x7xf32>, tensor<5x7xf32>)
    outs(%empty : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %add1, %add2 : tensor<5x7xf32>, tensor<5x7xf32>
}
