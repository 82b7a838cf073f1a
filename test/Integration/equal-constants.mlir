// A weight that the host and a device use, or that the program holds twice, is
// written once: what devices upload are the bytes that the host reads.

// RUN: hetero-opt %s --hetero-pipeline | FileCheck %s --check-prefix=IR
// RUN: hetero-run %s --entry=main --input=8xf32=1 | FileCheck %s

// IR-COUNT-1: llvm.mlir.global private constant @__constant_{{.*}}(dense{{.*}}1.500000e+00, 2.500000e+00
// IR-NOT: llvm.mlir.global private constant @__constant_{{.*}}1.500000e+00, 2.500000e+00

// CHECK: 8xf32=2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5
// CHECK: 8xf32=1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5
// CHECK: 2x4xf32=[2.5 3.5 4.5 5.5][6.5 7.5 8.5 9.5]
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<2x4xf32>) {
  %w = arith.constant dense<[1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]> : tensor<8xf32>
  %v = arith.constant dense<[[1.5, 2.5, 3.5, 4.5], [5.5, 6.5, 7.5, 8.5]]> : tensor<2x4xf32>
  %y = tensor.expand_shape %x [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %0 = arith.addf %x, %w {hetero.device = #hetero.device<cpu:0>} : tensor<8xf32>
  %1 = arith.mulf %x, %w {hetero.device = #hetero.device<gpu:0>} : tensor<8xf32>
  %2 = arith.addf %y, %v {hetero.device = #hetero.device<gpu:0>} : tensor<2x4xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<2x4xf32>
}
