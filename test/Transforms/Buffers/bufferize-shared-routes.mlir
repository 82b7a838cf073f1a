// RUN: hetero-opt %s --hetero-bufferize --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-bufferize --hetero-bufferize --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-bufferize --hetero-route-copies --hetero-verify --split-input-file -o /dev/null
// RUN: hetero-opt %s --hetero-bufferize --remarks-filter=hetero-bufferize --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: summary | Category:hetero-bufferize | {{.*}}routes=5
// REMARK: summary | Category:hetero-bufferize | {{.*}}routes=1

// All gpus have links to the host only; gpu:3 hangs on gpu:2.

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
#gpu2 = #hetero.device<gpu:2>
#gpu3 = #hetero.device<gpu:3>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu0, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu1, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu2, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu3, compute = 1000000, bandwidth = 1000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #cpu, to = #gpu1, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu1, to = #cpu, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #cpu, to = #gpu2, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu2, to = #cpu, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu2, to = #gpu3, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu3, to = #gpu2, bandwidth = 1000000, latency = 10>]>} {

// Acts: the link to the host is crossed once for two devices, and what the host
// needs itself is the same copy, whichever stands first.
// CHECK-LABEL: func.func @acts(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #[[GPU0:[^>]*>]]>
// CHECK: %[[H:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: memref.copy %[[X]], %[[H]] {hetero.value = "%x"}
// CHECK: memref.copy %[[H]], %[[A:.*]] {hetero.value = "%x"} : memref<4xf32> to memref<4xf32, #[[GPU1:[^>]*>]]>
// CHECK: memref.copy %[[H]], %[[B:.*]] : memref<4xf32> to memref<4xf32, #[[GPU2:[^>]*>]]>
// CHECK-NOT: memref.copy
// CHECK: return %[[A]], %[[B]], %[[H]]
func.func @acts(%x: tensor<4xf32, #gpu0>) -> (tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>, tensor<4xf32>) {
  %0 = hetero.copy %x {hetero.value = "%x"} : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
  %1 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu2>
  %2 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>, tensor<4xf32>
}

// Acts over several stops: host, gpu:2, and from there on to gpu:3.
// CHECK-LABEL: func.func @tree(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #[[GPU0]]>
// CHECK: memref.copy %[[X]], %[[H:.*]] : memref<4xf32, #[[GPU0]]> to memref<4xf32>
// CHECK: memref.copy %[[H]], %[[C:.*]] : memref<4xf32> to memref<4xf32, #[[GPU2]]>
// CHECK: memref.copy %[[C]], %[[D:.*]] : memref<4xf32, #[[GPU2]]> to memref<4xf32, #{{.*}}>
// CHECK: memref.copy %[[H]], %[[A:.*]] : memref<4xf32> to memref<4xf32, #[[GPU1]]>
// CHECK-NOT: memref.copy
// CHECK: return %[[D]], %[[A]], %[[C]]
func.func @tree(%x: tensor<4xf32, #gpu0>) -> (tensor<4xf32, #gpu3>, tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>) {
  %0 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu3>
  %1 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
  %2 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu2>
  return %0, %1, %2 : tensor<4xf32, #gpu3>, tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>
}

// Must not act: links of their own, and two values.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-4: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @apart(%x: tensor<4xf32>, %y: tensor<4xf32, #gpu0>, %z: tensor<4xf32, #gpu0>)
    -> (tensor<4xf32, #gpu0>, tensor<4xf32, #gpu1>, tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>) {
  %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #gpu0>
  %1 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #gpu1>
  %2 = hetero.copy %y : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
  %3 = hetero.copy %z : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu2>
  return %0, %1, %2, %3 : tensor<4xf32, #gpu0>, tensor<4xf32, #gpu1>, tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>
}

// Control flow: a copy in another block is another crossing, which placement
// counts as often as the block runs.
// CHECK-LABEL: func.func @branch(
// CHECK: memref.copy {{.*}} : memref<4xf32, #[[GPU0]]> to memref<4xf32, #[[GPU1]]>
// CHECK: scf.if
// CHECK: memref.copy {{.*}} : memref<4xf32, #[[GPU0]]> to memref<4xf32, #[[GPU2]]>
// CHECK-NOT: memref.copy
// CHECK: return
func.func @branch(%c: i1, %x: tensor<4xf32, #gpu0>, %y: tensor<4xf32, #gpu2>) -> (tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>) {
  %0 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
  %1 = scf.if %c -> tensor<4xf32, #gpu2> {
    %2 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu2>
    scf.yield %2 : tensor<4xf32, #gpu2>
  } else {
    scf.yield %y : tensor<4xf32, #gpu2>
  }
  return %0, %1 : tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>
}
}

// -----

// The host shares memory with gpu:2: what goes there goes by the copy that is
// for gpu:1.
#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
#gpu2 = #hetero.device<gpu:2>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu0, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu1, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu2, compute = 1000000, bandwidth = 1000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #cpu, to = #gpu1, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu1, to = #cpu, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #cpu, to = #gpu2, bandwidth = 1000000, latency = 10, unified = true>,
    #hetero.link<from = #gpu2, to = #cpu, bandwidth = 1000000, latency = 10, unified = true>]>} {
// CHECK-LABEL: func.func @unified(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #{{.*}}>
// CHECK: memref.copy %[[X]], %[[H:.*]] : memref<4xf32, #{{.*}}> to memref<4xf32>
// CHECK: memref.copy %[[H]], %[[A:.*]] : memref<4xf32> to memref<4xf32, #{{.*}}>
// CHECK: %[[B:.*]] = memref.memory_space_cast %[[H]]
// CHECK-NOT: memref.copy
// CHECK: return %[[A]], %[[B]]
func.func @unified(%x: tensor<4xf32, #gpu0>) -> (tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>) {
  %0 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
  %1 = hetero.copy %x : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu2>
  return %0, %1 : tensor<4xf32, #gpu1>, tensor<4xf32, #gpu2>
}
}
