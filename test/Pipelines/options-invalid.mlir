// A wrong value of an option is one error, and nothing is written.

// RUN: rm -f %t.out && not %hetero_opt %s -o %t.out --hetero-pipeline="stop-afte=placed" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=OPTION
// RUN: test ! -e %t.out
// OPTION: error: hetero-pipeline: no such option stop-afte; --help lists the options

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="stop-after=bogus" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=PHASE
// RUN: test ! -e %t.out
// PHASE: for the --stop-after option: expected one of annotated, placed, materialized, copies-optimized, partitioned, codegen, bufferized, scheduled, planned, gpu, llvm, got 'bogus'

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="rules=%t.nowhere" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=RULES
// RUN: test ! -e %t.out
// RULES: options-invalid.mlir:{{.*}}: error: cannot read the rules file: cannot open input file '{{.*}}.nowhere': No such file or directory

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="topology=%t.nowhere" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=FILE
// RUN: test ! -e %t.out
// FILE: options-invalid.mlir:{{.*}}: error: cannot read the topology: cannot open input file '{{.*}}.nowhere': No such file or directory; give a file or the text of a #hetero.topology

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="topology=%S/Inputs/misspelt.topology" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=MISSPELT
// RUN: test ! -e %t.out
// MISSPELT: options-invalid.mlir:{{.*}}: error: expected a #hetero.topology attribute, got '{{.*}}misspelt.topology': line 8: unknown field 'lonks'; the fields are 'devices', 'links' and 'network'; docs/Topology.md shows one

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="topology='#hetero.device<gpu>'" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=KIND
// RUN: test ! -e %t.out
// KIND: error: expected a #hetero.topology attribute, got '#hetero.device<gpu>'; docs/Topology.md shows one

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="topology='#hetero.topology<devices = [<device = <gpu:0>, memory = 1, compute = 1, bandwidth = 1>]>'" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=HOST
// RUN: test ! -e %t.out
// HOST: error: expected a #hetero.topology attribute, got '#hetero.topology<{{.*}}>': {{.*}}cpu:0{{.*}}; docs/Topology.md shows one

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="topology='#hetero.topology<devices = [<device = <cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>' rules={rules: [{op: linalg.exp, device: gpu:0}]}" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=OUTSIDE
// RUN: test ! -e %t.out
// OUTSIDE: <rules>:1:{{[0-9]+}}: error: the topology has no device gpu:0 (cpu:0); add a device_spec for it or name another device

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="placement=best" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=PLACEMENT
// RUN: test ! -e %t.out
// PLACEMENT: for the --placement option: expected one of optimal, greedy, annotated-only, got 'best'

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="default=gpu:" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=DEFAULT
// RUN: test ! -e %t.out
// DEFAULT: options-invalid.mlir:{{.*}}: error: expected 'auto' or a device like gpu:0 as the default, got 'gpu:'

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="report=%t.nowhere/report.json" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=REPORT
// RUN: test ! -e %t.out
// REPORT: options-invalid.mlir:{{.*}}: error: cannot write the placement report: cannot open output file '{{.*}}report.json': No such file or directory

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="chip=sm_42" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=CHIP
// RUN: test ! -e %t.out
// CHIP: options-invalid.mlir:{{.*}}: error: unknown chip 'sm_42'; use one that LLVM knows: {{.*}}sm_90

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="target-pipeline={device=gpu pipelin=cse}" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=TARGET
// RUN: test ! -e %t.out
// TARGET: error: no such option pipelin in 'device=gpu pipelin=cse' of target-pipeline; correct it

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="target-pipeline={device=gpu:x pipeline=cse}" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=DEVICE
// RUN: test ! -e %t.out
// DEVICE: options-invalid.mlir:{{.*}}: error: hetero-target-pipeline: expected a device like gpu or gpu:0, got 'gpu:x'; correct the option 'device'

// RUN: not %hetero_opt %s -o %t.out --hetero-pipeline="target-pipeline={device=gpu pipeline=ces}" 2>&1 | FileCheck %s --implicit-check-not=error --check-prefix=PASS
// RUN: test ! -e %t.out
// PASS: options-invalid.mlir:{{.*}}: error: hetero-target-pipeline: cannot parse the pipeline 'ces': 'ces' does not refer to a registered pass or pass pipeline; correct the option 'pipeline'

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
