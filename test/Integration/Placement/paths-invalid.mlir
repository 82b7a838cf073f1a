// Devices that no path joins cannot exchange values: cost avoids it, and what
// annotations ask for is an error that names both ends.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-place

module attributes {hetero.topology = #hetero.topology<devices = [
  #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000000, compute = 1000000000000, bandwidth = 50000000000>,
  #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1000000000, compute = 9000000000000, bandwidth = 90000000000>],
  links = [#hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 25000000000, latency = 0>]>} {
  // Cost does not go where there is no way back.
  func.func @open(%x: tensor<4096xf32>) -> tensor<4096xf32> {
    %0 = arith.addf %x, %x : tensor<4096xf32>
    return %0 : tensor<4096xf32>
  }
  func.func @pinned(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@+1 {{'arith.addf' op makes it on gpu:0: pinned}}
    %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    // expected-note@+2 {{'arith.subf' op needs it on cpu:0: pinned}}
    // expected-error@+1 {{'arith.subf' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
    %1 = arith.subf %0, %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  // expected-note@+2 {{'func.func' op has it on gpu:0}}
  // expected-error@+1 {{'func.func' op needs a tensor on cpu:0 that is on gpu:0}}
  func.func @returned(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  // The chain goes through what control flow carries, back to the annotation.
  func.func @handed_on(%x: tensor<4xf32>) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    // expected-note@+1 {{'scf.for' op carries it, on gpu:0}}
    %0 = scf.for %i = %c0 to %c10 step %c1 iter_args(%c = %x) -> tensor<4xf32> {
      // expected-note@+1 {{'arith.addf' op makes it on gpu:0: pinned}}
      %1 = arith.addf %c, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } {hetero.carried = [#hetero.device<gpu:0>]}
    // expected-note@+2 {{'arith.subf' op needs it on cpu:0: pinned}}
    // expected-error@+1 {{'arith.subf' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
    %2 = arith.subf %0, %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
