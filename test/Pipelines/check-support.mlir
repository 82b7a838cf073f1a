// RUN: hetero-opt %s --hetero-pipeline=stop-after=partitioned | FileCheck %s
// RUN: not hetero-opt %s --hetero-pipeline=stop-after=codegen 2>&1 | FileCheck %s --check-prefix=LOWERED

// What is not compiled can be placed and looked at.

// CHECK: nvvm.barrier0
// LOWERED: error: not supported: 'nvvm.barrier0' op; the notes say where each is, and what to do
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  nvvm.barrier0
  return %0 : tensor<4xf32>
}
