func.func @rules(%a: tensor<8xf64>, %b: tensor<4x4xf32>) -> (tensor<8xf64>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.add ins(%a, %a : tensor<8xf64>, tensor<8xf64>) outs(%a : tensor<8xf64>) -> tensor<8xf64>
  %e = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.mulf %x, %x : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  %2 = linalg.mul ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<8xf64>, tensor<4x4xf32>, tensor<4x4xf32>
}

// 2 x + 1 each time, and twice the argument.
func.func @dynamic(%x: tensor<?x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %start, %twice = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e, %e : tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%a: f32, %y: f32, %z: f32):
    %one = arith.constant 1.0 : f32
    %same = arith.mulf %a, %one : f32
    %sum = arith.addf %a, %a : f32
    linalg.yield %same, %sum : f32, f32
  } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %start) -> tensor<?x?xf32> {
    %next = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%v : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %y: f32):
      %two = arith.constant 2.0 : f32
      %one = arith.constant 1.0 : f32
      %double = arith.mulf %a, %two : f32
      %sum = arith.addf %double, %one : f32
      linalg.yield %sum : f32
    } -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  return %r, %twice : tensor<?x?xf32>, tensor<?x?xf32>
}
