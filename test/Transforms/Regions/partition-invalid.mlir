// RUN: hetero-opt %s --hetero-partition --allow-unregistered-dialect --split-input-file --verify-diagnostics

#gpu0 = #hetero.device<gpu:0>
!gpu0 = tensor<4xf32, #gpu0>

func.func @not_materialized(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.exp' op cannot be part of a region on gpu:0; only operations without side effects whose operands are on that device can, place it on the host}}
  %0 = linalg.exp {hetero.device = #gpu0} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#gpu0 = #hetero.device<gpu:0>
!gpu0 = tensor<4xf32, #gpu0>

func.func @side_effect(%x: !gpu0) {
  // expected-error@+1 {{'other.print' op cannot be part of a region on gpu:0}}
  "other.print"(%x) {hetero.device = #gpu0} : (!gpu0) -> ()
  return
}
