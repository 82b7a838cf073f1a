// Both branches of an scf.if work on tensors; the condition is a scalar of the
// caller.
// inputs: i1=1 4x6xf32=randint:1 4x6xf32=randint:2
func.func @main(%which: i1, %a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %empty = tensor.empty() : tensor<4x6xf32>
  %sum = linalg.add ins(%a, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %chosen = scf.if %which -> tensor<4x6xf32> {
    %0 = linalg.mul ins(%sum, %a : tensor<4x6xf32>, tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    %1 = linalg.sub ins(%0, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    scf.yield %1 : tensor<4x6xf32>
  } else {
    scf.yield %b : tensor<4x6xf32>
  }
  %result = linalg.sub ins(%chosen, %sum : tensor<4x6xf32>, tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %result : tensor<4x6xf32>
}
