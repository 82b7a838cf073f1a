// RUN: hetero-opt %s --hetero-place=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000, bandwidth = 10000000000>
#gpu0 = #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 100000000000, bandwidth = 100000000000>
#gpu1 = #hetero.device_spec<device = #hetero.device<gpu:1>, compute = 1000000000, bandwidth = 100000000000>
#a = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 10000000000, latency = 1000>
#b = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 10000000000, latency = 1000>
#c = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 10000000000, latency = 1000>
#d = #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 10000000000, latency = 1000>
#scalar = affine_map<(d0) -> ()>
#id = affine_map<(d0) -> (d0)>
// What may be made anywhere is made where that is fast, and copied, also with
// three devices.
// CHECK: linalg.generic {{.*}}hetero.device = #hetero.device<gpu:0>{{.*}}copies are cheaper than repetition
// REPORT: "cost_seconds": 0.000415
// REPORT-NEXT: "lower_bound_seconds": 0.000415
// REPORT: "optimal": true
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu0, #gpu1], links = [#a, #b, #c, #d]>} {
  func.func @anywhere(%s: f32) -> (tensor<100000xf32>, tensor<100000xf32>, tensor<100000xf32>) {
    %e = tensor.empty() : tensor<100000xf32>
    %0 = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel"]} ins(%s : f32) outs(%e : tensor<100000xf32>) {
    ^bb0(%x: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %m = arith.mulf %x, %f : f32
      %1 = math.exp %m : f32
      %2 = math.exp %1 : f32
      %3 = math.exp %2 : f32
      %4 = math.exp %3 : f32
      linalg.yield %4 : f32
    } -> tensor<100000xf32>
    %5 = linalg.exp {hetero.device = #hetero.device<cpu:0>} ins(%0 : tensor<100000xf32>) outs(%e : tensor<100000xf32>) -> tensor<100000xf32>
    %6 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%0 : tensor<100000xf32>) outs(%e : tensor<100000xf32>) -> tensor<100000xf32>
    %7 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%0 : tensor<100000xf32>) outs(%e : tensor<100000xf32>) -> tensor<100000xf32>
    return %5, %6, %7 : tensor<100000xf32>, tensor<100000xf32>, tensor<100000xf32>
  }
}
