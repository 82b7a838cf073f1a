// Devices that share memory: the copy stays as a wait and moves no bytes.
//
// RUN: hetero-opt %s --hetero-place="report=%t.json" --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: hetero-run %s --entry=mixed --input=4xf32=iota --expected=4xf32=0,8,16,24

// REPORT: "copies": 3
// REPORT: "from": "cpu:0"
// REPORT-NEXT: "to": "gpu:0"
// REPORT-NEXT: "copies": 1
// REPORT-NEXT: "bytes": 0,
// REPORT: "from": "gpu:0"
// REPORT-NEXT: "to": "gpu:1"
// REPORT-NEXT: "copies": 1
// REPORT-NEXT: "bytes": 16,
// REPORT: "from": "gpu:1"
// REPORT-NEXT: "to": "cpu:0"
// REPORT-NEXT: "copies": 1
// REPORT-NEXT: "bytes": 16,

// CHECK-LABEL: @mixed(
// CHECK: hetero.copy %{{.*}} : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %{{.*}} : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: hetero.copy %{{.*}} : tensor<4xf32, #hetero.device<gpu:1>> -> tensor<4xf32>
// CHECK-NOT: hetero.copy
module attributes {hetero.topology = #hetero.topology<devices = [
  #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000000, compute = 1000000000000, bandwidth = 50000000000>,
  #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1000000000, compute = 1000000000000, bandwidth = 50000000000>,
  #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 1000000000, compute = 1000000000000, bandwidth = 50000000000>],
  links = [
  #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 25000000000, latency = 8000000, unified = true>,
  #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 25000000000, latency = 8000000, unified = true>,
  #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<gpu:1>, bandwidth = 25000000000, latency = 8000000>,
  #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<gpu:0>, bandwidth = 25000000000, latency = 8000000>,
  #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 25000000000, latency = 8000000>,
  #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 25000000000, latency = 8000000>]>} {
  func.func @mixed(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = arith.addf %0, %0 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
    %2 = arith.addf %1, %1 {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
