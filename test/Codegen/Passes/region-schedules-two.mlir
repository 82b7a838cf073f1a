// Devices that name different schedules: each region is compiled by its own, and
// each file is read once.

// RUN: sed 's#FIRST#%S/Inputs/tile.mlir#; s#SECOND#%S/Inputs/tile-rows.mlir#' %s > %t.mlir
// RUN: %hetero_opt %t.mlir --hetero-codegen --hetero-verify --remarks-filter=hetero-codegen 2> %t.remarks | FileCheck %s --enable-var-scope
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: summary | Category:hetero-codegen | kernel-calls=0, kernels=0, regions=2, scheduled=2, size-checks=0

#first = #hetero.device<cpu:0, unit = "a", codegen = "schedule:FIRST">
#second = #hetero.device<cpu:0, unit = "b", codegen = "schedule:SECOND">
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
// CHECK-LABEL: func @both
// CHECK: hetero.execute "r"
// CHECK: scf.for %{{.*}} step %c8
// CHECK: scf.for %{{.*}} step %c16
// CHECK: hetero.execute "s"
// CHECK: scf.for %{{.*}} step %c4
// CHECK: scf.for %{{.*}} step %c32
func.func @both(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = hetero.execute "r" on #first (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>, %i = %c : tensor<64x64xf32>) -> (tensor<64x64xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  %1 = hetero.execute "s" on #second (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>, %i = %c : tensor<64x64xf32>) -> (tensor<64x64xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}
}
