// RUN: hetero-opt-test-passes %s --test-hetero-print-topology -o /dev/null | FileCheck %s

// The default topology of several nodes: each has a host; devices of a node are
// joined to each other, and hosts by a network. What needs another way goes over
// the hosts. These numbers stand in docs/Topology.md.

// CHECK: default
// CHECK-NEXT: #hetero.device_spec<device = <cpu:0>, memory = 68719476736, compute = 500000000000, bandwidth = 50000000000, launch = 100000>
// CHECK-NEXT: #hetero.device_spec<device = <gpu:0>, memory = 17179869184
// CHECK-NEXT: #hetero.device_spec<device = <cpu:0, node = 1>, memory = 68719476736, compute = 500000000000, bandwidth = 50000000000, launch = 100000>
// CHECK-NEXT: #hetero.device_spec<device = <gpu:0, node = 1>, memory = 17179869184
// CHECK: cpu:0 to gpu:0: 1e6 bytes in 93333334 ps
// CHECK-NEXT: cpu:0 to cpu:0@1: 1e6 bytes in 105000000 ps
// CHECK-NEXT: cpu:0 to gpu:0@1: 1e6 bytes in 198333334 ps
// CHECK: gpu:0 to cpu:0@1: 1e6 bytes in 198333334 ps
// CHECK-NEXT: gpu:0 to gpu:0@1: 1e6 bytes in 291666668 ps
// CHECK: cpu:0@1 to gpu:0@1: 1e6 bytes in 93333334 ps
module attributes {hetero.devices = [#hetero.device<gpu:0, node = 1>]} {}
