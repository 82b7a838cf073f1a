// Vectors of the host, a library, and the kernels of two GPUs in one library of
// the program, whose host code is there for several processors.
//
// RUN: rm -rf %t && mkdir %t
// RUN: hetero-compile %s -o %t/model.so --processors=avx2,baseline
// RUN: hetero-compile %s -o %t/model.ptx
// RUN: FileCheck %s < %t/model.h
// RUN: FileCheck %s --check-prefix=PTX < %t/model.ptx
// RUN: hetero-run %s --input=8x8xf32=1 --expected=8x8xf32=4097 --report | FileCheck %s --check-prefix=RAN

// CHECK: HeteroStatus hetero_main(const HeteroValue *arguments
// PTX-DAG: .entry main_gpu0
// PTX-DAG: .entry main_gpu1
// RAN-DAG: cpu:0 {{ *}}host region
// RAN-DAG: gpu:0 {{ *}}kernel
// RAN-DAG: gpu:1 {{ *}}kernel
// RAN: libraries:
// RAN: openblas

!m = tensor<8x8xf32>
func.func @main(%x: !m) -> !m {
  %c = arith.constant dense<0.0> : !m
  %0 = linalg.matmul {hetero.device = #hetero.device<cpu, codegen = "openblas">} ins(%x, %x : !m, !m) outs(%c : !m) -> !m
  %1 = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%0, %x : !m, !m) outs(%c : !m) -> !m
  %2 = linalg.matmul {hetero.device = #hetero.device<gpu:1>} ins(%1, %0 : !m, !m) outs(%c : !m) -> !m
  %3 = linalg.add {hetero.device = #hetero.device<cpu, codegen = "mlir">} ins(%2, %x : !m, !m) outs(%x : !m) -> !m
  return %3 : !m
}
