// Nothing computes device code elsewhere in silence: a driver that cannot be
// used is one clear error.

// A file that is no driver.
// RUN: env HETERO_CUDA_DRIVER=%s not hetero-run %s --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: hetero-run: error: no CUDA driver can be used: HETERO_CUDA_DRIVER is '{{.*}}driver-errors.mlir': {{.*}}; install the NVIDIA driver, or set HETERO_CUDA_DRIVER=emulator

// A file that is not there.
// RUN: env HETERO_CUDA_DRIVER=/nonexistent.so not hetero-run %s --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: no CUDA driver can be used: HETERO_CUDA_DRIVER is '/nonexistent.so': {{.*}}No such file

// A driver without devices.
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=0 not hetero-run %s --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no CUDA driver can be used: {{.*}}CUDA_ERROR_NO_DEVICE

// A device that the driver does not have, and the way around it.
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=1 not hetero-run %s --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: the program needs gpu:1, but {{.*}} has 1 device(s); map it to one of them with --device-map
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=1 hetero-run %s --input=4xf32=1 --device-map=gpu:1=gpu:0 | FileCheck %s --check-prefix=MAPPED
// MAPPED: 4xf32=2 2 2 2

// A chip that LLVM does not know.
// RUN: not hetero-run %s --input=4xf32=1 --chip=sm_42 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_42'; use one that LLVM knows:

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add {hetero.device = #hetero.device<gpu:1>}
    ins(%a, %a : tensor<4xf32>, tensor<4xf32>)
    outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
