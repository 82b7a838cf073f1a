// RUN: hetero-opt %s --split-input-file --hetero-place --verify-diagnostics | FileCheck %s

// A time that no integer holds is a long one: the device can still run the
// operation, and the program is placed like any other.
// CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>
#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1, bandwidth = 1>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000000, bandwidth = 1000000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @slow_host(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
}

// -----

// The same on every device.
// CHECK-LABEL: func.func @slow_everywhere
// CHECK: linalg.matmul {hetero.device = #hetero.device<
#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1, bandwidth = 1>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1, bandwidth = 1>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 3, latency = 1>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 3, latency = 1>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @slow_everywhere(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
}

// -----

// Too little memory besides is an error, not more.
#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 4096, compute = 5, bandwidth = 5>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 4096, compute = 7, bandwidth = 7>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 3, latency = 1>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 3, latency = 1>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  // expected-note@+1 {{1048576 bytes of that: an argument of 'func.func' op}}
  func.func @large(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<512x512xf32>
    // expected-error@+2 {{found no placement that fits: 3145728 bytes live on cpu:0 here}}
    // expected-note@+1 {{1048576 bytes of that: what 'linalg.fill' op makes}}
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
}
