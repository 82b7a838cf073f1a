// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: gpu:0, foo: 1}]' 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: <rules>:1:{{[0-9]+}}: error: unknown key 'foo' in a rule; the keys are op, nth, name, source, at, group, dtype, shape, rank, min_elements, max_elements, operand, result, min_flops, min_bytes, function, region, unit, codegen, allow_tf32, conflict, memory, device

// RUN: not hetero-opt %s --hetero-annotate='rules=%S/Inputs/unknown-key.yaml' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: unknown-key.yaml:3:5: error: unknown key 'devise' in a rule; the keys are

// RUN: not hetero-opt %s --hetero-annotate='rules={rule: []}' 2>&1 | FileCheck %s --check-prefix=TOP
// TOP: <rules>:1:2: error: unknown key 'rule' in a rules file; the keys are devices, rules, default, conflict

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a}]' 2>&1 | FileCheck %s --check-prefix=NODEVICE
// NODEVICE: <rules>:1:{{[0-9]+}}: error: expected a device in rule 1; add device: "gpu:0", for example

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, op: b, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: <rules>:1:{{[0-9]+}}: error: key 'op' stands twice in a rule; remove one of them

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: "gpu:x"}]' 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: <rules>:1:{{[0-9]+}}: error: expected a device like cpu or gpu:0, got 'gpu:x'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{dtype: real, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: <rules>:1:{{[0-9]+}}: error: expected dtype to be an element type like f32, got 'real'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{name: "(a", device: cpu}]' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: <rules>:1:{{[0-9]+}}: error: expected name to be a regular expression, got '(a': parentheses not balanced

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: "a[", device: cpu}]' 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: <rules>:1:{{[0-9]+}}: error: expected op to be a pattern, got 'a[': {{.*}}unmatched '['

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, nth: -1, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=NTH
// NTH: <rules>:1:{{[0-9]+}}: error: expected nth to be a number from 0, got '-1'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{min_flops: many, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: <rules>:1:{{[0-9]+}}: error: expected min_flops to be a number that is not negative, got 'many'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: "a, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=YAML
// YAML: <rules>:1:{{[0-9]+}}: error: invalid YAML: expected quote at end of scalar

// RUN: not hetero-opt %s --hetero-annotate='rules={rules: 3}' 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: <rules>:1:{{[0-9]+}}: error: expected rules to be a list, got a value; write [...] or lines that begin with '-'

// RUN: not hetero-opt %s --hetero-annotate='rules={devices: [cpu], rules: [{op: a, device: gpu:0}]}' 2>&1 | FileCheck %s --check-prefix=LISTED
// LISTED: <rules>:1:42: error: device gpu:0 is not among the file's devices (cpu); add it there

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: gpu:5}]' 2>&1 | FileCheck %s --check-prefix=TOPOLOGY
// TOPOLOGY: <rules>:1:18: error: the topology has no device gpu:5 (cpu:0); add a device_spec for it or name another device
// TOPOLOGY: annotate-invalid.mlir:{{.*}}: note: the topology stands here

// RUN: not hetero-opt %s --hetero-annotate='rules=/nowhere/rules.yaml' 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: cannot read the rules file: {{.*}}/nowhere/rules.yaml

// RUN: not hetero-opt %s --hetero-annotate --hetero-place --hetero-annotate='rules=[{op: a, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: error: expected a module before placement, got phase 'placed'; run hetero-annotate earlier

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: [cpu]}]' 2>&1 | FileCheck %s --check-prefix=SINGLE
// SINGLE: <rules>:1:18: error: expected a device to be a single value, got a list

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: }]' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: <rules>:1:18: error: expected a device to be a single value, got nothing

// RUN: not hetero-opt %s --hetero-annotate='rules=[linalg.exp]' 2>&1 | FileCheck %s --check-prefix=MAPPING
// MAPPING: <rules>:1:2: error: expected a rule to be a mapping, got a value; the keys are op,

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: a, device: cpu, unit: ""}]' 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: <rules>:1:29: error: expected unit to be a name, got nothing; leave the key out

// RUN: not hetero-opt %s --hetero-annotate='rules=[{min_bytes: 1e999, device: cpu}]' 2>&1 | FileCheck %s --check-prefix=INFINITE
// INFINITE: <rules>:1:14: error: expected min_bytes to be a number that is not negative, got '1e999'

// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", device: cpu}]' 2>&1 | FileCheck %s --check-prefix=EXPANSION
// EXPANSION: <rules>:1:7: error: expected op to be a pattern, got '{a,b}{{.*}}': too many brace expansions

// RUN: not hetero-opt %s --hetero-annotate='rules=[{name: "a)|(b", device: cpu}]' 2>&1 | FileCheck %s --check-prefix=PARENTHESES
// PARENTHESES: <rules>:1:9: error: expected name to be a regular expression, got 'a)|(b': parentheses not balanced

// RUN: not hetero-opt %s --hetero-annotate='rules={devices: [cpu, gpu:0, cpu]}' 2>&1 | FileCheck %s --check-prefix=DEVICES
// DEVICES: <rules>:1:24: error: device cpu stands twice in devices; remove one of them

// RUN: not hetero-opt %s --hetero-annotate='rules={devices: [cpu], default: gpu}' 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: <rules>:1:27: error: device gpu is not among the file's devices (cpu); add it there

// RUN: not hetero-opt %s --hetero-annotate='rules={default: gpu:1}' 2>&1 | FileCheck %s --check-prefix=DEFAULT-TOPOLOGY
// DEFAULT-TOPOLOGY: <rules>:1:11: error: the topology has no device gpu:1 (cpu:0); add a device_spec for it or name another device

// RUN: printf 'default: cpu\n---\ndefault: cpu\n' > %t.documents.yaml
// RUN: not hetero-opt %s --hetero-annotate=rules=%t.documents.yaml 2>&1 | FileCheck %s --check-prefix=DOCUMENTS
// DOCUMENTS: documents.yaml:3:1: error: expected one document, got another; remove the '---' between

// Columns do not count a byte order mark, and lines may end as on Windows.

// RUN: printf '\357\273\277default: cpu:x\r\n' > %t.mark.yaml
// RUN: not hetero-opt %s --hetero-annotate=rules=%t.mark.yaml 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: mark.yaml:1:10: error: expected a device like cpu or gpu:0, got 'cpu:x'
// RUN: printf 'rules:\r\n- {op: a,\r\n   device: gpu:x}\r\n' > %t.windows.yaml
// RUN: not hetero-opt %s --hetero-annotate=rules=%t.windows.yaml 2>&1 | FileCheck %s --check-prefix=WINDOWS
// WINDOWS: windows.yaml:3:12: error: expected a device like cpu or gpu:0, got 'gpu:x'

// RUN: not hetero-opt %s --hetero-annotate=rules=/dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: /dev/null:1:1: error: expected a rules file to be a mapping, got nothing; the keys are devices, rules, default, conflict

module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {}
