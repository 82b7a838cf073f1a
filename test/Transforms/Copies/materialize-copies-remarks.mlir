// RUN: hetero-opt %s --hetero-materialize-copies --remarks-filter=hetero-materialize-copies -o /dev/null 2>&1 | FileCheck %s

// The user's copy goes when ours takes its place, and the copies after that
// may be where it was: each of them has its remark.
// CHECK-DAG: Reason="needed by arith.addf at {{.*}}, arith.mulf at {{.*}}", Remark="copy of %arg0 of @merged from cpu:0 to gpu:0"
// CHECK-DAG: Reason="needed by tensor.extract at {{.*}}", Remark="copy of element of arith.mulf at {{.*}} from gpu:0 to cpu:0"
func.func @merged(%x: tensor<4xf32>, %i: index) -> f32 {
  %sum = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %copy = hetero.copy %x : tensor<4xf32> on #hetero.device<cpu:0> -> tensor<4xf32> on #hetero.device<gpu:0>
  %product = arith.mulf %copy, %sum {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %element = tensor.extract %product[%i] : tensor<4xf32>
  return %element : f32
}
