// Each device has one block of memory, in which every buffer has its place before
// the program runs; a call allocates it and nothing else there.
//
// RUN: hetero-opt %s --hetero-pipeline=stop-after=planned | FileCheck %s
// RUN: hetero-run %s --input=256xf32=0 --print-max=1 --report | FileCheck %s --check-prefix=RAN

// CHECK-DAG: memref.alloc() {{.*}} : memref<[[#]]xi8, #hetero.device<gpu:0>>
// CHECK-DAG: memref.alloc() {{.*}} : memref<[[#]]xi8, #hetero.device<gpu:1>>
// CHECK-NOT: memref.alloc() {{.*}}gpu:
// CHECK: return

// RAN: devices:
// RAN: gpu:0 {{ *}}1 {{ *}}
// RAN: gpu:1 {{ *}}1 {{ *}}

!v = tensor<256xf32>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
func.func @main(%x: !v) -> (!v, !v) {
  %e = tensor.empty() : !v
  %0 = linalg.softmax {hetero.device = #gpu0} dimension(0) ins(%x : !v) outs(%e : !v) -> !v
  %1 = linalg.softmax {hetero.device = #gpu0} dimension(0) ins(%0 : !v) outs(%e : !v) -> !v
  %2 = linalg.softmax {hetero.device = #gpu1} dimension(0) ins(%1 : !v) outs(%e : !v) -> !v
  %3 = linalg.softmax {hetero.device = #gpu1} dimension(0) ins(%2 : !v) outs(%e : !v) -> !v
  return %1, %3 : !v, !v
}
