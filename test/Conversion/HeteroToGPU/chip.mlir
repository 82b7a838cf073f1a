// RUN: hetero-opt %s --split-input-file --convert-hetero-to-gpu | FileCheck %s --check-prefixes=CHECK,OWN
// RUN: hetero-opt %s --split-input-file --convert-hetero-to-gpu=chip=sm_86 | FileCheck %s --check-prefixes=CHECK,OPTION
// RUN: not hetero-opt %s --split-input-file --convert-hetero-to-gpu=chip=sm_42 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: chip.mlir:{{.*}}: error: unknown chip 'sm_42'; use one that LLVM knows: {{.*}}sm_80

!device = memref<4xf32, #hetero.device<gpu:0>>

// Kernels are for the chip of their device, and for later chips of others, unless
// the option names one. A device without one has the lowest.
// OWN: gpu.module @hetero_kernels_sm_75 [#nvvm.target<O = 3, chip = "sm_75">, #nvvm.target<O = 3, chip = "sm_90a">, #nvvm.target<O = 3, chip = "sm_100">]
// OWN: gpu.module @hetero_kernels_sm_90a [#nvvm.target<O = 3, chip = "sm_90a">] {
// OWN: gpu.module @hetero_kernels_sm_100 [#nvvm.target<O = 3, chip = "sm_100">] {
// OWN: gpu.launch_func @hetero_kernels_sm_100::
// OWN-SAME: gpu:0
// OWN: gpu.launch_func @hetero_kernels_sm_75::
// OWN-SAME: gpu:1
// OWN: gpu.launch_func @hetero_kernels_sm_75::
// OWN-SAME: gpu:2
// OWN: gpu.launch_func @hetero_kernels_sm_90a::
// OWN-SAME: gpu:3
// OPTION: gpu.module @hetero_kernels [#nvvm.target<O = 3, chip = "sm_86">] {
// OPTION-NOT: gpu.module
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1, target = #nvvm.target<chip = "sm_100">>,
    #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 1, compute = 1, bandwidth = 1, target = #nvvm.target<chip = "sm_75">>,
    #hetero.device_spec<device = #hetero.device<gpu:2>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:3>, memory = 1, compute = 1, bandwidth = 1, target = #nvvm.target<chip = "sm_90a">>]>} {
  func.func @own(%a: !device, %b: memref<4xf32, #hetero.device<gpu:1>>, %c: memref<4xf32, #hetero.device<gpu:2>>, %d: memref<4xf32, #hetero.device<gpu:3>>) {
    linalg.exp ins(%a : !device) outs(%a : !device)
    linalg.exp ins(%b : memref<4xf32, #hetero.device<gpu:1>>) outs(%b : memref<4xf32, #hetero.device<gpu:1>>)
    linalg.exp ins(%c : memref<4xf32, #hetero.device<gpu:2>>) outs(%c : memref<4xf32, #hetero.device<gpu:2>>)
    linalg.exp ins(%d : memref<4xf32, #hetero.device<gpu:3>>) outs(%d : memref<4xf32, #hetero.device<gpu:3>>)
    return
  }
}

// -----

!device = memref<4xf32, #hetero.device<gpu:0>>

// Without any it is one that runs widely.
// CHECK: gpu.module @hetero_kernels
// OWN-SAME: chip = "sm_80"
// OPTION-SAME: chip = "sm_86"
func.func @default(%d: !device) {
  linalg.exp ins(%d : !device) outs(%d : !device)
  return
}
