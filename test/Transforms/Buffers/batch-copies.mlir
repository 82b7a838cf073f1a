// RUN: hetero-opt %s --split-input-file --hetero-batch-copies --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-batch-copies -o %t.once
// RUN: hetero-opt %t.once --split-input-file --hetero-batch-copies | diff %t.once -
// RUN: hetero-opt %s --split-input-file --hetero-batch-copies --remarks-filter='hetero-batch-copies' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The second run shows what is already done: one copy is left, which stays.

#gpu = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!h = memref<4xf32>
!d = memref<4xf32, #gpu>
!d1 = memref<4xf32, #gpu1>

// REMARK-DAG: remark: [Passed] batched {{.*}}3 copies to gpu:0 are one of 144 bytes
// REMARK-DAG: remark: [Analysis] summary {{.*}}batches=7, copies=15

module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #gpu, compute = 1000000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #gpu1, compute = 1000000000000, bandwidth = 50000000000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #gpu, bandwidth = 12000000000, latency = 10000000>,
    #hetero.link<from = #gpu, to = #hetero.device<cpu:0>, bandwidth = 12000000000, latency = 10000000>,
    #hetero.link<from = #hetero.device<cpu:0>, to = #gpu1, bandwidth = 12000000000, latency = 10000000>]>} {

