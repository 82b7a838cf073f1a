// Each option of the pipeline reaches the phase that it belongs to.

// Rules annotate, and the file's default places the rest.
// RUN: hetero-opt %s --hetero-pipeline="rules=%S/Inputs/rules.yaml stop-after=placed" | FileCheck %s --check-prefix=RULES
// RULES: linalg.exp {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 1"}
// RULES: linalg.abs {hetero.device = #hetero.device<cpu:0>, hetero.origin = "default"}

// RUN: hetero-opt %s --hetero-pipeline="rules={rules: [{op: linalg.abs, device: gpu:2}]} stop-after=annotated" | FileCheck %s --check-prefix=INLINE
// INLINE: linalg.exp ins
// INLINE: linalg.abs {hetero.device = #hetero.device<gpu:2>, hetero.origin = "rule 1"}

// A device for what nothing else places.
// RUN: hetero-opt %s --hetero-pipeline="default=gpu:3 stop-after=placed" | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: linalg.exp {hetero.device = #hetero.device<gpu:3>, hetero.origin = "default"}
// DEFAULT: linalg.abs {hetero.device = #hetero.device<gpu:3>, hetero.origin = "default"}

// Without annotations nothing leaves the host.
// RUN: hetero-opt %s --hetero-pipeline="placement=annotated-only stop-after=placed" | FileCheck %s --check-prefix=ONLY
// ONLY: linalg.exp {hetero.device = #hetero.device<cpu:0>
// ONLY: linalg.abs {hetero.device = #hetero.device<cpu:0>

// RUN: hetero-opt %s --hetero-pipeline="default=gpu:0 report=%t.json stop-after=placed" -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-DAG: "cost_seconds":
// REPORT-DAG: "copies": 2

// The kernels are for the chip.
// RUN: hetero-opt %s --hetero-pipeline="default=gpu:0 chip=sm_90 stop-after=gpu" | FileCheck %s --check-prefix=CHIP
// RUN: hetero-opt %s --hetero-pipeline="default=gpu:0 stop-after=gpu" | FileCheck %s --check-prefix=CHIP80
// CHIP: gpu.module
// CHIP-SAME: chip = "sm_90"
// CHIP80: gpu.module
// CHIP80-SAME: chip = "sm_80"

// A device's regions go through the user's passes; several run in their order.
// RUN: hetero-opt %s --hetero-pipeline="default=gpu:0 target-pipeline={device=gpu pipeline=linalg-generalize-named-ops,cse} stop-after=partitioned" | FileCheck %s --check-prefix=TARGET
// RUN: hetero-opt %s --hetero-pipeline="default=gpu:0 target-pipeline={device=gpu:0 pipeline=linalg-generalize-named-ops},{pipeline=cse} stop-after=partitioned" | FileCheck %s --check-prefix=TARGET
// RUN: hetero-opt %s --hetero-pipeline="default=gpu:0 target-pipeline={device=cpu pipeline=linalg-generalize-named-ops} stop-after=partitioned" | FileCheck %s --check-prefix=OTHER
// TARGET: hetero.execute
// TARGET-COUNT-2: linalg.generic
// OTHER: linalg.exp
// OTHER-NEXT: linalg.abs

// The topology may stand in a file or in the option.
// RUN: hetero-opt %s --hetero-pipeline="topology=%S/Inputs/one-gpu.topology stop-after=placed" | FileCheck %s --check-prefix=TOPOLOGY
// RUN: hetero-opt %s --hetero-pipeline="topology='#hetero.topology<devices = [<device = <cpu:0>, memory = 4096, compute = 5, bandwidth = 5>]>' stop-after=placed" | FileCheck %s --check-prefix=TEXT
// TOPOLOGY: hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, memory = 4096, compute = 5, bandwidth = 5>, <device = <gpu:0>, {{.*}}chip = "sm_90"
// TEXT: hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, memory = 4096, compute = 5, bandwidth = 5>]>

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
