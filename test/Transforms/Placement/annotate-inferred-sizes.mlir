// The sizes of arguments lead to those of results, by the shape inference of their operations and whatever dialect these are of.
// RUN: hetero-opt %s --hetero-annotate='rules=[{min_elements: 500000, device: gpu:0}]' | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS-LABEL: func.func @results
func.func @results(%x: tensor<?x?xf32> {hetero.dynamic_sizes = array<i64: 1000, 2000>}, %row: tensor<1x?xf32> {hetero.dynamic_sizes = array<i64: 2000>},
    %small: tensor<?x?xf32> {hetero.dynamic_sizes = array<i64: 10, 10>}, %c: i1) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  // ELEMENTS: math.exp {{.*}}"rule 1"
  %0 = math.exp %x : tensor<?x?xf32>
  // ELEMENTS: arith.truncf {{.*}}"rule 1"
  %1 = arith.truncf %0 : tensor<?x?xf32> to tensor<?x?xf16>
  // ELEMENTS: arith.select {{.*}}"rule 1"
  %2 = arith.select %c, %0, %x : tensor<?x?xf32>
  // ELEMENTS: tosa.add {{.*}}"rule 1"
  %3 = tosa.add %row, %2 : (tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // ELEMENTS: linalg.abs {{.*}}"rule 1"
  %4 = linalg.abs ins(%3 : tensor<?x?xf32>) outs(%3 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = tensor.dim %4, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d, %d) : tensor<?x?xf32>
  // ELEMENTS: linalg.matmul {{.*}}"rule 1"
  %5 = linalg.matmul ins(%4, %4 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  // ELEMENTS: tosa.transpose {{.*}}"rule 1"
  %6 = tosa.transpose %5 {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // ELEMENTS: tosa.reduce_sum %{{[^ ]*}} {axis = 1 : i32} :
  %7 = tosa.reduce_sum %6 {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  // ELEMENTS: math.exp %{{[^ ]*}} :
  %8 = math.exp %small : tensor<?x?xf32>
  return %7, %8 : tensor<?x1xf32>, tensor<?x?xf32>
}
