// RUN: hetero-opt %s --hetero-pipeline=stop-after=scheduled --hetero-split-by-node --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-pipeline=stop-after=scheduled --hetero-split-by-node=node=1 --hetero-verify | FileCheck %s --check-prefix=ONE

// Each program has the variables that it uses: state is on its node and stays
// there, and what nobody there reads is not.

// CHECK-LABEL: module @node0
// CHECK-NOT: @sum
// CHECK: memref.global "private" @mine : memref<4xf32>
// CHECK-NOT: @sum
// CHECK-LABEL: module @node1
// CHECK-NOT: @mine
// CHECK-DAG: memref.global "private" @sum : memref<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: memref.global "private" @last : memref<4xf32>
// CHECK: func.func @main()
// CHECK-DAG: memref.get_global @sum
// CHECK-DAG: memref.get_global @last

// ONE-DAG: memref.global "private" @sum
// ONE-DAG: memref.global "private" @last
// ONE: func.func @main()

ml_program.global private mutable @mine(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @sum(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<gpu:0, node = 1>}
ml_program.global private mutable @last(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<cpu:0, node = 1>}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = ml_program.global_load @mine : tensor<4xf32>
  %1 = linalg.add {hetero.device = #hetero.device<cpu>} ins(%0, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  ml_program.global_store @mine = %1 : tensor<4xf32>
  %2 = ml_program.global_load @sum : tensor<4xf32>
  %3 = linalg.add {hetero.device = #hetero.device<gpu, node = 1>} ins(%2, %1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  ml_program.global_store @sum = %3 : tensor<4xf32>
  %4 = ml_program.global_load @last : tensor<4xf32>
  %5 = linalg.mul {hetero.device = #hetero.device<cpu, node = 1>} ins(%4, %3 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  ml_program.global_store @last = %5 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
