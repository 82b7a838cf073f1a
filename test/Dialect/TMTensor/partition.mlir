// Operations of tm_tensor are placed, copied to and grouped like any other, as
// they are written; what a region captures goes in with it.

// RUN: hetero-opt %s --hetero-place=default=gpu:0 --hetero-materialize-copies --hetero-optimize-copies --hetero-partition | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: hetero.copy {{.*}} -> tensor<1x2x4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.execute {{.*}} on #hetero.device<gpu:0>
// CHECK: tm_tensor.attention
// CHECK: hetero.copy {{.*}} : tensor<1x2x4xf32, #hetero.device<gpu:0>> -> tensor<1x2x4xf32>
// CHECK: hetero.execute {{.*}} on #hetero.device<cpu:0> ({{.*}}%[[S:.*]] = %{{.*}} : f32
// CHECK: tm_tensor.scan
// CHECK: arith.mulf %{{.*}}, %[[S]]
func.func @main(%q: tensor<1x2x4xf32>, %z: tensor<1x2xf32>, %s: f32) -> tensor<1x2x4xf32> {
  %e = tensor.empty() : tensor<1x2x4xf32>
  %0 = tm_tensor.attention ins(%q, %q, %q : tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
      outs(%e : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %1:2 = tm_tensor.scan dimension(2) inclusive(true) ins(%0 : tensor<1x2x4xf32>)
      outs(%e, %z : tensor<1x2x4xf32>, tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.mulf %a, %s : f32
    %u = arith.addf %t, %b : f32
    tm_tensor.yield %u : f32
  } -> tensor<1x2x4xf32>, tensor<1x2xf32>
  return %1#0 : tensor<1x2x4xf32>
}
