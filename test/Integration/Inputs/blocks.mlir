// A loop of blocks that carries two tensors, and a switch between blocks.
// inputs: i32=1 3x5xf32=randint:1 3x5xf32=randint:2
func.func private @step(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %empty = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.add ins(%a, %b : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %b, %0 : tensor<3x5xf32>, tensor<3x5xf32>
}
func.func @main(%which: i32, %a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %empty = tensor.empty() : tensor<3x5xf32>
  cf.br ^loop(%c0, %a, %b : index, tensor<3x5xf32>, tensor<3x5xf32>)
^loop(%i: index, %x: tensor<3x5xf32>, %y: tensor<3x5xf32>):
  %next:2 = call @step(%x, %y) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
  %0 = linalg.sub ins(%next#1, %a : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %c4 : index
  cf.cond_br %more, ^loop(%j, %next#0, %0 : index, tensor<3x5xf32>, tensor<3x5xf32>), ^after
^after:
  cf.switch %which : i32, [
    default: ^end(%0 : tensor<3x5xf32>),
    0: ^end(%a : tensor<3x5xf32>),
    1: ^square
  ]
^square:
  %1 = linalg.mul ins(%0, %b : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  cf.br ^end(%1 : tensor<3x5xf32>)
^end(%r: tensor<3x5xf32>):
  %2 = linalg.add ins(%r, %0 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r, %2 : tensor<3x5xf32>, tensor<3x5xf32>
}
