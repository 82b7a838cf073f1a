// Every allocation, launch, copy and call on a device of the examples fails
// once, in one process: the error says what failed where, nothing is handed
// out or left, and the next call is right.

// RUN: rm -rf %t && mkdir %t
// RUN: hetero-compile %examples/conv-on-gpu.mlir --rules=%examples/conv-on-gpu.yaml -o %t/conv-on-gpu.so
// RUN: hetero-compile %examples/partitioned-mlp.mlir -o %t/partitioned-mlp.so
// RUN: hetero-compile %examples/shared-operand.mlir -o %t/shared-operand.so
// RUN: hetero-compile %examples/two-devices-tuple.mlir -o %t/two-devices-tuple.so
// RUN: hetero-compile %s -o %t/chain.so
// RUN: %python %S/Inputs/faults.py %hetero_lib %t/conv-on-gpu.so %t/partitioned-mlp.so %t/shared-operand.so %t/two-devices-tuple.so %t/chain.so | FileCheck %s

// CHECK: conv-on-gpu: {{[1-9][0-9]*}} alloc, {{[1-9][0-9]*}} launch, {{[1-9][0-9]*}} copy, {{[1-9][0-9]*}} device-lost
// CHECK: partitioned-mlp: {{[1-9][0-9]*}} alloc, {{[1-9][0-9]*}} launch, {{[1-9][0-9]*}} copy, {{[1-9][0-9]*}} device-lost
// CHECK: shared-operand: {{[1-9][0-9]*}} alloc, {{[1-9][0-9]*}} launch, {{[1-9][0-9]*}} copy, {{[1-9][0-9]*}} device-lost
// CHECK: two-devices-tuple: {{[1-9][0-9]*}} alloc, {{[1-9][0-9]*}} launch, {{[1-9][0-9]*}} copy, {{[1-9][0-9]*}} device-lost
// CHECK: chain: {{[1-9][0-9]*}} alloc, {{[1-9][0-9]*}} launch, {{[1-9][0-9]*}} copy, {{[1-9][0-9]*}} device-lost

// A process that ends after a fault says so, writes no result, and leaves
// nothing.

// RUN: env HETERO_EMULATOR="fail=launch:2,leaks=%t/leaks" not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=LAUNCH --implicit-check-not=EXEC
// LAUNCH: hetero-run: error: cu{{[A-Za-z]+}} failed on gpu:[[DEVICE:[01]]]{{.*}}CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure){{.*}}: kernel {{.*}} on gpu:[[DEVICE]] fails (fail=launch:2); call heteroReset() before the next program
// RUN: not ls %t/out.npy

// Where both devices fail, the error of one is not explained by the other.

// RUN: env HETERO_EMULATOR="fail=launch:1,launch:2" not hetero-run %s --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=BOTH --implicit-check-not=EXEC
// BOTH: hetero-run: error: cu{{[A-Za-z]+}} failed on gpu:[[DEVICE:[01]]]{{.*}}: kernel main_gpu[[DEVICE]]_{{.*}} on gpu:[[DEVICE]] fails (fail=launch:
// RUN: FileCheck %s --check-prefix=LEAKS --input-file=%t/leaks
// LEAKS: {"allocations": 0, "bytes": 0, "host": 0, "streams": 0, "events": 0, "graphs": 0, "modules": 0, "contexts": 0}

// RUN: env HETERO_EMULATOR="leaks=%t/leaks-clean" hetero-run %s --input=4xf32=1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: 4xf32=44 84 124 164
// RUN: FileCheck %s --check-prefix=LEAKS --input-file=%t/leaks-clean

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant {hetero.device = #hetero.device<gpu:0>} dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = arith.addf %x, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.addf %0, %0 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  %2 = arith.mulf %1, %1 {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  %3 = arith.divf %2, %1 {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  %4 = arith.addf %3, %0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %5 = arith.addf %1, %4 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  %6 = arith.subf %5, %0 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %6 : tensor<4xf32>
}
