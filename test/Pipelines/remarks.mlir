// Every pass ends with a remark that counts what it added, removed or went over.
// RUN: %hetero_opt %s --hetero-pipeline='rules={rules: [{op: arith.mulf, device: cpu}]}' --remarks-filter=.* -o /dev/null 2>&1 | grep Analysis | FileCheck %s

// A program without work has nothing to count.
// RUN: echo 'func.func @main() { return }' | %hetero_opt --hetero-pipeline --remarks-filter=.* -o /dev/null 2>&1 | grep Analysis | FileCheck %s --check-prefix=NONE

// Who names one pass hears of no other.
// RUN: %hetero_opt %s --hetero-pipeline --remarks-filter=hetero-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE-NOT: {{Category:(convert-hetero|hetero-[^s])}}
// ONE: Category:hetero-schedule
// ONE-NOT: {{Category:(convert-hetero|hetero-[^s])}}

// CHECK: summary | Category:hetero-apply-schedule | carried=0, dropped=0, schedules=0
// CHECK: summary | Category:hetero-annotate | annotated=1, pins=3, rules=1
// CHECK: summary | Category:hetero-convert-elementwise-to-linalg | converted=3
// CHECK: placement | Category:hetero-place | Clones=0, Copies=3, {{.*}}gpu:0 ops={{[1-9]}}
// CHECK: summary | Category:hetero-materialize-copies | copies=3, destinations={{[0-9]+}}, replicated={{[0-9]+}}
// CHECK: summary | Category:hetero-optimize-copies | chains=0, duplicates=0, hoisted=0, narrowed=0, round-trips=0, unused=0
// CHECK: summary | Category:hetero-partition | regions=2
// The sizes of `%x` and `%y` meet on the GPU.
// CHECK: summary | Category:hetero-codegen | kernel-calls=0, kernels=0, regions=2, scheduled=0, size-checks=1
// CHECK: summary | Category:hetero-bufferize | buffers={{[1-9]}}, copies={{[1-9]}}, regions=2
// CHECK: summary | Category:hetero-schedule | bound_ps=[[BOUND:[1-9][0-9]*]], makespan_ps=[[BOUND]], moved=0, orders=0, waits=1
// CHECK: summary | Category:hetero-plan-memory | early={{[1-9]}}, frees={{[1-9]}}
// CHECK: summary | Category:convert-hetero-to-gpu | buffers={{[1-9]}}, copies=3, kernels=1, launches=1, residents=0
// CHECK: summary | Category:convert-parallel-loops-to-runtime | outlined={{[0-9]}}, serialized=0, temporaries=0
// CHECK: summary | Category:hetero-expand-host-operations | copies=0, functions={{[1-9]}}
// CHECK: summary | Category:hetero-to-llvm | binaries=1, entry-points=1, merged-kernels=0, runtime-calls={{[1-9][0-9]}}

// NONE: Category:hetero-annotate | annotated=0, pins=0, rules=0
// NONE: Category:hetero-convert-elementwise-to-linalg | converted=0
// NONE: Category:hetero-codegen | kernel-calls=0, kernels=0, regions=0, scheduled=0, size-checks=0
// NONE: Category:hetero-bufferize | buffers=0, copies=0, regions=0
// NONE: Category:hetero-schedule | bound_ps=0, makespan_ps=0, moved=0, orders=0, waits=0
// NONE: Category:hetero-plan-memory | early=0, frees=0
// NONE: Category:convert-hetero-to-gpu | buffers=0, copies=0, kernels=0, launches=0, residents=0
// NONE: Category:convert-parallel-loops-to-runtime | outlined=0, serialized=0, temporaries=0
// NONE: Category:hetero-expand-host-operations | copies=0, functions=0
// NONE: Category:hetero-to-llvm | binaries=0, entry-points=1, merged-kernels=0, runtime-calls=3

func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %y {hetero.device = #hetero.device<gpu:0>} : tensor<?xf32>
  %1 = math.exp %0 {hetero.device = #hetero.device<cpu>} : tensor<?xf32>
  %2 = arith.mulf %1, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}
