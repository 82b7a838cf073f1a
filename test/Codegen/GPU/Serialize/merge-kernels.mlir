// Kernels that are equal but for their names are one, and launches keep the
// names for reports. What differs in a number or a type is another kernel.

// RUN: env HETERO_CUDA_DISABLE=1 %hetero_opt %s --hetero-pipeline --remarks-filter=hetero-to-llvm -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: binaries=1, entry-points=1, merged-kernels=1
// RUN: env HETERO_CUDA_DISABLE=1 %hetero_opt %s --hetero-pipeline -o %t.again
// RUN: diff %t.mlir %t.again

// CHECK: llvm.call @heteroLaunchAs(
// CHECK-NOT: llvm.call @heteroLaunchAs(

// RUN: env HETERO_CUDA_DISABLE=1 hetero-run %s --input=32x32xf32=1 --input=32x32xf32=1 --input=32x32xf32=1 --input=32x48xf32=1 --report --print-max=2 | FileCheck %s --check-prefix=REPORT
// REPORT: 32x48xf32=[32768 32768...
// REPORT: kernel {{ *}}main_gpu0_0_0_matmul {{ *}}1
// REPORT: kernel {{ *}}main_gpu0_0_1_matmul {{ *}}1
// REPORT: kernel {{ *}}main_gpu0_0_2_matmul {{ *}}1
func.func @main(%x: tensor<32x32xf32> {hetero.device = #hetero.device<gpu:0>}, %a: tensor<32x32xf32> {hetero.device = #hetero.device<gpu:0>}, %b: tensor<32x32xf32> {hetero.device = #hetero.device<gpu:0>}, %c: tensor<32x48xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<32x48xf32> {hetero.device = #hetero.device<gpu:0>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %e2 = tensor.empty() : tensor<32x48xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x48xf32>) -> tensor<32x48xf32>
  %2 = linalg.matmul ins(%1, %c : tensor<32x32xf32>, tensor<32x48xf32>) outs(%z2 : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}
