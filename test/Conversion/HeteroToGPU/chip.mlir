// RUN: hetero-opt %s --split-input-file --convert-hetero-to-gpu | FileCheck %s --check-prefixes=CHECK,OWN
// RUN: hetero-opt %s --split-input-file --convert-hetero-to-gpu=chip=sm_86 | FileCheck %s --check-prefixes=CHECK,OPTION
// RUN: not hetero-opt %s --split-input-file --convert-hetero-to-gpu=chip=sm_42 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: chip.mlir:{{.*}}: error: unknown chip 'sm_42'; use one that LLVM knows: {{.*}}sm_80

!device = memref<4xf32, #hetero.device<gpu:0>>

// Kernels are for the lowest chip of the topology's devices, unless the option
// names one.
// CHECK: gpu.module @hetero_kernels
// OWN-SAME: chip = "sm_75"
// OPTION-SAME: chip = "sm_86"
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1, target = #nvvm.target<chip = "sm_100">>,
    #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 1, compute = 1, bandwidth = 1, target = #nvvm.target<chip = "sm_75">>,
    #hetero.device_spec<device = #hetero.device<gpu:2>, memory = 1, compute = 1, bandwidth = 1>]>} {
  func.func @lowest(%d: !device) {
    linalg.exp ins(%d : !device) outs(%d : !device)
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
