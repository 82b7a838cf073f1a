// RUN: hetero-opt %s --split-input-file --hetero-place --verify-diagnostics

// Annotations that no memory suffices for are an error at the operation where
// the most is alive, with what lives there.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 25000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  // expected-note@+1 {{10000 bytes of that: an argument of 'func.func' op, copied}}
  func.func @pinned(%x: tensor<2500xf32>, %y: tensor<2500xf32>) -> tensor<2500xf32> {
    %e = tensor.empty() : tensor<2500xf32>
    // expected-note@+1 {{10000 bytes of that: what 'linalg.exp' op makes (cost)}}
    %0 = linalg.exp ins(%x : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    // expected-error@+2 {{found no placement that fits: 30000 bytes live on gpu:0 here, but it has a memory of 25000 bytes; annotate less for it, split the tensors, or correct its device_spec}}
    // expected-note@+1 {{10000 bytes of that: what 'linalg.add' op makes (pinned)}}
    %1 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%0, %y : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %1 : tensor<2500xf32>
  }
}

// -----

// State that is pinned there counts, too, and is named.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 25000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  // expected-note@+1 {{20000 bytes of that: the state @sums (pinned)}}
  ml_program.global private mutable @sums(dense<0.0> : tensor<5000xf32>) : tensor<5000xf32>
  func.func @state() -> tensor<5000xf32> {
    // expected-error@+2 {{found no placement that fits: 40000 bytes live on gpu:0 here, but it has a memory of 25000 bytes}}
    // expected-note@+1 {{20000 bytes of that: what 'ml_program.global_load' op makes (pinned)}}
    %s = ml_program.global_load @sums : tensor<5000xf32> {hetero.device = #hetero.device<gpu:0>}
    return %s : tensor<5000xf32>
  }
}