// Acts: three values cross as one, each at an offset that codegen relies on, of
// their types; strided memory of the host is packed on the way.
// CHECK-LABEL: func.func @acts
// CHECK-SAME: (%[[A:.+]]: memref<4xf32>, %[[B:.+]]: memref<i64>, %[[C:.+]]: memref<2x2xf32, strided<[8, 2]>>)
// CHECK: %[[HERE:.+]] = memref.alloc() {alignment = 64 : i64} : memref<144xi8>
// CHECK: %[[THERE:.+]] = memref.alloc() {alignment = 64 : i64} : memref<144xi8, #hetero.device<gpu:0>>
// CHECK: memref.view %[[THERE]][%{{.+}}][] : memref<144xi8, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:0>>
// CHECK: memref.view %[[THERE]][%{{.+}}][] : memref<144xi8, #hetero.device<gpu:0>> to memref<i64, #hetero.device<gpu:0>>
// CHECK: memref.view %[[THERE]][%{{.+}}][] : memref<144xi8, #hetero.device<gpu:0>> to memref<2x2xf32, #hetero.device<gpu:0>>
// CHECK: %[[VA:.+]] = memref.view %[[HERE]]
// CHECK: memref.copy %[[A]], %[[VA]] : memref<4xf32> to memref<4xf32>
// CHECK: memref.copy %[[B]], %{{.+}} : memref<i64> to memref<i64>
// CHECK: memref.copy %[[C]], %{{.+}} : memref<2x2xf32, strided<[8, 2]>> to memref<2x2xf32>
// CHECK: memref.copy %[[HERE]], %[[THERE]] {hetero.value = "a, value, c"} : memref<144xi8> to memref<144xi8, #hetero.device<gpu:0>>
// CHECK-NOT: memref.copy
// CHECK: linalg.exp
func.func @acts(%a: !h, %b: memref<i64>, %c: memref<2x2xf32, strided<[8, 2]>>) {
  %0 = memref.alloc() : !d
  memref.copy %a, %0 {hetero.value = "a"} : !h to !d
  %1 = memref.alloc() : memref<i64, #gpu>
  memref.copy %b, %1 : memref<i64> to memref<i64, #gpu>
  %2 = memref.alloc() : memref<2x2xf32, #gpu>
  memref.copy %c, %2 {hetero.value = "c"} : memref<2x2xf32, strided<[8, 2]>> to memref<2x2xf32, #gpu>
  linalg.exp {hetero.device = #gpu} ins(%0 : !d) outs(%0 : !d)
  linalg.exp {hetero.device = #gpu} ins(%2 : memref<2x2xf32, #gpu>) outs(%2 : memref<2x2xf32, #gpu>)
  return
}

// Acts: what comes back has one buffer on the device from the start; the host
// unpacks each value where it needs it.
// CHECK-LABEL: func.func @back
// CHECK: %[[THERE:.+]] = memref.alloc() {alignment = 64 : i64} : memref<80xi8, #hetero.device<gpu:0>>
// CHECK: %[[VX:.+]] = memref.view %[[THERE]]
// CHECK: %[[VY:.+]] = memref.view %[[THERE]]
// CHECK: linalg.exp {{.*}} outs(%[[VX]]
// CHECK: linalg.exp {{.*}} outs(%[[VY]]
// CHECK: %[[X:.+]] = memref.alloc() : memref<4xf32>
// CHECK: %[[Y:.+]] = memref.alloc() : memref<4xf32>
// CHECK: %[[HERE:.+]] = memref.alloc() {alignment = 64 : i64} : memref<80xi8>
// CHECK: memref.copy %[[THERE]], %[[HERE]] {hetero.value = "x, y"}
// CHECK: memref.copy %{{.+}}, %[[Y]]
// CHECK: linalg.abs
// CHECK: memref.copy %{{.+}}, %[[X]]
// CHECK: return %[[X]]
func.func @back(%d: !d) -> !h {
  %0 = memref.alloc() : !d
  linalg.exp {hetero.device = #gpu} ins(%d : !d) outs(%0 : !d)
  %1 = memref.alloc() : !d
  linalg.exp {hetero.device = #gpu} ins(%0 : !d) outs(%1 : !d)
  %x = memref.alloc() : !h
  memref.copy %0, %x {hetero.value = "x"} : !d to !h
  %y = memref.alloc() : !h
  memref.copy %1, %y {hetero.value = "y"} : !d to !h
  linalg.abs ins(%y : !h) outs(%y : !h)
  return %x : !h
}

// Acts: each device has a batch of its own.
// CHECK-LABEL: func.func @devices
// CHECK: memref.copy %{{.+}} {hetero.value = "a, b"} {{.*}} to memref<80xi8, #hetero.device<gpu:0>>
// CHECK: memref.copy %{{.+}} {hetero.value = "a, b"} {{.*}} to memref<80xi8, #hetero.device<gpu:1>>
func.func @devices(%a: !h, %b: !h) {
  %0 = memref.alloc() : !d
  memref.copy %a, %0 {hetero.value = "a"} : !h to !d
  %1 = memref.alloc() : !d1
  memref.copy %a, %1 {hetero.value = "a"} : !h to !d1
  %2 = memref.alloc() : !d
  memref.copy %b, %2 {hetero.value = "b"} : !h to !d
  %3 = memref.alloc() : !d1
  memref.copy %b, %3 {hetero.value = "b"} : !h to !d1
  linalg.add {hetero.device = #gpu} ins(%0, %2 : !d, !d) outs(%0 : !d)
  linalg.add {hetero.device = #gpu1} ins(%1, %3 : !d1, !d1) outs(%1 : !d1)
  return
}

// Must not act: larger values take longer than the latency.
// CHECK-LABEL: func.func @large
// CHECK-COUNT-2: memref.copy %{{.+}} : memref<1000000xf32> to memref<1000000xf32, #hetero.device<gpu:0>>
// CHECK: return
func.func @large(%a: memref<1000000xf32>, %b: memref<1000000xf32>) {
  %0 = memref.alloc() : memref<1000000xf32, #gpu>
  memref.copy %a, %0 : memref<1000000xf32> to memref<1000000xf32, #gpu>
  %1 = memref.alloc() : memref<1000000xf32, #gpu>
  memref.copy %b, %1 : memref<1000000xf32> to memref<1000000xf32, #gpu>
  return
}

// Must not act: sizes that only run time knows, one copy alone, and copies back
// between buffers of others.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.view
// CHECK: return
func.func @others(%a: memref<?xf32>, %n: index, %b: !h, %x: !d, %y: !d, %c: !h, %d: !h) {
  %0 = memref.alloc(%n) : memref<?xf32, #gpu>
  memref.copy %a, %0 : memref<?xf32> to memref<?xf32, #gpu>
  %1 = memref.alloc() : !d
  memref.copy %b, %1 : !h to !d
  memref.copy %x, %c : !d to !h
  memref.copy %y, %d : !d to !h
  return
}

// Conflict: work in between, a source that changes in between, and a buffer that
// is used before, keep copies apart; those that are left over are packed.
// CHECK-LABEL: func.func @between
// CHECK: memref.copy %{{.+}} {hetero.value = "a"}
// CHECK: linalg.exp
// CHECK: memref.copy %{{.+}} {hetero.value = "b"}
// CHECK: memref.copy %{{.+}}, %{{.+}} : memref<4xf32> to memref<4xf32>
// CHECK: memref.copy %{{.+}} {hetero.value = "b again, c"}
func.func @between(%a: !h, %c: !h) {
  %0 = memref.alloc() : !d
  memref.copy %a, %0 {hetero.value = "a"} : !h to !d
  linalg.exp {hetero.device = #gpu} ins(%0 : !d) outs(%0 : !d)
  %b = memref.alloc() : !h
  %1 = memref.alloc() : !d
  memref.copy %b, %1 {hetero.value = "b"} : !h to !d
  memref.copy %a, %b : !h to !h
  %2 = memref.alloc() : !d
  memref.copy %b, %2 {hetero.value = "b again"} : !h to !d
  %3 = memref.alloc() : !d
  memref.copy %c, %3 {hetero.value = "c"} : !h to !d
  return
}

// Conflict: a buffer that is returned is not a part of another.
// CHECK-LABEL: func.func @returned
// CHECK: memref.copy %{{.+}} {hetero.value = "a"}
// CHECK: memref.copy %{{.+}} {hetero.value = "b, c"}
// CHECK: return
func.func @returned(%a: !h, %b: !h, %c: !h) -> !d {
  %0 = memref.alloc() : !d
  memref.copy %a, %0 {hetero.value = "a"} : !h to !d
  %1 = memref.alloc() : !d
  memref.copy %b, %1 {hetero.value = "b"} : !h to !d
  %2 = memref.alloc() : !d
  memref.copy %c, %2 {hetero.value = "c"} : !h to !d
  linalg.add {hetero.device = #gpu} ins(%1, %2 : !d, !d) outs(%0 : !d)
  return %0 : !d
}

// Control flow: the copies of a block are packed in it; what a loop carries is
// not.
// CHECK-LABEL: func.func @loop
// CHECK: memref.copy %{{.+}} {hetero.value = "a"}
// CHECK: scf.for
// CHECK: memref.copy %{{.+}} {hetero.value = "b, c"}
func.func @loop(%n: index, %a: !h, %b: !h, %c: !h) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : !d
  memref.copy %a, %0 {hetero.value = "a"} : !h to !d
  %1 = memref.alloc() : !d
  memref.copy %b, %1 : !h to !d
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%d = %0) -> !d {
    %2 = memref.alloc() : !d
    memref.copy %b, %2 {hetero.value = "b"} : !h to !d
    %3 = memref.alloc() : !d
    memref.copy %c, %3 {hetero.value = "c"} : !h to !d
    linalg.add {hetero.device = #gpu} ins(%2, %3 : !d, !d) outs(%1 : !d)
    scf.yield %d : !d
  }
  return
}

// Call: a callee may keep what it gets.
// CHECK-LABEL: func.func @call
// CHECK: memref.copy %{{.+}} {hetero.value = "a"}
// CHECK: memref.copy %{{.+}} {hetero.value = "b"}
func.func private @callee(!d)
func.func @call(%a: !h, %b: !h) {
  %0 = memref.alloc() : !d
  memref.copy %a, %0 {hetero.value = "a"} : !h to !d
  %1 = memref.alloc() : !d
  memref.copy %b, %1 {hetero.value = "b"} : !h to !d
  func.call @callee(%0) : (!d) -> ()
  return
}

}

// -----

// Must not act: without a topology nothing is known of latencies.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: memref.view
// CHECK: return
module attributes {hetero.phase = #hetero.phase<bufferized>} {
func.func @unknown(%a: memref<4xf32>, %b: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
  memref.copy %a, %0 : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
  %1 = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
  memref.copy %b, %1 : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
  return
}
}
