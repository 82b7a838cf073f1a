// Operations that move data: slices, a transposition, a broadcast, reshapes, a
// concatenation, padding, and one element read on the host.
// inputs: 4x6xf32=randint:1 6xf32=randint:2
func.func @main(%a: tensor<4x6xf32>, %row: tensor<6xf32>) -> (tensor<6x4xf32>, tensor<24xf32>, tensor<6x8xf32>, f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %spread = linalg.broadcast ins(%row : tensor<6xf32>) outs(%empty : tensor<4x6xf32>) dimensions = [0]
  %sum = linalg.add ins(%a, %spread : tensor<4x6xf32>, tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %turned0 = tensor.empty() : tensor<6x4xf32>
  %turned = linalg.transpose ins(%sum : tensor<4x6xf32>) outs(%turned0 : tensor<6x4xf32>) permutation = [1, 0]
  %slice = tensor.extract_slice %sum[1, 2] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>
  %small0 = tensor.empty() : tensor<2x3xf32>
  %doubled = linalg.add ins(%slice, %slice : tensor<2x3xf32>, tensor<2x3xf32>) outs(%small0 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %put = tensor.insert_slice %doubled into %a[0, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x6xf32>
  %flat = tensor.collapse_shape %put [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %padded = tensor.pad %sum low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<6x8xf32>
  %element = tensor.extract %sum[%c1, %c2] : tensor<4x6xf32>
  return %turned, %flat, %padded, %element : tensor<6x4xf32>, tensor<24xf32>, tensor<6x8xf32>, f32
}
