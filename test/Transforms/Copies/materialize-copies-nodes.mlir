// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-verify | FileCheck %s

// A value in unified memory crosses without a copy on its node; another node does
// not address the memory.
// CHECK: %[[X:.*]] = linalg.exp
// CHECK-DAG: hetero.copy %[[X]] {hetero.unified} : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
// CHECK-DAG: hetero.copy %[[X]] : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<cpu:0, node = 1>>
func.func @unified(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.memory = #hetero.memory<unified>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs {hetero.device = #hetero.device<cpu>} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.abs {hetero.device = #hetero.device<cpu, node = 1>} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// What makes scalars is on the host of node 0, whatever the cost of a copy is.
// CHECK-LABEL: func.func @scalar
// CHECK: %[[ELEMENT:.*]] = hetero.copy %{{.*}} : tensor<1xf32, #hetero.device<cpu:0, node = 1>> -> tensor<1xf32>
// CHECK: tensor.extract %[[ELEMENT]][%{{.*}}] {hetero.device = #hetero.device<cpu:0>
func.func @scalar(%x: tensor<4xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.abs {hetero.device = #hetero.device<cpu, node = 1>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
