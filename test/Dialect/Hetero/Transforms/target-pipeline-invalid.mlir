// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=no-such-pass" 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu:x pipeline=cse" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=one-shot-bufferize{bufferize-function-boundaries}" 2>&1 | FileCheck %s --check-prefix=SIGNATURE
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=cse)" 2>&1 | FileCheck %s --check-prefix=PAREN

// PASS: error: hetero-target-pipeline: cannot parse the pipeline 'no-such-pass'
// PASS-SAME: 'no-such-pass' does not refer to a registered pass
// DEVICE: error: hetero-target-pipeline: expected a device like gpu or gpu:0, got 'gpu:x'
// SIGNATURE: error: 'hetero.execute' op expected the signature of region "a" to stay
// SIGNATURE: failed on region "a" of gpu:0
// PAREN: error: hetero-target-pipeline: cannot parse the pipeline
func.func @main(%x: tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "a" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32, #hetero.device<gpu:0>>
}
