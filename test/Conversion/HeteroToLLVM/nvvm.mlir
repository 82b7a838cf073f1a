// Kernels are in the nvvm dialect before they are serialized, and are gone after
// it: only their PTX is left.

// RUN: %hetero_opt %s --hetero-pipeline --mlir-print-ir-after=convert-gpu-to-nvvm -o %t.mlir 2>&1 | FileCheck %s
// CHECK: gpu.module @hetero_kernels [#nvvm.target<{{.*}}chip = "sm_80"
// CHECK: llvm.func @main_gpu0_0_{{.*}}(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {{{.*}}nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>}
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.tid.x

// RUN: FileCheck %s --check-prefix=BINARY < %t.mlir
// BINARY-NOT: nvvm.kernel
// BINARY: gpu.binary @hetero_kernels [#gpu.object<#nvvm.target<{{.*}}assembly = "{{.*}}.target sm_80{{.*}}.visible .entry main_gpu0_0_

// Shared memory and barriers too.
// RUN: %hetero_opt %s --hetero-pipeline="chip=sm_90" --mlir-print-ir-after=convert-gpu-to-nvvm -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MATMUL
// MATMUL: chip = "sm_90"
// MATMUL: llvm.mlir.global internal @{{.*}}() {addr_space = 3 : i32
// MATMUL: nvvm.barrier

func.func @main(%x: tensor<64xf32>, %a: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c0 = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64x64xf32>
}
