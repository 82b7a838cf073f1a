// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: gpu:0, foo: 1}]' 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: rules:1:{{[0-9]+}}: error: unknown key 'foo' in a rule; the keys are op, nth, name, dtype, min_flops, min_bytes, function, unit, codegen, device

// RUN: not hetero-opt %s --hetero-annotate='rules=%S/Inputs/unknown-key.yaml' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: unknown-key.yaml:3:5: error: unknown key 'devise' in a rule; the keys are

// RUN: not hetero-opt %s --hetero-annotate='rules={rule: []}' 2>&1 | FileCheck %s --check-prefix=TOP
// TOP: rules:1:2: error: unknown key 'rule' in a rules file; the keys are devices, rules, default

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a}]' 2>&1 | FileCheck %s --check-prefix=NODEVICE
// NODEVICE: rules:1:{{[0-9]+}}: error: expected a device in rule 1; add device: "gpu:0", for example

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, op: b, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: rules:1:{{[0-9]+}}: error: key 'op' stands twice in a rule; remove one of them

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: "gpu:x"}]' 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: rules:1:{{[0-9]+}}: error: expected a device like cpu or gpu:0, got 'gpu:x'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{dtype: real, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: rules:1:{{[0-9]+}}: error: expected dtype to be an element type like f32, got 'real'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{name: "(a", device: cpu}]' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: rules:1:{{[0-9]+}}: error: expected name to be a regular expression, got '(a': parentheses not balanced

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: "a[", device: cpu}]' 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: rules:1:{{[0-9]+}}: error: expected op to be a pattern, got 'a[': {{.*}}unmatched '['

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, nth: -1, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=NTH
// NTH: rules:1:{{[0-9]+}}: error: expected nth to be a number from 0, got '-1'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{min_flops: many, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: rules:1:{{[0-9]+}}: error: expected min_flops to be a number that is not negative, got 'many'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: "a, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=YAML
// YAML: rules:1:{{[0-9]+}}: error: invalid YAML: expected quote at end of scalar

// RUN: not hetero-opt %s --hetero-annotate='rules={rules: 3}' 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: rules:1:{{[0-9]+}}: error: expected rules to be a list; write [...] or lines that begin with '-'

// RUN: not hetero-opt %s --hetero-annotate='rules={devices: [cpu], rules: [{op: a, device: gpu:0}]}' 2>&1 | FileCheck %s --check-prefix=LISTED
// LISTED: rules:1:{{[0-9]+}}: error: device gpu:0 is not among the file's devices (cpu); add it there

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: gpu:5}]' 2>&1 | FileCheck %s --check-prefix=TOPOLOGY
// TOPOLOGY: rules:1:{{[0-9]+}}: error: the topology has no device gpu:5 (cpu:0); add a device_spec for it or name another device
// TOPOLOGY: annotate-invalid.mlir:{{.*}}: note: the topology stands here

// RUN: not hetero-opt %s --hetero-annotate='rules=/nowhere/rules.yaml' 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: cannot read the rules file: {{.*}}/nowhere/rules.yaml

// RUN: not hetero-opt %s --hetero-annotate --hetero-place --hetero-annotate 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: error: expected a module before placement, got phase 'placed'; run hetero-annotate earlier

module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {}
