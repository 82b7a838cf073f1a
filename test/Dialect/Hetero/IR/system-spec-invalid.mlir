// RUN: hetero-opt %s --hetero-annotate --split-input-file --verify-diagnostics
// RUN: hetero-opt %s --hetero-place --split-input-file --verify-diagnostics
// RUN: hetero-opt %s --hetero-write-system-spec --split-input-file --verify-diagnostics

// What a system spec says of the machine and cannot be is an error at the
// module, before anything is placed by it.

// A rate is positive.
// expected-error@+1 {{in device "gpu:0": expected 'hetero.compute' to be a positive integer, got 0 : i64; docs/Topology.md has its unit}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"gpu:0" = #dlti.target_device_spec<"hetero.compute" = 0 : i64>>} {}

// -----

// A time is not negative.
// expected-error@+1 {{in device "gpu:0": expected 'hetero.launch' to be a non-negative integer, got -1 : i32}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"gpu:0" = #dlti.target_device_spec<"hetero.launch" = -1 : i32>>} {}

// -----

// Numbers are integers of 63 bits.
// expected-error@+1 {{in device "CPU": expected 'hetero.memory' to be a positive integer, got 18446744073709551615 : ui64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.memory" = 18446744073709551615 : ui64>>} {}

// -----

// expected-error@+1 {{in device "CPU": expected 'hetero.bandwidth' to be a positive integer, got 1.000000e+09 : f64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.bandwidth" = 1.0e9 : f64>>} {}

// -----

// Other keys of hetero do not exist.
// expected-error@+1 {{in device "CPU": unknown key 'hetero.bandwith'; the keys are hetero.memory, hetero.compute, hetero.bandwidth, hetero.launch, hetero.types, hetero.target, hetero.overlap, hetero.links, hetero.network}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.bandwith" = 1 : i64>>} {}

// -----

// expected-error@+1 {{in device "CPU": expected 'hetero.types' to be an array of types like [f32, i32], got "f32"}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.types" = "f32">>} {}

// -----

// expected-error@+1 {{in device "CPU": expected 'hetero.overlap' to be true or false, got 1 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.overlap" = 1 : i64>>} {}

// -----

// Devices with such keys are devices.
// expected-error@+1 {{expected the devices of 'dlti.target_system_spec' with keys of hetero to be called like "cpu:0" or "gpu", got "my gpu"}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"my gpu" = #dlti.target_device_spec<"hetero.compute" = 1 : i64>>} {}

// -----

// One device has one description, however it is called.
// expected-error@+1 {{device gpu:0 is described twice in 'dlti.target_system_spec'; remove one}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "GPU" = #dlti.target_device_spec<"hetero.compute" = 1 : i64>,
  "gpu:0" = #dlti.target_device_spec<"hetero.compute" = 1 : i64>>} {}

// -----

// Links are a map of maps.
// expected-error@+1 {{in device "CPU": expected 'hetero.links' to be a #dlti.map of devices, got "gpu:0"}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.links" = "gpu:0">>} {}

// -----

// expected-error@+1 {{in device "CPU": expected the link to "gpu:0" in 'hetero.links' to be a #dlti.map with the keys bandwidth, latency, unified, got 3 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.links" = #dlti.map<"gpu:0" = 3 : i64>>>} {}

// -----

// expected-error@+1 {{in device "CPU": unknown key 'speed'; the keys are bandwidth, latency, unified}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.links" = #dlti.map<"gpu:0" = #dlti.map<"speed" = 3 : i64>>>>} {}

// -----

// expected-error@+1 {{in device "CPU": expected 'hetero.links' to have devices like "gpu:0" as keys, got "gpu:"}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.links" = #dlti.map<"gpu:" = #dlti.map<"latency" = 3 : i64>>>>} {}

// -----

// Both ends of a link are described.
// expected-error@+1 {{expected a link between two different devices of the topology, got cpu:0 to gpu:3; correct the link or add a device_spec}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.links" = #dlti.map<"gpu:3" = #dlti.map<"latency" = 3 : i64>>>>} {}

// -----

// expected-error@+1 {{in device "CPU": expected 'hetero.network' to be a #dlti.map with the keys bandwidth, latency, got 3 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.network" = 3 : i64>>} {}

// -----

// expected-error@+1 {{in device "CPU": expected 'bandwidth' to be a positive integer, got 0 : i64; docs/Topology.md has its unit}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"hetero.network" = #dlti.map<"bandwidth" = 0 : i64>>>} {}

// -----

// One network joins all nodes.
// expected-error@+1 {{expected 'hetero.network' on the host cpu:0 alone, got it on gpu:0; it is of all nodes}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"hetero.network" = #dlti.map<"bandwidth" = 1 : i64>>>} {}
