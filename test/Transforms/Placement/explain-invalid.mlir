// RUN: hetero-opt %s --hetero-explain -split-input-file -verify-diagnostics

// expected-error@below {{expected a module in phase 'placed', got phase 'none'; run hetero-explain right after hetero-place}}
module {
}

// -----

// expected-error@below {{expected a module in phase 'placed', got phase 'materialized'; run hetero-explain right after hetero-place}}
module attributes {hetero.phase = #hetero.phase<materialized>} {
}

// -----

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @no_origin(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@below {{expected a device with an ordinal and an origin, as hetero-place writes them; run it first}}
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @no_device(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@below {{expected a device with an ordinal and an origin, as hetero-place writes them; run it first}}
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

#cpu = #hetero.device<cpu:0>
// expected-note@below {{the topology stands here}}
module attributes {hetero.phase = #hetero.phase<placed>, hetero.topology = #hetero.topology<devices = [#hetero.device_spec<device = #cpu, memory = 1, compute = 1, bandwidth = 1>], links = []>} {
  func.func @unknown_device(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@below {{'linalg.exp' op is annotated with gpu:7, which the topology does not have (cpu:0)}}
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:7>, hetero.origin = "cost"} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
