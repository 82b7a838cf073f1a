// RUN: hetero-opt %s --hetero-target-pipeline="device=gpu:0 pipeline=linalg-generalize-named-ops" | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-target-pipeline="device=gpu:0 pipeline=linalg-generalize-named-ops" --hetero-target-pipeline="device=gpu:0 pipeline=linalg-generalize-named-ops" | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-target-pipeline="device=npu pipeline=linalg-generalize-named-ops" | FileCheck %s --check-prefix=NONE
// RUN: hetero-opt %s --hetero-target-pipeline="device=gpu:0 pipeline=linalg-generalize-named-ops" --remarks-filter=hetero-target-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Analysis] regions | Category:hetero-target-pipeline | {{.*}}count=2

// The second run shows what is already done. The third names a device that no
// region has: nothing happens, and nothing is wrong.
// NONE-NOT: linalg.generic

#gpu0 = #hetero.device<gpu:0>
!gpu0 = tensor<4xf32, #gpu0>

// Control flow: regions in branches and loops are found, and operations around
// them, outside of any region, are not touched.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: hetero.execute "branch_gpu0_0"
// CHECK: linalg.generic
// CHECK: linalg.exp
func.func @branch(%p: i1, %x: !gpu0, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    %1 = hetero.execute "branch_gpu0_0" on #gpu0 (%a = %x : !gpu0) -> (!gpu0) {
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %2 : tensor<4xf32>
    }
    %3 = hetero.copy %1 : !gpu0 -> tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  } else {
    %1 = linalg.exp ins(%y : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Control flow inside of a region belongs to the region.
// CHECK-LABEL: func.func @loop
// CHECK: hetero.execute "loop_gpu0_0"
// CHECK: scf.for
// CHECK: linalg.generic
func.func @loop(%n: index, %x: !gpu0) -> !gpu0 {
  %0 = hetero.execute "loop_gpu0_0" on #gpu0 (%a = %x : !gpu0, %m = %n : index) -> (!gpu0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = scf.for %i = %c0 to %m step %c1 iter_args(%c = %a) -> (tensor<4xf32>) {
      %2 = linalg.exp ins(%c : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    hetero.yield %1 : tensor<4xf32>
  }
  return %0 : !gpu0
}
