// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu} stop-after=partitioned" --hetero-explain-codegen -o %t 2>&1 | FileCheck %s
// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu} stop-after=partitioned" 2>/dev/null | diff %t -
// RUN: hetero-opt %t --hetero-explain-codegen 2>/dev/null | diff %t -
// RUN: not hetero-opt %s --hetero-explain-codegen 2>&1 | FileCheck %s --check-prefix=PHASE

// PHASE: error: expected a module in phase 'partitioned', got phase {{.*}}; run hetero-explain-codegen right after hetero-partition

// Must not act, already done: the module stays as it is, however often the pass
// runs.

module attributes {hetero.vector_bits = 512 : i64} {

// CHECK: explain-codegen.mlir:[[# @LINE + 5]]:{{.*}} remark: "product_cpu0_0": contraction of 256 x 64 x 512 in tiles with steps of 256 x 64: vectors of 16 along loop 1, register tile of 6 rows along loop 0 by 4 vectors, because the rows share what is loaded, operand 1 in panels of 512 x 64, because its rows are far apart
func.func @product(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%fill : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// CHECK: remark: "weights_cpu0_0": contraction of {{.*}}: vectors of 16 along loop 1, {{.*}}, operand 1 in panels of 512 x 48, made of transposed blocks, because many rows share them
func.func @weights(%a: tensor<96x512xf32>, %b: tensor<48x512xf32>) -> tensor<96x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<96x48xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x48xf32>) -> tensor<96x48xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<96x512xf32>, tensor<48x512xf32>) outs(%fill : tensor<96x48xf32>) -> tensor<96x48xf32>
  return %r : tensor<96x48xf32>
}

// CHECK: remark: "weights_of_some_cpu0_0": contraction of {{.*}}, made of transposed blocks, because many rows share them (of fewer than 16 sums in lanes)
func.func @weights_of_some(%a: tensor<?x512xf32>, %b: tensor<48x512xf32>, %c: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<?x512xf32>, tensor<48x512xf32>) outs(%c : tensor<?x48xf32>) -> tensor<?x48xf32>
  return %r : tensor<?x48xf32>
}

// CHECK: remark: "weights_of_few_cpu0_0": contraction of 4 x {{.*}}, whose lanes hold partial results, register tile of 6 rows along loop 1 by 1 vector by 4 iterations of loop 0, because the rows share what is loaded
func.func @weights_of_few(%a: tensor<4x512xf32>, %b: tensor<48x512xf32>) -> tensor<4x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x48xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x48xf32>) -> tensor<4x48xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x512xf32>, tensor<48x512xf32>) outs(%fill : tensor<4x48xf32>) -> tensor<4x48xf32>
  return %r : tensor<4x48xf32>
}

// CHECK: remark: "sums_cpu0_0": reduction of {{.*}}: vectors of 16 along loop 1, whose lanes hold partial results, register tile of 4 vectors
func.func @sums(%a: tensor<512x512xf32>) -> tensor<512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<512xf32>) -> tensor<512xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<512x512xf32>) outs(%fill : tensor<512xf32>) dimensions = [1]
  return %r : tensor<512xf32>
}

// CHECK: remark: "row_cpu0_0": contraction of 1 x 1000 x 2048 in one piece: vectors of 16 along loop 1, register tile of 4 vectors, 8 steps of the reduction in each pass, because memory that is read once is read in its order
func.func @row(%a: tensor<1x2048xf32>, %b: tensor<2048x1000xf32>) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1000xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x2048xf32>, tensor<2048x1000xf32>) outs(%fill : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %r : tensor<1x1000xf32>
}

// CHECK: remark: "filters_cpu0_0": contraction of 1 x 16 x 7 x 7 x 512 x 3 x 3 in tiles with steps of 16: vectors of 8 along loop 3, register tile of 8 rows along loop 1 by 1 vector by 3 iterations of loop 2, because the rows share what is loaded, loop 2 inside loop 1, because that reads more
func.func @filters(%a: tensor<1x512x9x9xf32>, %b: tensor<512x512x3x3xf32>) -> tensor<1x512x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x512x7x7xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>) outs(%fill : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  return %r : tensor<1x512x7x7xf32>
}

// CHECK: remark: "relu_cpu0_0": contraction of
// CHECK: remark: "relu_cpu0_0": elementwise over {{.*}}, on the accumulators of the contraction before, because nothing else reads that
func.func @relu(%a: tensor<12x32xf32>, %b: tensor<32x64xf32>) -> tensor<12x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<12x32xf32>, tensor<32x64xf32>) outs(%fill : tensor<12x64xf32>) -> tensor<12x64xf32>
  %y = linalg.max ins(%r, %fill : tensor<12x64xf32>, tensor<12x64xf32>) outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
  return %y : tensor<12x64xf32>
}

// CHECK: remark: "copied_cpu0_0": elementwise over 3 x 5 in one piece: vectors of 8 along loop 1, register tile of 1 vector
func.func @copied(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %empty = tensor.empty() : tensor<3x5xf32>
  %r = linalg.exp ins(%a : tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

}
