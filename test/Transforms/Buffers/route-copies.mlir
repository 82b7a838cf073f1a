// RUN: hetero-opt %s --hetero-route-copies --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-route-copies --hetero-route-copies --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-route-copies --split-input-file --remarks-filter=hetero-route-copies 2>&1 | FileCheck %s --check-prefix=REMARK

// gpu:0 and gpu:1 have links to the host only; gpu:1 and gpu:2 are joined.

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
    #hetero.link<from = #gpu1, to = #gpu2, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu2, to = #gpu1, bandwidth = 1000000, latency = 10>]>} {

// REMARK: hetero-route-copies
// REMARK-SAME: routed=6
// REMARK-SAME: stops=7

// A copy for each link, under the value's name; one more stop where the path
// goes on.
// CHECK-LABEL: func.func @acts(
// CHECK-SAME: %[[A:.*]]: memref<4xf32, #[[GPU0:.*]]>, %[[B:.*]]: memref<4xf32, #[[GPU1:.*]]>, %[[C:.*]]: memref<4xf32, #[[GPU2:.*]]>)
// CHECK-NEXT: %[[H:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.copy %[[A]], %[[H]] {hetero.value = "%0"}
// CHECK-NEXT: memref.copy %[[H]], %[[B]] {hetero.value = "%0"}
// CHECK-NEXT: %[[I:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.copy %[[A]], %[[I]] :
// CHECK-NEXT: %[[D:.*]] = memref.alloc() : memref<4xf32, #[[GPU1]]>
// CHECK-NEXT: memref.copy %[[I]], %[[D]] :
// CHECK-NEXT: memref.copy %[[D]], %[[C]] :
// CHECK-NEXT: return
func.func @acts(%a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>, %c: memref<4xf32, #gpu2>) {
  memref.copy %a, %b {hetero.value = "%0"} : memref<4xf32, #gpu0> to memref<4xf32, #gpu1>
  memref.copy %a, %c : memref<4xf32, #gpu0> to memref<4xf32, #gpu2>
  return
}

// A link joins the two, or there is one device only, or no device at all.
// CHECK-LABEL: func.func @leaves(
// CHECK-NOT: alloc
// CHECK-COUNT-4: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @leaves(%h: memref<4xf32>, %a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>, %c: memref<4xf32, #gpu2>, %l: memref<4xf32, 3>) {
  memref.copy %h, %a : memref<4xf32> to memref<4xf32, #gpu0>
  memref.copy %b, %c : memref<4xf32, #gpu1> to memref<4xf32, #gpu2>
  memref.copy %a, %a : memref<4xf32, #gpu0> to memref<4xf32, #gpu0>
  memref.copy %l, %l : memref<4xf32, 3> to memref<4xf32, 3>
  return
}

// What goes through the host already stays as it is.
// CHECK-LABEL: func.func @done(
// CHECK-COUNT-1: memref.alloc
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @done(%a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>) {
  %h = memref.alloc() : memref<4xf32>
  memref.copy %a, %h : memref<4xf32, #gpu0> to memref<4xf32>
  memref.copy %h, %b : memref<4xf32> to memref<4xf32, #gpu1>
  return
}

// Two copies of one value are led apart: nothing says that the value is still
// the same for the second.
// CHECK-LABEL: func.func @conflict(
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @conflict(%a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>, %d: memref<4xf32, #gpu1>) {
  memref.copy %a, %b : memref<4xf32, #gpu0> to memref<4xf32, #gpu1>
  memref.copy %a, %d : memref<4xf32, #gpu0> to memref<4xf32, #gpu1>
  return
}

// In a loop, with sizes that only the program knows.
// CHECK-LABEL: func.func @control_flow(
// CHECK: scf.for
// CHECK: %[[SIZE:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<?x4xf32, #[[GPU0]]>
// CHECK-NEXT: %[[H:.*]] = memref.alloc(%[[SIZE]]) : memref<?x4xf32>
// CHECK-NEXT: memref.copy %{{.*}}, %[[H]]
// CHECK-NEXT: memref.copy %[[H]], %{{.*}}
func.func @control_flow(%n: index, %a: memref<?x4xf32, #gpu0>, %b: memref<?x4xf32, #gpu1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %b : memref<?x4xf32, #gpu0> to memref<?x4xf32, #gpu1>
  }
  return
}

// In a private function that another calls.
// CHECK-LABEL: func.func private @callee(
// CHECK: memref.alloc() : memref<4xf32>
// CHECK-COUNT-2: memref.copy
func.func private @callee(%a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>) {
  memref.copy %a, %b : memref<4xf32, #gpu0> to memref<4xf32, #gpu1>
  return
}
func.func @call(%a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>) {
  call @callee(%a, %b) : (memref<4xf32, #gpu0>, memref<4xf32, #gpu1>) -> ()
  return
}
}

// -----

// Without a topology all devices are joined.
// CHECK-LABEL: func.func @no_topology(
// CHECK-NOT: alloc
// CHECK: memref.copy
// CHECK-NEXT: return
func.func @no_topology(%a: memref<4xf32, #hetero.device<gpu:0>>, %b: memref<4xf32, #hetero.device<gpu:1>>) {
  memref.copy %a, %b : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:1>>
  return
}

// -----

// gpu:0 shares memory with the host, gpu:1 does not: one copy, without a buffer
// on the way.
#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu0, compute = 1000000, bandwidth = 1000000>,
    #hetero.device_spec<device = #gpu1, compute = 1000000, bandwidth = 1000000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu0, bandwidth = 1000000, latency = 10, unified = true>,
    #hetero.link<from = #gpu0, to = #cpu, bandwidth = 1000000, latency = 10, unified = true>,
    #hetero.link<from = #cpu, to = #gpu1, bandwidth = 1000000, latency = 10>,
    #hetero.link<from = #gpu1, to = #cpu, bandwidth = 1000000, latency = 10>]>} {
// CHECK-LABEL: func.func @unified(
// CHECK-SAME: %[[A:.*]]: memref<4xf32, #{{.*}}>, %[[B:.*]]: memref<4xf32, #{{.*}}>)
// CHECK-NEXT: %[[H:.*]] = memref.memory_space_cast %[[A]] : memref<4xf32, #{{.*}}> to memref<4xf32>
// CHECK-NEXT: memref.copy %[[H]], %[[B]] {hetero.value = "%0"}
// CHECK-NEXT: %[[T:.*]] = memref.memory_space_cast %[[A]] : memref<4xf32, #{{.*}}> to memref<4xf32>
// CHECK-NEXT: memref.copy %[[B]], %[[T]] :
// CHECK-NEXT: return
func.func @unified(%a: memref<4xf32, #gpu0>, %b: memref<4xf32, #gpu1>) {
  memref.copy %a, %b {hetero.value = "%0"} : memref<4xf32, #gpu0> to memref<4xf32, #gpu1>
  memref.copy %b, %a : memref<4xf32, #gpu1> to memref<4xf32, #gpu0>
  return
}
}
