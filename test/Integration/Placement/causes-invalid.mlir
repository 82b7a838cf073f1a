// Where cost decided, the error goes on to what left it no choice: a note per
// link, back to what is pinned or has a place of its own.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-place

module attributes {hetero.topology = #hetero.topology<devices = [
  #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000, bandwidth = 1000>,
  #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000, bandwidth = 1000>],
  links = [#hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000, latency = 1000>]>} {
  // expected-error@+1 {{'func.func' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
  func.func @operands(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@+1 {{'math.exp' op makes what that reads, on gpu:0: pinned}}
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %1 = math.absf %0 : tensor<4xf32>
    // expected-note@+1 {{'math.ceil' op makes it on gpu:0: cost}}
    %2 = math.ceil %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  // Both ends are pinned.
  func.func @ends(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@+1 {{'math.exp' op makes what that reads, on gpu:0: pinned}}
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes it on gpu:0: cost}}
    %1 = math.absf %0 : tensor<4xf32>
    // expected-error@+2 {{'math.sin' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
    // expected-note@+1 {{'math.sin' op needs it on cpu:0: pinned}}
    %2 = math.sin %1 {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  // An argument is where the signature says.
  // expected-error@+2 {{'func.func' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
  // expected-note@+1 {{'func.func' op has what that reads, on gpu:0}}
  func.func @argument(%a: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> tensor<4xf32> {
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %0 = math.absf %a : tensor<4xf32>
    // expected-note@+1 {{'math.ceil' op makes it on gpu:0: cost}}
    %1 = math.ceil %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  // Through what a loop carries, into its body.
  // expected-error@+1 {{'func.func' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
  func.func @loop(%a: tensor<4xf32>) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    // expected-note@+1 {{'scf.for' op carries what that reads, on gpu:0}}
    %0 = scf.for %i = %c0 to %c10 step %c1 iter_args(%c = %a) -> tensor<4xf32> {
      %1 = math.absf %c : tensor<4xf32>
      // expected-note@+1 {{'math.exp' op makes what that reads, on gpu:0: pinned}}
      %2 = math.exp %1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    // expected-note@+1 {{'math.ceil' op makes it on gpu:0: cost}}
    %3 = math.ceil %0 : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
  // Of a long chain both ends.
  // expected-error@+2 {{'func.func' op needs a tensor on cpu:0 that is on gpu:0, and the topology has no path from gpu:0 to cpu:0; add links or place one of the two elsewhere}}
  // expected-note@+1 {{4 more in between}}
  func.func @long(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@+1 {{'math.exp' op makes what that reads, on gpu:0: pinned}}
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %1 = math.absf %0 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %2 = math.absf %1 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %3 = math.absf %2 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %4 = math.absf %3 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %5 = math.absf %4 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %6 = math.absf %5 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %7 = math.absf %6 : tensor<4xf32>
    // Left out.
    %8 = math.absf %7 : tensor<4xf32>
    // Left out.
    %9 = math.absf %8 : tensor<4xf32>
    // Left out.
    %10 = math.absf %9 : tensor<4xf32>
    // Left out.
    %11 = math.absf %10 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %12 = math.absf %11 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %13 = math.absf %12 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %14 = math.absf %13 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %15 = math.absf %14 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %16 = math.absf %15 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %17 = math.absf %16 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %18 = math.absf %17 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes what that reads, on gpu:0: cost}}
    %19 = math.absf %18 : tensor<4xf32>
    // expected-note@+1 {{'math.absf' op makes it on gpu:0: cost}}
    %20 = math.absf %19 : tensor<4xf32>
    return %20 : tensor<4xf32>
  }
}

// -----

// The other way: what the host has cannot get to the device.
module attributes {hetero.topology = #hetero.topology<devices = [
  #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000, bandwidth = 1000>,
  #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000, bandwidth = 1000>],
  links = [#hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000, latency = 1000>]>} {
  // expected-note@+1 {{'func.func' op has what that reads, on cpu:0}}
  func.func @host(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@+1 {{'math.absf' op makes what that reads, on cpu:0: cost}}
    %0 = math.absf %a : tensor<4xf32>
    // expected-note@+1 {{'math.ceil' op makes it on cpu:0: cost}}
    %1 = math.ceil %0 : tensor<4xf32>
    // expected-error@+2 {{'math.exp' op needs a tensor on gpu:0 that is on cpu:0, and the topology has no path from cpu:0 to gpu:0; add links or place one of the two elsewhere}}
    // expected-note@+1 {{'math.exp' op needs it on gpu:0: pinned}}
    %2 = math.exp %1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
