// Two convolutions with elementwise work around them and no annotation at all:
// the rules in conv-on-gpu.yaml say where the operations run.
//
// Run it:
//   hetero-run examples/conv-on-gpu.mlir --rules=examples/conv-on-gpu.yaml \
//     --report --input=1x3x10x10xf32=random:1 --input=8x3x3x3xf32=random:2 \
//     --input=8xf32=random:3 --input=4x8x3x3xf32=random:4

#row = affine_map<(n, c, h, w) -> (c)>
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>

func.func @main(%image: tensor<1x3x10x10xf32>, %filter1: tensor<8x3x3x3xf32>,
                %bias: tensor<8xf32>, %filter2: tensor<4x8x3x3xf32>)
    -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32

  // The first convolution.
  %empty1 = tensor.empty() : tensor<1x8x8x8xf32>
  %init1 = linalg.fill ins(%zero : f32)
    outs(%empty1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %conv1 = linalg.conv_2d_nchw_fchw
    ins(%image, %filter1 : tensor<1x3x10x10xf32>, tensor<8x3x3x3xf32>)
    outs(%init1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>

  // Bias and ReLU.
  %relu = linalg.generic {
      indexing_maps = [#all, #row, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%conv1, %bias : tensor<1x8x8x8xf32>, tensor<8xf32>)
    outs(%empty1 : tensor<1x8x8x8xf32>) {
  ^bb0(%value: f32, %b: f32, %old: f32):
    %sum = arith.addf %value, %b : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<1x8x8x8xf32>

  // The second convolution.
  %empty2 = tensor.empty() : tensor<1x4x6x6xf32>
  %init2 = linalg.fill ins(%zero : f32)
    outs(%empty2 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %conv2 = linalg.conv_2d_nchw_fchw
    ins(%relu, %filter2 : tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32>)
    outs(%init2 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>

  // tanh(x / 2).
  %result = linalg.generic {
      indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%conv2 : tensor<1x4x6x6xf32>) outs(%empty2 : tensor<1x4x6x6xf32>) {
  ^bb0(%value: f32, %old: f32):
    %scaled = arith.mulf %value, %half : f32
    %tanh = math.tanh %scaled : f32
    linalg.yield %tanh : f32
  } -> tensor<1x4x6x6xf32>
  return %result : tensor<1x4x6x6xf32>
}
