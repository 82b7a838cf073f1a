// RUN: hetero-opt %s --split-input-file --verify-diagnostics

// A part of a topology that is refused is one error, at the part.

// Capacities are positive.
// expected-error@+1 {{expected positive memory, compute and bandwidth and a non-negative launch time for cpu:0; correct its device_spec}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, memory = 1, compute = -1, bandwidth = 1>]>} {}

// -----

// A device_spec is for one device.
// expected-error@+1 {{expected a device with an ordinal, got #hetero.device<cpu>; write one device_spec per device}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu>, memory = 1, compute = 1, bandwidth = 1>]>} {}

// -----

// It needs the device.
// expected-error@+1 {{struct is missing required parameter: device}}
module attributes {hetero.topology = #hetero.topology<devices = [<memory = 1, compute = 1, bandwidth = 1>]>} {}

// -----

// It has no other fields.
// expected-error@+1 {{duplicate or unknown struct parameter name: memori}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, memori = 1>]>} {}

// -----

// A list holds nothing else.
// expected-error@+1 {{expected '<'}}
module attributes {hetero.topology = #hetero.topology<devices = [3 : i32]>} {}

// -----

// Without devices there is no host.
// expected-error@+1 {{expected the host cpu:0 among the topology's devices; add a device_spec for it}}
module attributes {hetero.topology = #hetero.topology<devices = []>} {}

// -----

// A link has a bandwidth.
// expected-error@+1 {{expected a positive bandwidth and a non-negative latency for the link from cpu:0 to gpu:0}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, memory = 1, compute = 1, bandwidth = 1>], links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 0, latency = 1>]>} {}

// -----

// A link joins devices that exist.
// expected-error@+1 {{expected a link between two different devices of the topology, got cpu:0 to gpu:0; correct the link or add a device_spec}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, memory = 1, compute = 1, bandwidth = 1>], links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1, latency = 1>]>} {}

// -----

// A network has a bandwidth.
// expected-error@+1 {{expected a positive bandwidth and a non-negative latency for the network between nodes}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>], network = <bandwidth = 0, latency = 1>>} {}

// -----

// Each field stands once.
// expected-error@+1 {{field 'network' given twice}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>], network = <bandwidth = 1, latency = 1>, network = <bandwidth = 1, latency = 1>>} {}

// -----

// There are no other fields.
// expected-error@+1 {{unknown field 'wires'; the fields are 'devices', 'links' and 'network'}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>], wires = 3>} {}
