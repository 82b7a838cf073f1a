// RUN: hetero-opt %s --hetero-place="report=%t.json" -o /dev/null && FileCheck %s < %t.json
// RUN: not hetero-opt %s --hetero-place=placement=greedy 2>&1 | FileCheck %s --check-prefix=GREEDY

// The report has the bytes that live at once, and that a capacity is the
// reason for a cost above the bound. The greedy placement does not search.

// CHECK: "cost_seconds":
// CHECK-NEXT: "lower_bound_seconds":
// CHECK-NEXT: "gap": 0.9
// CHECK-NEXT: "optimal": false,
// CHECK-NEXT: "copies": 4,
// CHECK-NEXT: "memory": "limited",
// CHECK: "device": "cpu:0",
// CHECK-NEXT: "ops": 1,
// CHECK-NEXT: "seconds":
// CHECK-NEXT: "memory_bytes": 40000
// CHECK-NEXT: },
// CHECK: "device": "gpu:0",
// CHECK-NEXT: "ops": 2,
// CHECK-NEXT: "seconds":
// CHECK-NEXT: "memory_bytes": 20000,
// CHECK-NEXT: "memory_capacity": 20000

// GREEDY: error: the placement does not fit: 30000 bytes live on gpu:0 here, but it has a memory of 20000 bytes; use placement=optimal

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 20000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @main(%x: tensor<2500xf32>, %y: tensor<2500xf32>) -> tensor<2500xf32> {
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.add ins(%0, %y : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %2 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%1 : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %2 : tensor<2500xf32>
  }
}
