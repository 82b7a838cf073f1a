func.func @predict(%x: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %w1 = arith.constant dense<[[0.5, -1.0, 0.25], [1.0, 0.5, -0.5],
                              [-0.25, 1.0, 0.5], [0.5, 0.25, 1.0]]> : tensor<4x3xf32>
  %w2 = arith.constant dense<[[1.0, -0.5], [0.5, 1.0],
                              [-1.0, 0.5]]> : tensor<3x2xf32>
  %batch = tensor.dim %x, %c0 : tensor<?x4xf32>

  %e1 = tensor.empty(%batch) : tensor<?x3xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %m1 = linalg.matmul ins(%x, %w1 : tensor<?x4xf32>, tensor<4x3xf32>)
                      outs(%z1 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %h = linalg.map { arith.maximumf } ins(%m1, %z1 : tensor<?x3xf32>, tensor<?x3xf32>)
                                     outs(%e1 : tensor<?x3xf32>)

  %e2 = tensor.empty(%batch) : tensor<?x2xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %m2 = linalg.matmul ins(%h, %w2 : tensor<?x3xf32>, tensor<3x2xf32>)
                      outs(%z2 : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %m2 : tensor<?x2xf32>
}
