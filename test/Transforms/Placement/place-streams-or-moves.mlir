// RUN: hetero-opt %s --split-input-file --hetero-place --verify-roundtrip | FileCheck %s

// Where memory is short, the cheapest placement may be one that streams a
// constant; all are looked at where they are few. The constant is read on both
// devices.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 10000000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 120000, compute = 10000000000, bandwidth = 10000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// CHECK-LABEL: @shared
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>
// CHECK: linalg.exp {hetero.device = #hetero.device<cpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @shared(%x: tensor<10000xf32>) -> (tensor<10000xf32>, tensor<10000xf32>) {
    %e = tensor.empty() : tensor<10000xf32>
    %c = arith.constant dense<3.5> : tensor<10000xf32>
    %0 = linalg.add ins(%c, %c : tensor<10000xf32>, tensor<10000xf32>) outs(%e : tensor<10000xf32>) -> tensor<10000xf32>
    %1 = linalg.exp ins(%c : tensor<10000xf32>) outs(%e : tensor<10000xf32>) -> tensor<10000xf32>
    %2 = linalg.add ins(%x, %c : tensor<10000xf32>, tensor<10000xf32>) outs(%e : tensor<10000xf32>) -> tensor<10000xf32>
    %3 = linalg.add ins(%2, %1 : tensor<10000xf32>, tensor<10000xf32>) outs(%e : tensor<10000xf32>) -> tensor<10000xf32>
    return %0, %3 : tensor<10000xf32>, tensor<10000xf32>
  }
}

// -----

// One constant of four operations is copied, so that all stand where there is
// little room.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 10000000000, bandwidth = 100000000>
#gpu0 = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 20000, compute = 1000000000000, bandwidth = 100000000000>
#gpu1 = #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 30000, compute = 1000000000000, bandwidth = 100000000000>
#l0 = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#l1 = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
#l2 = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 200000000, latency = 1000>
#l3 = #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 100000000, latency = 1000>
// CHECK-LABEL: @one
// CHECK-COUNT-3: linalg.mul {hetero.device = #hetero.device<gpu:1>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu0, #gpu1], links = [#l0, #l1, #l2, #l3]>} {
  func.func @one(%x: tensor<2500xf32>) -> tensor<2500xf32> {
    %e = tensor.empty() : tensor<2500xf32>
    %c = arith.constant dense<1.5> : tensor<2500xf32>
    %0 = linalg.mul ins(%c, %x : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.mul ins(%0, %0 : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %2 = linalg.mul ins(%1, %0 : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %2 : tensor<2500xf32>
  }
}
