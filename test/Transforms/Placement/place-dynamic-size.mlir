// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s --check-prefix=DEFAULT
// RUN: hetero-opt %s --split-input-file --hetero-place=dynamic-size=4096 | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-place=dynamic-size=4096 --hetero-place | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-pipeline='dynamic-size=4096 stop-after=placed' | FileCheck %s

// A dynamic dimension counts as what the option says, which stays on the
// module.

// CHECK: module attributes {{{.*}}hetero.dynamic_size = 4096 : i64
// DEFAULT-LABEL: @product
// CHECK-LABEL: @product
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // DEFAULT: linalg.matmul {hetero.device = #hetero.device<cpu:0>
  // CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What the module says holds without an option.

// DEFAULT: hetero.dynamic_size = 2048 : i64
// DEFAULT-LABEL: @said
// CHECK-LABEL: @said
module attributes {hetero.dynamic_size = 2048} {
  func.func @said(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
    // DEFAULT: linalg.matmul {hetero.device = #hetero.device<gpu:0>
    %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}

// -----

// What an argument says holds for it in any case, and for what has its sizes.

// DEFAULT-LABEL: @arguments
// CHECK-LABEL: @arguments
func.func @arguments(
    %a: tensor<?x?xf32> {hetero.dynamic_sizes = array<i64: 2048, 2048>}, %small: tensor<?x8xf32> {hetero.dynamic_sizes = array<i64: 8>})
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  // DEFAULT: linalg.exp {hetero.device = #hetero.device<gpu:0>
  %0 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  // DEFAULT: linalg.matmul {hetero.device = #hetero.device<gpu:0>
  // CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>
  %1 = linalg.matmul ins(%0, %0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = tensor.dim %small, %c0 : tensor<?x8xf32>
  %f = tensor.empty(%n, %n) : tensor<?x?xf32>
  %t = tensor.empty(%n) : tensor<8x?xf32>
  // DEFAULT: linalg.matmul {hetero.device = #hetero.device<cpu:0>
  // CHECK: linalg.matmul {hetero.device = #hetero.device<cpu:0>
  %2 = linalg.matmul ins(%small, %t : tensor<?x8xf32>, tensor<8x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Sizes that are proven to be small stay small, whatever the option says.

// CHECK-LABEL: @bounded
func.func @bounded(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %d = affine.min affine_map<(d0) -> (d0, 16)>(%n)
  %s = tensor.extract_slice %a[0, 0] [%d, %d] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%d, %d) : tensor<?x?xf32>
  // CHECK: linalg.matmul {hetero.device = #hetero.device<cpu:0>
  %0 = linalg.matmul ins(%s, %s : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Values that a loop carries have the sizes of their inits.

// DEFAULT-LABEL: @loop
func.func @loop(%a: tensor<?x?xf32> {hetero.dynamic_sizes = array<i64: 1024, 1024>}, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<?x?xf32>) {
    // DEFAULT: linalg.matmul {hetero.device = #hetero.device<gpu:0>
    %1 = linalg.matmul ins(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}
