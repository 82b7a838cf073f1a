// What placement for latency predicts is what the schedule has in the end, where
// nothing that comes between changes times: one model of engines and links, and
// one scheduler. Each of two kernels takes 2 us, and copies in and out take 4 us
// each, both devices at the same time.
// RUN: %hetero_opt %s --hetero-convert-elementwise-to-linalg --hetero-place="objective=latency report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=PLACE --input-file=%t.json
// RUN: %hetero_opt %s --hetero-pipeline="objective=latency stop-after=scheduled" --remarks-filter=hetero-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// PLACE: "cost_seconds": 1.0002{{0*[1-9]?}}e-05
// PLACE: "optimal": true
// PLACE: "single_device": {
// PLACE: "cost_seconds": 1.4003{{0*[1-9]?}}e-05
// SCHEDULE: bound_ps={{[0-9]+}}, makespan_ps=10002000,

// The least sum is on one device, for which prediction and schedule agree, too.
// RUN: %hetero_opt %s --hetero-pipeline="objective=sum stop-after=scheduled" --remarks-filter=hetero-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: bound_ps={{[0-9]+}}, makespan_ps=14003000,

module attributes {hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000, bandwidth = 1000000000000>,
             #hetero.device_spec<device = #hetero.device<gpu:1>, compute = 1000000000, bandwidth = 1000000000000>],
  links = [#hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
  func.func @main(%a: tensor<1000xf32>, %b: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
    %0 = math.exp %a : tensor<1000xf32>
    %1 = math.absf %0 : tensor<1000xf32>
    %2 = math.sqrt %b : tensor<1000xf32>
    %3 = math.floor %2 : tensor<1000xf32>
    return %1, %3 : tensor<1000xf32>, tensor<1000xf32>
  }
}
