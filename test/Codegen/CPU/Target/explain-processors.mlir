// The register tile and the width of vectors are those of each processor.
// REQUIRES: x86-64
// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu} stop-after=partitioned" --hetero-clone-for-processors=processors=all --hetero-explain-codegen -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: "product_cpu0_0" for avx512: contraction of {{.*}}: vectors of 16 along loop 1, register tile of 6 rows along loop 0 by 4 vectors
// CHECK-DAG: "product_cpu0_0" for avx2: contraction of {{.*}}: vectors of 8 along loop 1, register tile of 6 rows along loop 0 by 2 vectors
// CHECK-DAG: "product_cpu0_0" for baseline: contraction of {{.*}}: vectors of 4 along loop 1, register tile of 6 rows along loop 0 by 2 vectors
func.func @product(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%fill : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// Only one of them has an instruction for groups of products.
// CHECK-DAG: "narrow_cpu0_0" for avx512bf16: contraction of {{.*}}: vectors of 16 along loop 1, register tile of 6 rows along loop 0 by 4 vectors, {{.*}}, 4 steps of loop 2 at a time, because the processor has an instruction that adds 4 products, operand 1 in panels
// CHECK-DAG: "narrow_cpu0_0" for avx512: contraction of {{.*}} by 4 vectors, because the rows share what is loaded, operand 1 in panels
func.func @narrow(%a: tensor<512x512xi8>, %b: tensor<512x512xi8>) -> tensor<512x512xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<512x512xi32>
  %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<512x512xi32>) -> tensor<512x512xi32>
  %r = linalg.matmul ins(%a, %b : tensor<512x512xi8>, tensor<512x512xi8>) outs(%fill : tensor<512x512xi32>) -> tensor<512x512xi32>
  return %r : tensor<512x512xi32>
}
