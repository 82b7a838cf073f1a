// Schedules that cannot be read or applied name the file, and the line where
// there is one; other kinds of device have none.

// RUN: sed -e 's#FILE#%t.nowhere#' -e 's#DEVICE#cpu:0#' %s > %t.mlir
// RUN: not hetero-opt %t.mlir --hetero-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: region-schedules-invalid.mlir.tmp.mlir:{{.*}}: error: cannot read the schedule '{{.*}}.nowhere'; name a file of the transform dialect
// NOWHERE-NOT: error

// RUN: sed -e 's#FILE#%S/Inputs/wrong.mlir#' -e 's#DEVICE#cpu:0#' %s > %t.mlir
// RUN: not hetero-opt %t.mlir --hetero-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not hetero-opt %t.mlir --hetero-explain-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: Inputs/wrong.mlir:3:5: error:

// RUN: sed -e 's#FILE#%S/region-schedules.mlir#' -e 's#DEVICE#cpu:0#' %s > %t.mlir
// RUN: not hetero-opt %t.mlir --hetero-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOMAIN
// NOMAIN: region-schedules.mlir:{{.*}}: error: expected a module with transform.with_named_sequence and a transform.named_sequence @__transform_main; name the sequence that is to run so

// RUN: sed -e 's#FILE#%S/Inputs/fails.mlir#' -e 's#DEVICE#cpu:0#' %s > %t.mlir
// RUN: not hetero-opt %t.mlir --hetero-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: Inputs/fails.mlir:4:18: error:
// FAILS: error: {{.*}}the schedule '{{.*}}fails.mlir' failed on region "r"; correct it or leave codegen out of the device

// RUN: sed -e 's#FILE#%S/Inputs/tile.mlir#' -e 's#DEVICE#gpu:0#' -e '/^!outer/s|f32>|f32, #hetero.device<gpu:0>>|' %s > %t.mlir
// RUN: not hetero-opt %t.mlir --hetero-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: {{.*}}region "r" is on gpu:0, but schedules compile for the host only; place it on cpu:0 or leave codegen out

!outer = tensor<4x4xf32>
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @main(%a: !outer) -> !outer {
  %0 = hetero.execute "r" on #hetero.device<DEVICE, codegen = "schedule:FILE"> (%x = %a : !outer) -> (!outer) {
    %e = tensor.empty() : tensor<4x4xf32>
    %d = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    hetero.yield %d : tensor<4x4xf32>
  }
  return %0 : !outer
}
}
