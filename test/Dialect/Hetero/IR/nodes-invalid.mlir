// RUN: hetero-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a node of at most 65535, got 65536; nodes are counted from 0}}
module attributes {a = #hetero.device<gpu:0, node = 65536>} {}

// -----

// expected-error@+1 {{expected a non-negative node}}
module attributes {a = #hetero.device<gpu:0, node = -1>} {}

// -----

// expected-error@+1 {{expected a node}}
module attributes {a = #hetero.device<gpu:0, node = "b">} {}

// -----

// expected-error@+1 {{field 'node' given twice}}
module attributes {a = #hetero.device<gpu:0, node = 0, node = 1>} {}

// -----

// expected-error@+1 {{unknown field 'rank'; the fields are 'node', 'unit' and 'codegen'}}
module attributes {a = #hetero.device<gpu:0, rank = 1>} {}

// -----

// C2: a node with devices has a host.
// expected-error@+1 {{expected the host cpu:0@1 of gpu:0@1's node among the topology's devices; add a device_spec for it}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>, <device = <gpu:0, node = 1>, compute = 1, bandwidth = 1>]>} {}

// -----

// C5: nodes share no memory.
// expected-error@+1 {{expected no unified link between two nodes, got cpu:0 to cpu:0@1; nodes share no memory}}
module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>, <device = <cpu:0, node = 1>, compute = 1, bandwidth = 1>],
  links = [<from = <cpu:0>, to = <cpu:0, node = 1>, bandwidth = 1, latency = 1, unified = true>]>} {}

// -----

// C5: messages go from host to host.
// expected-error@+1 {{expected a link between two nodes to join their hosts, got gpu:0 to cpu:0@1; messages go from host to host, and copies between other devices go through them}}
module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>, <device = <gpu:0>, compute = 1, bandwidth = 1>, <device = <cpu:0, node = 1>, compute = 1, bandwidth = 1>],
  links = [<from = <gpu:0>, to = <cpu:0, node = 1>, bandwidth = 1, latency = 1>]>} {}
