// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s --check-prefix=DEFAULT
// RUN: hetero-opt %s --split-input-file --hetero-place=trip-count=100000 | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-place=trip-count=100000 --hetero-place | FileCheck %s

// Where a trip count is not static, costs go by what the option says, which
// stays on the module.

// CHECK: module attributes {{{.*}}hetero.trip_count = 100000 : i64}
// DEFAULT-LABEL: @loop
// CHECK-LABEL: @loop
func.func @loop(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %n: index) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<128x128xf32>) {
    // DEFAULT: linalg.matmul {hetero.device = #hetero.device<cpu:0>
    // CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>
    %1 = linalg.matmul ins(%x, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%x : tensor<128x128xf32>) -> tensor<128x128xf32>
    scf.yield %1 : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// -----

// What the module says holds without an option.

// DEFAULT: hetero.trip_count = 1000 : i64
// DEFAULT-LABEL: @said
// CHECK-LABEL: @said
module attributes {hetero.trip_count = 1000} {
  func.func @said(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %n: index) -> tensor<128x128xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<128x128xf32>) {
      // DEFAULT: linalg.matmul {hetero.device = #hetero.device<gpu:0>
      %1 = linalg.matmul ins(%x, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%x : tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %1 : tensor<128x128xf32>
    }
    return %0 : tensor<128x128xf32>
  }
}
