// The loop on a host with two units and an emulated GPU, whose clock is virtual
// and which is not what the topology says. The placement changes, no time
// rises, predictions get better, results stay, and what was measured is kept.

// The GPU is much slower than the topology says: what was placed there goes to
// the host.
// RUN: env HETERO_NUM_THREADS=1 HETERO_EMULATOR=devices=1,clock=virtual,flops=1G,bandwidth=1G,launch=20ms,link=1G,latency=10ms hetero-run %s --topology='#hetero.topology<devices = [<device = <cpu:0>, compute = 100000000, bandwidth = 100000000>, <device = <gpu:0>, compute = 10000000000000, bandwidth = 500000000000, launch = 5000>], links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 12000000000, latency = 10000>, <from = <gpu:0>, to = <cpu:0>, bandwidth = 12000000000, latency = 10000>]>' --input=128x128xf32=randint:1 --input=128x128xf32=randint:2 --output=%t.slow.npy --tune=5 --report --write-profile=%t.slow.yaml > %t.slow 2> %t.slow.err
// RUN: FileCheck %s --check-prefix=SLOW --input-file=%t.slow
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.slow.err
// RUN: FileCheck %s --check-prefix=PROFILE --input-file=%t.slow.yaml
// RUN: %python %S/Inputs/check_tuning.py cpu:0 < %t.slow | FileCheck %s --check-prefix=BETTER

// It is much faster: what was placed on the host goes there.
// RUN: env HETERO_NUM_THREADS=1 HETERO_EMULATOR=devices=1,clock=virtual,flops=1P,bandwidth=1P,launch=100ns,link=1P,latency=100ns,call=0 hetero-run %s --topology='#hetero.topology<devices = [<device = <cpu:0>, compute = 1000000000000, bandwidth = 1000000000000>, <device = <gpu:0>, compute = 100000000, bandwidth = 100000000>], links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000, latency = 10000>, <from = <gpu:0>, to = <cpu:0>, bandwidth = 1000000, latency = 10000>]>' --input=128x128xf32=randint:1 --input=128x128xf32=randint:2 --expected=@%t.slow.npy --tune=5 > %t.fast
// RUN: FileCheck %s --check-prefix=FAST --input-file=%t.fast
// RUN: %python %S/Inputs/check_tuning.py gpu:0 placement < %t.fast | FileCheck %s --check-prefix=BETTER

// One round places as without tuning, and keeps the best of what was measured.
// RUN: hetero-run %s --input=128x128xf32=1 --input=128x128xf32=1 --tune=1 --print-max=1 2> /dev/null | FileCheck %s --check-prefix=ONCE
// RUN: not hetero-run %s --input=128x128xf32=1 --input=128x128xf32=1 --tune=2 --check 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not hetero-run %s --input=128x128xf32=1 --tune=2 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not hetero-run %s --input=128x128xf32=1 --input=128x128xf32=1 --tune=2 --rules='{default: "gpu:7"}' 2>&1 | FileCheck %s --check-prefix=DEVICE

// BETTER: better: -{{.*}} % to {{.*}} us

// SLOW: tuning: [[#]] placements, {{.*}}, kept {{round|all}}
// SLOW-NEXT: placement {{ *}}predicted {{ *}}measured {{ *}}error {{ *}}a call {{ *}}operations
// SLOW-NEXT: round 1 {{.*}} us {{.*}} us {{.*}} % {{.*}} us {{.*}}gpu:0
// SLOW-NEXT: all on cpu:0 {{.*}} us {{.*}} us {{.*}} % {{.*}} us
// SLOW-NEXT: all on gpu:0 {{.*}} us {{.*}} us {{.*}} % {{.*}} us
// SLOW: round 1:
// SLOW-NEXT: operation {{ *}}where {{ *}}predicted {{ *}}measured {{ *}}error
// SLOW: linalg.matmul at {{.*}}hetero-run-tune.mlir:[[#]]:[[#]] {{ *}}gpu:0 {{.*}} us {{.*}} us {{.*}} %
// SLOW: copy {{ *}}where {{ *}}predicted
// SLOW: 65536 bytes {{ *}}cpu:0 to gpu:0 {{.*}} us {{.*}} us {{.*}} %
// SLOW: link {{ *}}predicted
// SLOW: cpu:0 to gpu:0 {{.*}} us {{.*}} us {{.*}} %
// SLOW: device {{ *}}predicted
// SLOW: gpu:0 {{.*}} us {{.*}} us {{.*}} %
// SLOW: EXEC @main

// REMARK: hetero-run: remark: the model was wrong: round 1 takes {{.*}} us a call (predicted {{.*}} us), all on cpu:0 takes {{.*}} us (predicted {{.*}} us)

// PROFILE: # Tuned by hetero-run on {{.*}}hetero-run-tune.mlir, kept {{round|all}}
// PROFILE-NEXT: # Measured with --tune: [[#]] placements
// PROFILE-NEXT: operations:
// PROFILE-DAG: - {op: linalg.matmul, operands: ['128x128xf32', '128x128xf32', '128x128xf32'], device: 'cpu:0', seconds: {{[0-9.e+-]+}}, predicted: {{[0-9.e+-]+}}}
// PROFILE-DAG: - {op: linalg.matmul, operands: ['128x128xf32', '128x128xf32', '128x128xf32'], device: 'gpu:0', seconds: {{[0-9.e+-]+}}, predicted: {{[0-9.e+-]+}}}
// PROFILE: devices:
// PROFILE: - {device: 'gpu:0', op: linalg.matmul, launch: {{[0-9.e+-]+}}, flop: {{[0-9.e+-]+}}, byte: {{[0-9.e+-]+}}}
// PROFILE: - {device: 'gpu:0', launch: {{[0-9.e+-]+}}, flop: {{[0-9.e+-]+}}, byte: {{[0-9.e+-]+}}, measurements: [[#]], error: {{[0-9.]+}}}
// PROFILE: links:
// PROFILE-NEXT: - {from: 'cpu:0', to: 'gpu:0', latency: {{[0-9.e+-]+}}, byte: {{[0-9.e+-]+}}, measurements: [[#]]

// FAST: tuning: {{.*}} kept {{round|all}}
// FAST: EXEC @main
// FAST: 1 result(s) as expected

// ONCE: tuning: {{.*}} not settled, kept
// ONCE: round 1
// ONCE-NOT: round 2
// ONCE: EXEC @main

// CHECKED: error: --check runs many placements; leave out {{.*}}--tune
// INPUTS: error: 'main' has 2 argument(s), got 1
// DEVICE: error:

#left = #hetero.device<cpu:0, unit = "left">
#right = #hetero.device<cpu:0, unit = "right">
func.func @main(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.abs {hetero.device = #left} ins(%a : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.negf {hetero.device = #right} ins(%b : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = linalg.matmul ins(%2, %1 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %3 : tensor<128x128xf32>
}
