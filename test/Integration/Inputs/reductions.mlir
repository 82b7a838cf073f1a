// Reductions over rows, columns and everything, and a maximum of integers.
// inputs: 9x300xf32=randint:1 9x300xi32=randint:2
#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
#none = affine_map<(i, j) -> ()>
func.func @main(%a: tensor<9x300xf32>, %b: tensor<9x300xi32>) -> (tensor<9xf32>, tensor<300xf32>, tensor<f32>, tensor<9xi32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -2147483648 : i32
  %e0 = tensor.empty() : tensor<9xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<9xf32>) -> tensor<9xf32>
  %rows = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<9x300xf32>) outs(%i0 : tensor<9xf32>) {
  ^bb0(%value: f32, %old: f32):
    %0 = arith.addf %old, %value : f32
    linalg.yield %0 : f32
  } -> tensor<9xf32>
  %e1 = tensor.empty() : tensor<300xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<300xf32>) -> tensor<300xf32>
  %columns = linalg.generic {indexing_maps = [#matrix, #row], iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<9x300xf32>) outs(%i1 : tensor<300xf32>) {
  ^bb0(%value: f32, %old: f32):
    %0 = arith.addf %value, %old : f32
    linalg.yield %0 : f32
  } -> tensor<300xf32>
  %e2 = tensor.empty() : tensor<f32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  %all = linalg.generic {indexing_maps = [#matrix, #none], iterator_types = ["reduction", "reduction"]}
    ins(%a : tensor<9x300xf32>) outs(%i2 : tensor<f32>) {
  ^bb0(%value: f32, %old: f32):
    %0 = arith.addf %old, %value : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %e3 = tensor.empty() : tensor<9xi32>
  %i3 = linalg.fill ins(%least : i32) outs(%e3 : tensor<9xi32>) -> tensor<9xi32>
  %largest = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
    ins(%b : tensor<9x300xi32>) outs(%i3 : tensor<9xi32>) {
  ^bb0(%value: i32, %old: i32):
    %0 = arith.maxsi %old, %value : i32
    linalg.yield %0 : i32
  } -> tensor<9xi32>
  return %rows, %columns, %all, %largest : tensor<9xf32>, tensor<300xf32>, tensor<f32>, tensor<9xi32>
}
