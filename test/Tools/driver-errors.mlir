// Nothing computes device code elsewhere in silence: a driver that cannot be
// used is one clear error, and no result is written.

// RUN: rm -rf %t && mkdir %t

// A file that is no driver, and a library that is none.
// RUN: env HETERO_CUDA_DRIVER=%s not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=FILE --implicit-check-not=EXEC
// FILE: hetero-run: error: no CUDA driver can be used: HETERO_CUDA_DRIVER is '{{.*}}driver-errors.mlir': {{.*}}driver-errors.mlir: {{.*}}; install the NVIDIA driver, or set HETERO_CUDA_DRIVER=emulator
// RUN: env HETERO_CUDA_DRIVER=%hetero_lib/libhetero_runtime.so not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=LIBRARY --implicit-check-not=EXEC
// LIBRARY: hetero-run: error: no CUDA driver can be used: HETERO_CUDA_DRIVER is '{{.*}}libhetero_runtime.so': it has no function cuInit; install the NVIDIA driver, or set HETERO_CUDA_DRIVER=emulator

// A file that is not there.
// RUN: env HETERO_CUDA_DRIVER=/nonexistent.so not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=MISSING --implicit-check-not=EXEC
// MISSING: hetero-run: error: no CUDA driver can be used: HETERO_CUDA_DRIVER is '/nonexistent.so': /nonexistent.so: cannot open shared object file: No such file or directory; install the NVIDIA driver, or set HETERO_CUDA_DRIVER=emulator

// A driver without devices.
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=0 not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=EXEC
// NONE: hetero-run: error: no CUDA driver can be used: HETERO_CUDA_DRIVER is 'emulator': cuInit returns CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected); correct HETERO_EMULATOR

// An emulator that is configured with a key that it does not have.
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devicez=2 not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=CONFIG --implicit-check-not=EXEC
// CONFIG: hetero emulator: HETERO_EMULATOR: expected one of the keys devices, memory, cc, threads, warps, cache, log{{.*}}, got 'devicez=2'; write it like devices=2,memory=1GiB,cc=9.0,log=FILE
// CONFIG: hetero-run: error: no CUDA driver can be used: {{.*}}; correct HETERO_EMULATOR

// A device that the driver does not have, and the way around it.
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=1 not hetero-run %s --input=4xf32=1 --output=%t/out.npy 2>&1 | FileCheck %s --check-prefix=DEVICE --implicit-check-not=EXEC
// DEVICE: hetero-run: error: the program needs gpu:1, but {{.*}}libhetero_cuda_emulator.so has 1 device(s); map it to one of them with --device-map or HETERO_DEVICE_MAP, for example gpu:1=gpu:0
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=1 hetero-run %s --input=4xf32=1 --device-map=gpu:1=gpu:0 2>&1 | FileCheck %s --check-prefix=MAPPED
// MAPPED-NOT: hetero: the device map
// MAPPED: 4xf32=2 2 2 2

// A map to a device that the driver does not have, and a map that is none.
// RUN: not hetero-run %s --input=4xf32=1 --output=%t/out.npy --device-map=gpu:1=gpu:9 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=EXEC
// UNKNOWN: hetero-run: error: the program needs gpu:1, which the device map gives to gpu:9, but {{.*}} has 2 device(s); map it to one of them with --device-map or HETERO_DEVICE_MAP, for example gpu:1=gpu:0
// RUN: not hetero-run %s --input=4xf32=1 --output=%t/out.npy --device-map=gpu:1=tpu:0 2>&1 | FileCheck %s --check-prefix=MAP --implicit-check-not=EXEC
// MAP: hetero-run: error: expected a device map like gpu:1=gpu:0,gpu:0=gpu:3, got 'gpu:1=tpu:0'; write one pair per device

// A map that says two things of one device.
// RUN: not hetero-run %s --input=4xf32=1 --output=%t/out.npy --device-map=gpu:1=gpu:0,gpu:1=gpu:1 2>&1 | FileCheck %s --check-prefix=TWICE --implicit-check-not=EXEC
// TWICE: hetero-run: error: the device map 'gpu:1=gpu:0,gpu:1=gpu:1' has gpu:1 twice; keep one of its pairs

// RUN: ls -A %t | count 0

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add {hetero.device = #hetero.device<gpu:1>}
    ins(%a, %a : tensor<4xf32>, tensor<4xf32>)
    outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
