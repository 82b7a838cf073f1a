// A module's own topology stays, and the user is told.
// RUN: %hetero_opt %s --hetero-pipeline="topology=%S/Inputs/one-gpu.topology stop-after=annotated" 2>&1 | FileCheck %s
// RUN: hetero-run %s --input=4xf32=0 --topology=%S/Inputs/one-gpu.topology 2>&1 | FileCheck %s --check-prefix=EXECUTE
// CHECK: topology.mlir:{{.*}}: warning: the module has a topology of its own, which the option 'topology' does not replace; remove one of them
// CHECK: memory = 4097,
// EXECUTE: warning: the module has a topology of its own
// EXECUTE: 4xf32=1 1 1 1

// The same one twice is no conflict.
// RUN: hetero-opt %s --hetero-pipeline="topology='#hetero.topology<devices = [<device = <cpu:0>, memory = 4097, compute = 5, bandwidth = 5>]>' stop-after=annotated" 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-NOT: warning
// SAME: memory = 4097,

module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 4097, compute = 5, bandwidth = 5>]>} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
