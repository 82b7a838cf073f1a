// RUN: hetero-opt-test-passes %s --split-input-file --test-hetero-print-topology -o /dev/null | FileCheck %s
// RUN: hetero-opt-test-passes %s --split-input-file --hetero-place -o /dev/null

// The machine is read from the system spec of upstream. Keys of others, and
// devices without keys of hetero, do not matter. What is left out is as in the
// default topology.

// CHECK: explicit
// CHECK-NEXT: #hetero.device_spec<device = <gpu:1>, memory = 1073741824, compute = 2000, bandwidth = 500000000000, types = [f32], target = "fast", overlap = false>
// CHECK-NEXT: #hetero.device_spec<device = <cpu:0>, compute = 500000000000, bandwidth = 7, launch = 100000>
// CHECK-NEXT: #hetero.link<from = <gpu:1>, to = <cpu:0>, bandwidth = 3, latency = 4>
// CHECK-NEXT: #hetero.link<from = <cpu:0>, to = <gpu:1>, bandwidth = 12000000000, latency = 0, unified = true>
// CHECK-NEXT: cpu:0: 1e9 flops in 2000100000 ps
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "gpu:1" = #dlti.target_device_spec<
    "hetero.memory" = 1073741824 : ui64, "hetero.compute" = 2000 : i32, "hetero.launch" = 0 : index,
    "hetero.types" = [f32], "hetero.target" = "fast", "hetero.overlap" = false,
    "hetero.links" = #dlti.map<"CPU" = #dlti.map<"bandwidth" = 3 : i64, "latency" = 4 : i64>>>,
  "CPU" = #dlti.target_device_spec<
    "L1_cache_size_in_bytes" = 4096 : ui32, "hetero.bandwidth" = 7 : i64,
    "hetero.links" = #dlti.map<"gpu:1" = #dlti.map<"latency" = 0 : i64, "unified" = true>>>,
  "not a device" = #dlti.target_device_spec<"max_vector_op_width" = 64 : ui32>>} {}

// -----

// The host is always there; devices without links have the default ones.

// CHECK: explicit
// CHECK-NEXT: #hetero.device_spec<device = <gpu:0>, compute = 5
// CHECK-NEXT: #hetero.device_spec<device = <cpu:0>, compute = 500000000000
// CHECK-NEXT: #hetero.link<from = <gpu:0>, to = <cpu:0>, bandwidth = 12000000000
// CHECK-NEXT: #hetero.link<from = <cpu:0>, to = <gpu:0>, bandwidth = 12000000000
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "GPU" = #dlti.target_device_spec<"hetero.compute" = 5 : i64>>} {}

// -----

// A system spec that is for other passes only leaves the default topology.

// CHECK: default
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : ui32>,
  "XPU" = #dlti.target_device_spec<"max_vector_op_width" = 4096 : ui32>>} {}

// -----

// The topology of hetero wins.

// CHECK: explicit
// CHECK-NEXT: #hetero.device_spec<device = <cpu:0>, compute = 1, bandwidth = 2
// CHECK-NEXT: cpu:0: 1e9 flops
module attributes {
  dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"hetero.compute" = 5 : i64>>,
  hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 2>]>} {}

// -----

// The hosts of nodes are there, and what joins them; the devices of a node are
// joined to no others.

// CHECK: explicit
// CHECK-NEXT: <device = <gpu:0, node = 1>
// CHECK-NEXT: <device = <cpu:0>
// CHECK-NEXT: <device = <cpu:0, node = 1>
// CHECK-NEXT: #hetero.link<from = <gpu:0, node = 1>, to = <cpu:0, node = 1>,
// CHECK-NEXT: #hetero.link<from = <cpu:0, node = 1>, to = <gpu:0, node = 1>,
// CHECK-NEXT: #hetero.network<bandwidth = 10000000000, latency = 5000000>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "gpu:0@1" = #dlti.target_device_spec<"hetero.compute" = 5 : i64>>} {}

// -----

// CHECK: explicit
// CHECK: #hetero.network<bandwidth = 3, latency = 5000000>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "cpu:0" = #dlti.target_device_spec<"hetero.network" = #dlti.map<"bandwidth" = 3 : i64>>,
  "cpu:0@1" = #dlti.target_device_spec<"hetero.links" = #dlti.map<>>>} {}
