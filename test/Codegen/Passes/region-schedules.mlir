// A schedule on the device compiles the region in the place of the strategy:
// it runs on the region's body before the rest of the pipeline.

// RUN: sed 's#FILE#%S/Inputs/tile.mlir#' %s > %t.mlir
// RUN: hetero-opt %t.mlir --hetero-codegen --hetero-verify -o %t.once
// RUN: FileCheck %s --enable-var-scope < %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -
// RUN: hetero-opt %t.mlir --hetero-explain-codegen 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN

#scheduled = #hetero.device<cpu:0, codegen = "schedule:FILE">
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// Acts: loops over tiles of 8 x 16, which are vectorized.
// EXPLAIN: remark: "r": contraction of 8 x 16 x 32
// CHECK-LABEL: func @acts
// CHECK: scf.for %{{.*}} step %c8
// CHECK: scf.for %{{.*}} step %c16
// CHECK: vector.transfer_read
func.func @acts(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = hetero.execute "r" on #scheduled (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>, %i = %c : tensor<64x64xf32>) -> (tensor<64x64xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// Control flow: what stands in a loop of the region is found, too.
// CHECK-LABEL: func @loop
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK: scf.for %{{.*}} step %c8
func.func @loop(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %0 = hetero.execute "l" on #scheduled (%x = %a : tensor<64x64xf32>, %i = %c : tensor<64x64xf32>, %m = %n : index) -> (tensor<64x64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = scf.for %k = %c0 to %m step %c1 iter_args(%t = %i) -> (tensor<64x64xf32>) {
      %e = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%t : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    }
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// Must not act: a region without a schedule is tiled by the strategy.
// CHECK-LABEL: func @strategy
// CHECK-NOT: step %c8
// CHECK: return
func.func @strategy(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = hetero.execute "s" on #hetero.device<cpu:0> (%x = %a : tensor<64x32xf32>, %y = %b : tensor<32x64xf32>, %i = %c : tensor<64x64xf32>) -> (tensor<64x64xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
}
