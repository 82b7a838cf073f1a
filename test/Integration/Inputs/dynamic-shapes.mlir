// Sizes that are known only at run time, in elementwise work, a product of
// matrices and a reduction.
// inputs: 5x11xf32=randint:1 11x3xf32=randint:2 5x3xf32=randint:3
#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = arith.addf %product, %c : tensor<?x?xf32>
  %scaled = linalg.mul ins(%sum, %sum : tensor<?x?xf32>, tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %rows = tensor.empty(%m) : tensor<?xf32>
  %rows0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
    ins(%scaled : tensor<?x?xf32>) outs(%rows0 : tensor<?xf32>) {
  ^bb0(%value: f32, %old: f32):
    %0 = arith.addf %old, %value : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %scaled, %sums : tensor<?x?xf32>, tensor<?xf32>
}
