// Two devices of the program on one of the machine are said, once, however the map is given; one device on another is not.
//
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=2 hetero-run %s --input=4xf32=1 --device-map=gpu:1=gpu:0 --time=2 2>&1 | FileCheck %s
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=2 HETERO_DEVICE_MAP=gpu:0=gpu:1 hetero-run %s --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: env HETERO_CUDA_DRIVER=emulator HETERO_EMULATOR=devices=2 hetero-run %s --input=4xf32=1 --device-map=gpu:1=gpu:0,gpu:0=gpu:1 2>&1 | FileCheck %s --check-prefix=SWAPPED --implicit-check-not='device map'

// CHECK-COUNT-1: hetero: the device map gives gpu:0 and gpu:1 of the program to gpu:0 of the machine; they share its memory and take turns
// CHECK-NOT: hetero: the device map
// OTHER: hetero: the device map gives gpu:0 and gpu:1 of the program to gpu:1 of the machine
// SWAPPED: 4xf32=2.7182

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = math.sin %x {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
