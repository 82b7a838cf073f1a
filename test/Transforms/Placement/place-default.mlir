// RUN: hetero-opt %s --hetero-place="default=gpu:0" --remarks-filter=hetero-place --remark-policy=all 2>&1 | FileCheck %s
// RUN: hetero-opt %s --hetero-place="default=gpu" | FileCheck %s --check-prefix=IR
// RUN: hetero-opt %s --hetero-place="placement=annotated-only" | FileCheck %s --check-prefix=ONLY
// RUN: hetero-opt %s --hetero-place="default=auto" | FileCheck %s --check-prefix=AUTO
// RUN: not hetero-opt %s --hetero-place="default=7" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not hetero-opt %s --hetero-place="placement=best" 2>&1 | FileCheck %s --check-prefix=STRATEGY

// An operation that the default device cannot run falls back with a remark; one
// that makes only scalars is the host's anyway.

// CHECK: place-default.mlir:[[#@LINE+20]]:{{[0-9]+}}: remark: [Missed] fallback | Category:hetero-place | Reason="tensor.insert works on single elements, which the host does", Remark="tensor.insert runs on cpu:0 instead of gpu:0"
// CHECK-NOT: [Missed]
// CHECK: remark: [Analysis] placement | Category:hetero-place | Clones=0, Copies=3, {{.*}}, cpu:0 ops=2, gpu:0 ops=2

// IR: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "default"}
// IR: tensor.extract {{.*}} {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: tensor.extract works
// IR: tensor.insert {{.*}} {hetero.device = #hetero.device<cpu:0>, hetero.origin = "fallback: tensor.insert works on single elements, which the host does"}
// IR: tensor.dim {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host:

// ONLY: math.exp {{.*}} {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: not annotated"}
// ONLY: math.sqrt {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"

// AUTO: math.exp {{.*}} hetero.origin = "cost"

// BAD: error: expected 'auto' or a device like gpu:0 as the default, got '7'
// STRATEGY: Cannot find option named 'best'

func.func @main(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, f32, index, tensor<?xf32>) {
  %0 = math.exp %a : tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  %2 = tensor.insert %1 into %a[%i] : tensor<?xf32>
  %3 = tensor.dim %0, %i : tensor<?xf32>
  %4 = math.sqrt %0 {hetero.device = #hetero.device<gpu:0>} : tensor<?xf32>
  return %2, %1, %3, %4 : tensor<?xf32>, f32, index, tensor<?xf32>
}
