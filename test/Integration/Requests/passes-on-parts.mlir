// Any passes run on the regions of one device, and leave the others alone; any
// passes run on the whole program before it is annotated and divided.
//
// RUN: hetero-opt %s --hetero-pipeline="rules={[{op: linalg.exp, device: gpu:0}, {op: linalg.abs, device: cpu}]} stop-after=partitioned target-pipeline={device=gpu pipeline=linalg-generalize-named-ops}" | FileCheck %s --check-prefix=PARTS
// RUN: hetero-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --hetero-annotate='rules={[{op: linalg.generic, device: gpu:0}]}' --hetero-place --hetero-materialize-copies --hetero-partition | FileCheck %s --check-prefix=WHOLE

// PARTS: hetero.execute {{.*}} on #hetero.device<gpu:0>
// PARTS-NOT: linalg.exp
// PARTS: linalg.generic
// PARTS: hetero.execute {{.*}} on #hetero.device<cpu:0>
// PARTS-NOT: linalg.generic
// PARTS: linalg.abs

// WHOLE: hetero.execute
// WHOLE: linalg.generic
// WHOLE-NOT: linalg.generic
// WHOLE: hetero.yield
// WHOLE-NOT: hetero.execute

!v = tensor<16xf32>
func.func @main(%x: !v) -> !v {
  %e = tensor.empty() : !v
  %0 = linalg.exp ins(%x : !v) outs(%e : !v) -> !v
  %1 = linalg.abs ins(%0 : !v) outs(%e : !v) -> !v
  return %1 : !v
}
