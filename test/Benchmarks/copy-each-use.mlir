// RUN: hetero-opt-test-passes %s --hetero-place --test-hetero-copy-each-use --hetero-verify | FileCheck %s
// RUN: hetero-opt-test-passes %s --hetero-place --test-hetero-copy-each-use --cse --canonicalize --hetero-verify | FileCheck %s --check-prefix=ONCE

// Each use on another device has a copy of its own, before it; upstream's
// passes leave one for each value and device.

// CHECK-LABEL: @uses
// ONCE-LABEL: @uses
func.func @uses(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-COUNT-2: hetero.copy %{{.*}} : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
  // CHECK-NEXT: linalg.exp
  // CHECK-COUNT-2: hetero.copy %{{.*}} : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
  // CHECK-NEXT: linalg.abs
  // CHECK-NEXT: linalg.add
  // CHECK-NEXT: hetero.copy %{{.*}} : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
  // CHECK-NEXT: return
  // ONCE-COUNT-3: hetero.copy
  // ONCE-NOT: hetero.copy
  %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
