// A perceptron of three layers, cut by hand into one subgraph per device: the
// first layer on gpu:0, the second on gpu:1, the last and the softmax on the
// CPU. The operations of a layer become one region on its device, and only the
// activations travel. The weights are constants: each is uploaded once.
//
// Run it:
//   hetero-run examples/partitioned-mlp.mlir --report \
//     --input=2x4xf32=1,2,3,4,-1,0.5,-0.5,1

#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>

func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %w1 = arith.constant dense<[
    [0.5, -0.25, 0.125, 0.75, -0.5, 0.25], [-0.5, 0.5, 0.25, -0.125, 0.5, 1.0],
    [0.25, 0.125, -0.75, 0.5, 0.25, -0.5], [0.125, 0.25, 0.5, -0.5, 0.75, 0.5]
  ]> : tensor<4x6xf32>
  %b1 = arith.constant dense<[0.5, -0.5, 0.25, 1.0, 0.0, -1.0]> : tensor<6xf32>
  %w2 = arith.constant dense<[
    [0.5, 0.25, -0.5, 1.0, 0.125], [0.25, -0.5, 0.5, 0.25, 0.5],
    [-0.25, 0.5, 0.125, -0.5, 0.25], [0.5, 0.125, 0.25, 0.5, -0.25],
    [0.25, 0.5, -0.125, 0.25, 0.5], [-0.5, 0.25, 0.5, 0.125, 0.25]
  ]> : tensor<6x5xf32>
  %b2 = arith.constant dense<[0.125, 0.25, -0.25, 0.5, -0.5]> : tensor<5xf32>
  %w3 = arith.constant dense<[
    [0.5, -0.25, 0.125], [0.25, 0.5, -0.5], [-0.5, 0.25, 0.25],
    [0.125, -0.5, 0.5], [0.25, 0.125, -0.25]
  ]> : tensor<5x3xf32>

  // Layer 1: relu(x w1 + b1) on gpu:0.
  %e1 = tensor.empty() : tensor<2x6xf32>
  %z1 = linalg.fill {hetero.device = #hetero.device<gpu:0>}
    ins(%zero : f32) outs(%e1 : tensor<2x6xf32>) -> tensor<2x6xf32>
  %m1 = linalg.matmul {hetero.device = #hetero.device<gpu:0>}
    ins(%x, %w1 : tensor<2x4xf32>, tensor<4x6xf32>)
    outs(%z1 : tensor<2x6xf32>) -> tensor<2x6xf32>
  %h1 = linalg.generic {
      indexing_maps = [#matrix, #row, #matrix],
      iterator_types = ["parallel", "parallel"]}
    ins(%m1, %b1 : tensor<2x6xf32>, tensor<6xf32>)
    outs(%e1 : tensor<2x6xf32>)
    attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%value: f32, %b: f32, %old: f32):
    %sum = arith.addf %value, %b : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<2x6xf32>

  // Layer 2: relu(h1 w2 + b2) on gpu:1.
  %e2 = tensor.empty() : tensor<2x5xf32>
  %z2 = linalg.fill {hetero.device = #hetero.device<gpu:1>}
    ins(%zero : f32) outs(%e2 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m2 = linalg.matmul {hetero.device = #hetero.device<gpu:1>}
    ins(%h1, %w2 : tensor<2x6xf32>, tensor<6x5xf32>)
    outs(%z2 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %h2 = linalg.generic {
      indexing_maps = [#matrix, #row, #matrix],
      iterator_types = ["parallel", "parallel"]}
    ins(%m2, %b2 : tensor<2x5xf32>, tensor<5xf32>)
    outs(%e2 : tensor<2x5xf32>)
    attrs = {hetero.device = #hetero.device<gpu:1>} {
  ^bb0(%value: f32, %b: f32, %old: f32):
    %sum = arith.addf %value, %b : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<2x5xf32>

  // Layer 3 and softmax(h2 w3) on the CPU.
  %e3 = tensor.empty() : tensor<2x3xf32>
  %z3 = linalg.fill {hetero.device = #hetero.device<cpu>}
    ins(%zero : f32) outs(%e3 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %m3 = linalg.matmul {hetero.device = #hetero.device<cpu>}
    ins(%h2, %w3 : tensor<2x5xf32>, tensor<5x3xf32>)
    outs(%z3 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %rows = tensor.empty() : tensor<2xf32>
  %rows0 = linalg.fill {hetero.device = #hetero.device<cpu>}
    ins(%lowest : f32) outs(%rows : tensor<2xf32>) -> tensor<2xf32>
  %largest = linalg.generic {
      indexing_maps = [#matrix, #column],
      iterator_types = ["parallel", "reduction"]}
    ins(%m3 : tensor<2x3xf32>) outs(%rows0 : tensor<2xf32>)
    attrs = {hetero.device = #hetero.device<cpu>} {
  ^bb0(%value: f32, %old: f32):
    %max = arith.maximumf %value, %old : f32
    linalg.yield %max : f32
  } -> tensor<2xf32>
  %powers = linalg.generic {
      indexing_maps = [#matrix, #column, #matrix],
      iterator_types = ["parallel", "parallel"]}
    ins(%m3, %largest : tensor<2x3xf32>, tensor<2xf32>)
    outs(%e3 : tensor<2x3xf32>)
    attrs = {hetero.device = #hetero.device<cpu>} {
  ^bb0(%value: f32, %max: f32, %old: f32):
    %shifted = arith.subf %value, %max : f32
    %power = math.exp %shifted : f32
    linalg.yield %power : f32
  } -> tensor<2x3xf32>
  %sums0 = linalg.fill {hetero.device = #hetero.device<cpu>}
    ins(%zero : f32) outs(%rows : tensor<2xf32>) -> tensor<2xf32>
  %sums = linalg.generic {
      indexing_maps = [#matrix, #column],
      iterator_types = ["parallel", "reduction"]}
    ins(%powers : tensor<2x3xf32>) outs(%sums0 : tensor<2xf32>)
    attrs = {hetero.device = #hetero.device<cpu>} {
  ^bb0(%value: f32, %old: f32):
    %sum = arith.addf %value, %old : f32
    linalg.yield %sum : f32
  } -> tensor<2xf32>
  %softmax = linalg.generic {
      indexing_maps = [#matrix, #column, #matrix],
      iterator_types = ["parallel", "parallel"]}
    ins(%powers, %sums : tensor<2x3xf32>, tensor<2xf32>)
    outs(%e3 : tensor<2x3xf32>)
    attrs = {hetero.device = #hetero.device<cpu>} {
  ^bb0(%value: f32, %sum: f32, %old: f32):
    %quotient = arith.divf %value, %sum : f32
    linalg.yield %quotient : f32
  } -> tensor<2x3xf32>
  return %softmax : tensor<2x3xf32>
}
