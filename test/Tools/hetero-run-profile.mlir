// What a run measures, placement goes by: each operation has a time where it
// ran, and every measurement is of an operation that the program has.

// RUN: env HETERO_CUDA_DRIVER=emulator hetero-run %s --input=8x8xf32=1 --input=3x8xf32=2 --write-profile=%t.yaml --report | FileCheck %s --check-prefix=RAN
// RUN: FileCheck %s --check-prefix=PROFILE --input-file=%t.yaml
// RUN: hetero-opt %s --hetero-place=profile=%t.yaml 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: not hetero-run %s --input=8x8xf32=1 --input=3x8xf32=2 --write-profile=%t.none/a.yaml 2>&1 | FileCheck %s --check-prefix=ERROR

// At least three calls are timed, after one to load everything.
// RAN: time: 3 calls
// RAN: kernel {{ *}}main_gpu0_0{{.*}} 4
// ERROR: error: cannot write '{{.*}}a.yaml'

// Two operations of one region share its time; the first matrix product is told
// apart by its operands, the exponential by its name.
// PROFILE: # Measured by hetero-run on {{.*}}hetero-run-profile.mlir
// PROFILE-NEXT: operations:
// PROFILE-DAG: - {op: linalg.matmul, operands: ['?x8xf32', '8x8xf32', '?x8xf32'], device: 'gpu:0', seconds: {{[0-9.]+e-[0-9]+}}, predicted: {{[0-9.]+e-[0-9]+}}}
// PROFILE-DAG: - {op: linalg.exp, name: 'layer/exp\.1', operands: ['?x8xf32', '?x8xf32'], device: 'gpu:0', seconds: {{[0-9.]+e-[0-9]+}}, predicted: {{[0-9.]+e-[0-9]+}}}
// PROFILE-DAG: - {op: linalg.abs, operands: ['?x8xf32', '?x8xf32'], device: 'cpu:0', seconds: {{[0-9.]+e-[0-9]+}}, predicted: {{[0-9.]+e-[0-9]+}}}

// What depends on dynamic sizes says nothing of devices, and copies all of links.
// PROFILE-NOT: devices:
// PROFILE: links:
// PROFILE-NEXT: - {from: 'cpu:0', to: 'gpu:0', latency: {{[0-9.]+e-[0-9]+}}, byte: {{[0-9.]+e-[0-9]+}}, measurements: [[#]], error: {{[0-9.]+}}}
// PROFILE-NEXT: - {from: 'gpu:0', to: 'cpu:0', latency:

// PLACED-NOT: warning
// PLACED: linalg.abs {hetero.device = #hetero.device<cpu:0>

func.func @main(%w: tensor<8x8xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%x, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%0 : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32> loc("layer/exp.1")
  %2 = linalg.abs {hetero.device = #hetero.device<cpu:0>} ins(%1 : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}
