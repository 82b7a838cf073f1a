// RUN: hetero-opt %s --split-input-file --hetero-write-system-spec | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-write-system-spec > %t.once
// RUN: hetero-opt %t.once --split-input-file --hetero-write-system-spec | diff %t.once -
// RUN: hetero-opt-test-passes %s --split-input-file --test-hetero-print-topology -o /dev/null > %t.own
// RUN: sed -e 's/, hetero.topology = #hetero.topology<.*>} {/} {/' %t.once | hetero-opt-test-passes - --split-input-file --test-hetero-print-topology -o /dev/null | diff %t.own -
// RUN: hetero-opt %s --split-input-file --hetero-write-system-spec --remarks-filter=hetero-write-system-spec 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Devices and links are written beside the topology, and mean the same: without
// the topology the module is placed on the same machine (the fourth and fifth
// line above).

// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<
// CHECK-SAME: "cpu:0" = #dlti.target_device_spec<"hetero.compute" = 5 : i64, "hetero.bandwidth" = 6 : i64, "hetero.launch" = 0 : i64, "hetero.links" = #dlti.map<"gpu:0" = #dlti.map<"bandwidth" = 9 : i64, "latency" = 10 : i64, "unified" = true>>>
// CHECK-SAME: "gpu:0" = #dlti.target_device_spec<"hetero.memory" = 4 : i64, "hetero.compute" = 7 : i64, "hetero.bandwidth" = 8 : i64, "hetero.launch" = 3 : i64, "hetero.types" = [f32, i8], "hetero.target" = #nvvm.target<chip = "sm_90">, "hetero.overlap" = false, "hetero.links" = #dlti.map<>>
// CHECK-SAME: hetero.topology
// REMARK: written=2
module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 5, bandwidth = 6>,
             <device = <gpu:0>, memory = 4, compute = 7, bandwidth = 8, launch = 3, types = [f32, i8],
              target = #nvvm.target<chip = "sm_90">, overlap = false>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 9, latency = 10, unified = true>]>} {
  // Control flow and calls do not matter.
  func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
    %0 = scf.if %p -> tensor<4xf32> {
      %1 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %0 : tensor<4xf32>
  }
}

// -----

// Must not act: the numbers of the default topology are of no machine.

// CHECK: module {
// REMARK: written=0
module {
}

// -----

// Must not act: the machine is described already.

// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<"gpu:0" = #dlti.target_device_spec<"hetero.compute" = 7 : i64>>} {
// REMARK: written=0
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"gpu:0" = #dlti.target_device_spec<"hetero.compute" = 7 : i64>>} {
}

// -----

// A conflict: what the system spec says of the machine is replaced; devices and
// keys of others stay, under their names.

// CHECK: "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : ui32, "hetero.compute" = 5 : i64, "hetero.bandwidth" = 6 : i64,
// CHECK-SAME: "XPU" = #dlti.target_device_spec<"max_vector_op_width" = 64 : ui32>
// CHECK-SAME: "gpu:0" = #dlti.target_device_spec<"name" = "old">
// REMARK: written=1
module attributes {
  dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : ui32, "hetero.compute" = 9 : i64>,
    "XPU" = #dlti.target_device_spec<"max_vector_op_width" = 64 : ui32>,
    "gpu:0" = #dlti.target_device_spec<"name" = "old", "hetero.compute" = 9 : i64>>,
  hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 5, bandwidth = 6>]>} {
}

// -----

// The schedules of others ask for it.

// CHECK-LABEL: @asked
// REMARK: written=1
module @asked attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 5, bandwidth = 6>]>} {
}

// -----

// The network between nodes stands at the host.

// CHECK-LABEL: @nodes
// CHECK-SAME: "cpu:0" = #dlti.target_device_spec<{{.*}}"hetero.network" = #dlti.map<"bandwidth" = 3 : i64, "latency" = 4 : i64>>
// CHECK-SAME: "cpu:0@1" = #dlti.target_device_spec<
// REMARK: written=2
module @nodes attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 5, bandwidth = 6>, <device = <cpu:0, node = 1>, compute = 5, bandwidth = 6>],
  network = <bandwidth = 3, latency = 4>>} {
}
