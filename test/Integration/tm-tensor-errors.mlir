// An index outside of the destination is an error that names the operation,
// unless checks are left out; a pin on a device that has no code for it is one,
// too, and a default is a remark.

// RUN: not hetero-run %s --entry=main --input=4xf32=0 --input=2xf32=1 --input=2x1xi32=1,4 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not hetero-run %s --entry=main --input=4xf32=0 --input=2xf32=1 --input=2x1xi32=-1,0 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen bounds-checks=false" | FileCheck %s --check-prefix=UNCHECKED
// RUN: sed 's/{dimension_map/{hetero.device = #hetero.device<gpu:0>, dimension_map/' %s | not hetero-opt --hetero-place 2>&1 | FileCheck %s --check-prefix=PIN
// RUN: hetero-opt %s --hetero-place=default=gpu:0 --remarks-filter=hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// OUTSIDE: error: expected tm_tensor.scatter at {{.*}}.mlir:18:8 to stay inside dimension 0 of its tensor
// UNCHECKED: scf.for
// UNCHECKED-NOT: cf.assert
// PIN: error: 'tm_tensor.scatter' op is annotated with gpu:0, which cannot run it: tm_tensor.scatter has no gpu kernel
// REMARK: tm_tensor.scatter runs on cpu:0 instead of gpu:0

func.func @main(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2x1xi32>) -> tensor<4xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true)
      ins(%u, %i : tensor<2xf32>, tensor<2x1xi32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
