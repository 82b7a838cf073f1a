// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=no-such-pass" 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu:x pipeline=cse" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=one-shot-bufferize{bufferize-function-boundaries}" 2>&1 | FileCheck %s --check-prefix=SIGNATURE
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=cse)" 2>&1 | FileCheck %s --check-prefix=PAREN
// RUN: not hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=func.func(convert-scf-to-cf)" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not hetero-opt %s --hetero-target-pipeline="device=cpu pipeline=cse" 2>&1 | FileCheck %s --check-prefix=NAME

// PASS: error: hetero-target-pipeline: cannot parse the pipeline 'no-such-pass'
// PASS-SAME: 'no-such-pass' does not refer to a registered pass
// DEVICE: error: hetero-target-pipeline: expected a device like gpu or gpu:0, got 'gpu:x'
// SIGNATURE: error: 'hetero.execute' op expected the signature of region "a" to stay
// SIGNATURE: failed on region "a" of gpu:0
// PAREN: error: hetero-target-pipeline: cannot parse the pipeline
// BLOCKS: error: 'hetero.execute' op expected the body of region "b" to stay one block; keep structured control flow
// BLOCKS: failed on region "b" of gpu:1
// NAME: error: 'hetero.execute' op expected a name that the body does not refer to, got "c"; rename the region
func.func @main(%x: tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "a" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32, #hetero.device<gpu:0>>
}

func.func @branch(%x: tensor<4xf32, #hetero.device<gpu:1>>, %p: i1) -> tensor<4xf32, #hetero.device<gpu:1>> {
  %0 = hetero.execute "b" on #hetero.device<gpu:1> (%a = %x : tensor<4xf32, #hetero.device<gpu:1>>, %q = %p : i1) -> (tensor<4xf32, #hetero.device<gpu:1>>) {
    %r = scf.if %q -> tensor<4xf32> {
      %e = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %e : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    hetero.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32, #hetero.device<gpu:1>>
}

func.func private @c(tensor<4xf32>) -> tensor<4xf32>
func.func @same_name(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hetero.execute "c" on #hetero.device<cpu:0> (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %r = func.call @c(%a) : (tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
