// A product with a transposed operand, a bias and ReLU of a number of rows that is known
// when it runs: few rows and many give the same results, as do none.

// RUN: hetero-run %s --rules="{default: cpu}" --entry=layer --input=20x40xf32=0.5 --input=33x40xf32=2 --input=33xf32=-30 | FileCheck %s --check-prefix=MANY
// RUN: hetero-run %s --rules="{default: cpu}" --entry=layer --input=3x40xf32=0.5 --input=33x40xf32=2 --input=33xf32=-30 | FileCheck %s --check-prefix=FEW
// RUN: hetero-run %s --rules="{default: cpu}" --entry=layer --input=20x40xf32=0.5 --input=33x40xf32=2 --input=33xf32=-50 | FileCheck %s --check-prefix=ZERO
// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu} stop-after=codegen" | FileCheck %s

// MANY: 20x33xf32={{(\[10( 10)+\]){20}$}}
// FEW: 3x33xf32={{(\[10( 10)+\]){3}$}}
// ZERO: 20x33xf32={{(\[0( 0)+\]){20}$}}

// What is done with each element is on the accumulators of the panel's form only.
// CHECK: scf.if
// CHECK:   arith.maximumf {{.*}} : vector<16xf32>
// CHECK:   vector.transfer_write
// CHECK: } else {
// CHECK:   vector.reduction <add>
// CHECK:   arith.maximumf

module attributes {hetero.vector_bits = 512 : i64} {

func.func @layer(%a: tensor<?x40xf32>, %b: tensor<33x40xf32>, %bias: tensor<33xf32>) -> tensor<?x33xf32> {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  %rows = tensor.dim %a, %first : tensor<?x40xf32>
  %empty = tensor.empty(%rows) : tensor<?x33xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x33xf32>) -> tensor<?x33xf32>
  %product = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<?x40xf32>, tensor<33x40xf32>) outs(%fill : tensor<?x33xf32>) -> tensor<?x33xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<?x33xf32>, tensor<33xf32>) outs(%empty : tensor<?x33xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<?x33xf32>
  return %r : tensor<?x33xf32>
}

}
