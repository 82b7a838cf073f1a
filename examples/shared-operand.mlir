// (a + b) - (b + c): `%b` is needed on both devices. The first sum is computed
// on the CPU, the second on the first GPU; nothing says where the difference
// goes, so the compiler decides, and puts in the copies that follow.
//
// Run it:
//   hetero-run examples/shared-operand.mlir --report \
//     --input=5x7xf32=iota --input=5x7xf32=2.5 --input=5x7xf32=1
//
// See the copies:
//   hetero-opt examples/shared-operand.mlir --hetero-place \
//     --hetero-materialize-copies

func.func @main(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>,
                %c: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %empty = tensor.empty() : tensor<5x7xf32>
  %left = linalg.add {hetero.device = #hetero.device<cpu>}
    ins(%a, %b : tensor<5x7xf32>, tensor<5x7xf32>)
    outs(%empty : tensor<5x7xf32>) -> tensor<5x7xf32>
  %right = linalg.add {hetero.device = #hetero.device<gpu:0>}
    ins(%b, %c : tensor<5x7xf32>, tensor<5x7xf32>)
    outs(%empty : tensor<5x7xf32>) -> tensor<5x7xf32>
  %difference = linalg.sub
    ins(%left, %right : tensor<5x7xf32>, tensor<5x7xf32>)
    outs(%empty : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %difference : tensor<5x7xf32>
}
