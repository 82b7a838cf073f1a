// Kernels that take tensor maps are merged as others are: each launch passes maps
// of its own operands, and its name.

// RUN: env HETERO_CUDA_DISABLE=1 %hetero_opt %s --hetero-pipeline=chip=sm_90a --remarks-filter=hetero-to-llvm -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: merged-kernels=2

// CHECK-COUNT-4: llvm.call @heteroTensorMap(
// CHECK-NOT: llvm.call @heteroTensorMap(

// RUN: env HETERO_CUDA_DISABLE=1 hetero-run %s --chip=sm_90a --input=72x64xf16=1 --input=64x80xf16=1 --input=80x88xf16=2 --report --print-max=2 | FileCheck %s --check-prefix=REPORT
// REPORT: 72x88xf16=[10240 10240...
// REPORT-DAG: kernel {{ *}}main_gpu0_0_0_matmul {{ *}}1
// REPORT-DAG: kernel {{ *}}main_gpu0_0_2_matmul {{ *}}1
func.func @main(%x: tensor<?x?xf16> {hetero.device = #hetero.device<gpu:0>}, %a: tensor<?x?xf16> {hetero.device = #hetero.device<gpu:0>}, %b: tensor<?x?xf16> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<?x?xf16> {hetero.device = #hetero.device<gpu:0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %k = tensor.dim %a, %c1 : tensor<?x?xf16>
  %n = tensor.dim %b, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m, %k) : tensor<?x?xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<?x?xf16>) -> tensor<?x?xf16>
  %0 = linalg.matmul ins(%x, %a : tensor<?x?xf16>, tensor<?x?xf16>) outs(%z : tensor<?x?xf16>) -> tensor<?x?xf16>
  %e1 = tensor.empty(%m, %n) : tensor<?x?xf16>
  %z1 = linalg.fill ins(%zero : f16) outs(%e1 : tensor<?x?xf16>) -> tensor<?x?xf16>
  %1 = linalg.matmul ins(%0, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%z1 : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %1 : tensor<?x?xf16>
}
