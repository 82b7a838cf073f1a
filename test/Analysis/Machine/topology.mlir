// RUN: hetero-opt-test-passes %s --split-input-file --test-hetero-print-topology -o /dev/null | FileCheck %s

// The default topology. These numbers stand in docs/Topology.md.

// CHECK: default
// CHECK-NEXT: #hetero.device_spec<device = <cpu:0>, memory = 68719476736, compute = 500000000000, bandwidth = 50000000000, launch = 100000>
// CHECK-NEXT: #hetero.device_spec<device = <gpu:0>, memory = 17179869184, compute = 10000000000000, bandwidth = 500000000000, launch = 5000000>
// CHECK-NEXT: #hetero.link<from = <cpu:0>, to = <gpu:0>, bandwidth = 12000000000, latency = 10000000>
// CHECK-NEXT: #hetero.link<from = <gpu:0>, to = <cpu:0>, bandwidth = 12000000000, latency = 10000000>
// CHECK-NEXT: cpu:0: 1e9 flops in 2000100000 ps
// CHECK-NEXT: cpu:0 to gpu:0: 1e6 bytes in 93333334 ps
// CHECK-NEXT: gpu:0: 1e9 flops in 105000000 ps
// CHECK-NEXT: gpu:0 to cpu:0: 1e6 bytes in 93333334 ps
module {}

// -----

// Devices that annotations, copies, signatures or rules name join the default.

// CHECK: default
// CHECK-NEXT: <cpu:0>
// CHECK-NEXT: <gpu:0>
// CHECK-NEXT: <gpu:1>
// CHECK-NEXT: <gpu:4>
// CHECK-NEXT: <gpu:7>
// CHECK-NEXT: <npu:2>
// CHECK-NEXT: #hetero.link
module attributes {hetero.devices = [#hetero.device<npu:2>, #hetero.device<gpu>]} {
  func.func @main(%a: tensor<4xf32> {hetero.device = #hetero.device<gpu:1>}) -> tensor<4xf32> {
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:4>} : tensor<4xf32>
    %1 = hetero.copy %0 : tensor<4xf32> on #hetero.device<gpu:4> -> tensor<4xf32> on #hetero.device<gpu:7>
    return %1 : tensor<4xf32>
  }
}

// -----

// An explicit topology is taken as it is. A copy without a link of its own is
// routed along the fastest path; a unified link costs nothing; where no path
// leads there is no time.

// CHECK: explicit
// CHECK: cpu:0 to gpu:0: 1e6 bytes in 1000010 ps
// CHECK-NEXT: cpu:0 to gpu:1: 1e6 bytes in 1000010 ps
// CHECK-NOT: cpu:0 to gpu:2
// CHECK: gpu:0 to cpu:0: 1e6 bytes in 2000020 ps
// CHECK-NEXT: gpu:0 to gpu:1: 1e6 bytes in 0 ps
// CHECK: gpu:2
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:2>, memory = 1, compute = 1, bandwidth = 1>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000000, latency = 10>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1, latency = 10, unified = true>,
    #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 500000000000, latency = 20>]>} {}

// -----

// Devices of a node are joined in the default topology, and the hosts of nodes
// by a network, which copies between other devices are routed over.

// CHECK: default
// CHECK-NEXT: <device = <cpu:0>
// CHECK-NEXT: <device = <gpu:0>
// CHECK-NEXT: <device = <cpu:0, node = 2>
// CHECK-NEXT: <device = <gpu:1, node = 2>
// CHECK-NEXT: #hetero.link<from = <cpu:0>, to = <gpu:0>,
// CHECK-NEXT: #hetero.link<from = <gpu:0>, to = <cpu:0>,
// CHECK-NEXT: #hetero.link<from = <cpu:0, node = 2>, to = <gpu:1, node = 2>,
// CHECK-NEXT: #hetero.link<from = <gpu:1, node = 2>, to = <cpu:0, node = 2>,
// CHECK-NEXT: #hetero.network<bandwidth = 10000000000, latency = 5000000>
// CHECK: cpu:0 to gpu:0: 1e6 bytes in 93333334 ps
// CHECK-NEXT: cpu:0 to cpu:0@2: 1e6 bytes in 105000000 ps
// CHECK-NEXT: cpu:0 to gpu:1@2: 1e6 bytes in 198333334 ps
// CHECK: gpu:0 to gpu:1@2: 1e6 bytes in 291666668 ps
module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:1, node = 2>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// A listed link is taken in the place of the network, slower or not, and a way
// over it where that is faster.

// CHECK: explicit
// CHECK: #hetero.network<bandwidth = 1000000000000, latency = 5>
// CHECK: cpu:0 to cpu:0@1: 1e6 bytes in 1000009 ps
// CHECK-NEXT: cpu:0 to cpu:0@2: 1e6 bytes in 1000005 ps
// CHECK: cpu:0@1 to cpu:0: 1e6 bytes in 1000005 ps
// CHECK: cpu:0@2 to cpu:0@1: 1e6 bytes in 3 ps
// CHECK: gpu:0@2 to cpu:0: 1e6 bytes in 2000010 ps
// CHECK-NEXT: gpu:0@2 to cpu:0@1: 1e6 bytes in 1000008 ps
module attributes {hetero.topology = #hetero.topology<devices = [
    <device = <cpu:0>, compute = 1, bandwidth = 1>,
    <device = <cpu:0, node = 1>, compute = 1, bandwidth = 1>,
    <device = <cpu:0, node = 2>, compute = 1, bandwidth = 1>,
    <device = <gpu:0, node = 2>, compute = 1, bandwidth = 1>],
  links = [
    <from = <cpu:0>, to = <cpu:0, node = 1>, bandwidth = 1000000000000, latency = 9>,
    <from = <gpu:0, node = 2>, to = <cpu:0, node = 2>, bandwidth = 1000000000000, latency = 5>,
    <from = <cpu:0, node = 2>, to = <cpu:0, node = 1>, bandwidth = 1000000000000000000, latency = 2>],
  network = <bandwidth = 1000000000000, latency = 5>>} {}
