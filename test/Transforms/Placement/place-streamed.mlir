// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-place --remarks-filter=hetero-place 2>&1 >%t.mlir | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place | FileCheck %s

// Constants that do not fit beside the values are streamed where that costs less
// than the host: 25,000 bytes hold one of three beside an argument's copy.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000, bandwidth = 1000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 35000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// REMARK: streamed | Category:hetero-place | Bytes={{[1-9][0-9]*}}, NeededBytes=50000, Picoseconds={{[1-9][0-9]*}}, Remark="{{[23]}} constants of gpu:0 are copied for each use, since its memory is short"
// REMARK-NOT: memory | Category
// CHECK-LABEL: @streams
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @streams(%x: tensor<2500xf32>) -> tensor<2500xf32> {
    %a = arith.constant dense<1.0> : tensor<2500xf32>
    %b = arith.constant dense<2.0> : tensor<2500xf32>
    %c = arith.constant dense<3.0> : tensor<2500xf32>
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.add ins(%x, %a : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.add ins(%0, %b : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %2 = linalg.add ins(%1, %c : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %2 : tensor<2500xf32>
  }
}

// -----

// Must not act: over a slow link that costs more than the host, which computes
// one of the sums.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 35000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 10000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 10000000, latency = 0>
// REMARK-NOT: streamed | Category
// CHECK-LABEL: @computes
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @computes(%x: tensor<2500xf32>) -> tensor<2500xf32> {
    %a = arith.constant dense<1.0> : tensor<2500xf32>
    %b = arith.constant dense<2.0> : tensor<2500xf32>
    %c = arith.constant dense<3.0> : tensor<2500xf32>
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.add ins(%x, %a : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.add ins(%0, %b : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %2 = linalg.add ins(%1, %c : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %2 : tensor<2500xf32>
  }
}
