// RUN: hetero-opt %s --split-input-file --hetero-stream-constants --verify-roundtrip | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-stream-constants -o %t.once
// RUN: hetero-opt %t.once --split-input-file --hetero-stream-constants | diff %t.once -
// RUN: hetero-opt %s --split-input-file --hetero-stream-constants --remarks-filter=hetero-stream-constants -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --split-input-file --hetero-stream-constants --hetero-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: hetero-opt %s --split-input-file --hetero-stream-constants --hetero-schedule --hetero-plan-memory -o /dev/null

// Acts: beside an argument of 256 bytes and two slots there is room for one of
// four constants of 1,024 bytes; the others go through the slots in turns.
// REMARK: streamed{{.*}}BudgetForAllBytes=4352, Buffers=2, CopyPicoseconds=3{{[0-9]*}}, KeptBytes=1024, NeededBytes=3328, Remark="3 of 4 constants of gpu:0 are copied for each use", SlotBytes=2048
// REMARK: summary{{.*}}constants=3, copies=3, devices=1
#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, memory = 4096, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000, latency = 1000>,
           <from = <gpu:0>, to = <cpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
// CHECK: memref.global "private" constant @a : memref<256xf32, #hetero.device<gpu:0>>
// CHECK: memref.global "private" constant @b_host : memref<256xf32> =
// CHECK: memref.global "private" constant @c_host : memref<256xf32> =
// CHECK: memref.global "private" constant @d_host : memref<256xf32> =
memref.global "private" constant @a : memref<256xf32, #gpu0> = dense<1.0>
memref.global "private" constant @b : memref<256xf32, #gpu0> = dense<2.0>
memref.global "private" constant @c : memref<256xf32, #gpu0> = dense<3.0>
memref.global "private" constant @d : memref<256xf32, #gpu0> = dense<4.0>
// CHECK-LABEL: func.func @acts
// CHECK: %[[S0:.*]] = memref.alloc() {alignment = 256 : i64, hetero.streamed} : memref<1024xi8, #hetero.device<gpu:0>>
// CHECK: %[[S1:.*]] = memref.alloc() {alignment = 256 : i64, hetero.streamed} : memref<1024xi8, #hetero.device<gpu:0>>
// CHECK: %[[A:.*]] = memref.get_global @a
// CHECK: linalg.reduce ins(%[[A]]
// CHECK: %[[B:.*]] = memref.view %[[S0]]
// CHECK: %[[HB:.*]] = memref.get_global @b_host : memref<256xf32> {hetero.streamed}
// CHECK: memref.copy %[[HB]], %[[B]] {hetero.value = "b"}
// CHECK: linalg.reduce ins(%[[B]]
// CHECK: %[[C:.*]] = memref.view %[[S1]]
// CHECK: %[[HC:.*]] = memref.get_global @c_host
// CHECK: memref.copy %[[HC]], %[[C]]
// CHECK: linalg.reduce ins(%[[C]]
// CHECK: %[[D:.*]] = memref.view %[[S0]]
// CHECK: linalg.reduce ins(%[[D]]
// The copies stand before the kernel before, and wait for the one that still
// reads their slot.
// SCHEDULE-LABEL: func.func @acts
// SCHEDULE: memref.copy %{{.*}}hetero.value = "b"
// SCHEDULE: memref.copy %{{.*}}hetero.to = #hetero.device<gpu:0, unit = "copy in">, hetero.value = "c"
// SCHEDULE: linalg.reduce
// SCHEDULE: hetero.order #hetero.device<gpu:0, unit = "copy in"> after #hetero.device<gpu:0>
// SCHEDULE: memref.copy %{{.*}}hetero.to = #hetero.device<gpu:0, unit = "copy in">, hetero.value = "d"
// SCHEDULE: linalg.reduce
// SCHEDULE: linalg.reduce
func.func @acts(%x: memref<f32, #gpu0>) {
  %a = memref.get_global @a : memref<256xf32, #gpu0>
  %b = memref.get_global @b : memref<256xf32, #gpu0>
  %c = memref.get_global @c : memref<256xf32, #gpu0>
  %d = memref.get_global @d : memref<256xf32, #gpu0>
  linalg.reduce ins(%a : memref<256xf32, #gpu0>) outs(%x : memref<f32, #gpu0>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  linalg.reduce ins(%b : memref<256xf32, #gpu0>) outs(%x : memref<f32, #gpu0>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  linalg.reduce ins(%c : memref<256xf32, #gpu0>) outs(%x : memref<f32, #gpu0>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  linalg.reduce ins(%d : memref<256xf32, #gpu0>) outs(%x : memref<f32, #gpu0>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  return
}
}

// -----

// Must not act: everything fits.
// REMARK: summary{{.*}}constants=0, copies=0, devices=0
#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, memory = 2304, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
memref.global "private" constant @a : memref<256xf32, #gpu0> = dense<1.0>
memref.global "private" constant @b : memref<256xf32, #gpu0> = dense<2.0>
// CHECK-LABEL: func.func @fits
// CHECK-NOT: memref.copy
// CHECK: return
func.func @fits(%x: memref<64xf32, #gpu0>) {
  %a = memref.get_global @a : memref<256xf32, #gpu0>
  %b = memref.get_global @b : memref<256xf32, #gpu0>
  %v = memref.subview %a[0] [64] [1] : memref<256xf32, #gpu0> to memref<64xf32, strided<[1]>, #gpu0>
  linalg.exp ins(%v : memref<64xf32, strided<[1]>, #gpu0>) outs(%x : memref<64xf32, #gpu0>)
  return
}
}

// -----

// Conflict: with the budget of the module there is no room for two slots, so
// that one has to do; what is a view of a constant is one of the slot.
// REMARK: streamed{{.*}}Buffers=1{{.*}}SlotBytes=1024
#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.memory_budget = {"gpu:0" = 1536 : i64}, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, memory = 65536, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
memref.global "private" constant @a : memref<256xf32, #gpu0> = dense<1.0>
memref.global "private" constant @b : memref<256xf32, #gpu0> = dense<2.0>
// CHECK-LABEL: func.func @single
// CHECK: %[[S:.*]] = memref.alloc() {alignment = 256 : i64, hetero.streamed}
// CHECK-NOT: memref.alloc
// CHECK: %[[A:.*]] = memref.view %[[S]]
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK: %[[V:.*]] = memref.subview %[[A]][0]
// CHECK: linalg.exp ins(%[[V]]
// CHECK: %[[B:.*]] = memref.view %[[S]]
// CHECK: memref.copy %{{.*}}, %[[B]]
// CHECK: linalg.exp
func.func @single(%x: memref<64xf32, #gpu0>) {
  %a = memref.get_global @a : memref<256xf32, #gpu0>
  %b = memref.get_global @b : memref<256xf32, #gpu0>
  %v = memref.subview %a[0] [64] [1] : memref<256xf32, #gpu0> to memref<64xf32, strided<[1]>, #gpu0>
  %w = memref.subview %b[64] [64] [1] : memref<256xf32, #gpu0> to memref<64xf32, strided<[1], offset: 64>, #gpu0>
  linalg.exp ins(%v : memref<64xf32, strided<[1]>, #gpu0>) outs(%x : memref<64xf32, #gpu0>)
  linalg.exp ins(%w : memref<64xf32, strided<[1], offset: 64>, #gpu0>) outs(%x : memref<64xf32, #gpu0>)
  return
}
}

// -----

// Control flow: what a loop reads is copied ten times as often, so it stays.
// Within the loop a slot that has been left is filled again.
#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, memory = 4608, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
memref.global "private" constant @a : memref<256xf32, #gpu0> = dense<1.0>
memref.global "private" constant @b : memref<256xf32, #gpu0> = dense<2.0>
memref.global "private" constant @c : memref<256xf32, #gpu0> = dense<3.0>
memref.global "private" constant @d : memref<256xf32, #gpu0> = dense<4.0>
// CHECK-LABEL: func.func @loop
// CHECK: memref.copy {{.*}}hetero.value = "a"
// CHECK: scf.for
// CHECK-NOT: memref.copy
// CHECK: linalg.exp
// CHECK: }
// CHECK: memref.copy {{.*}}hetero.value = "c"
// CHECK: memref.copy {{.*}}hetero.value = "d"
func.func @loop(%x: memref<256xf32, #gpu0>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.get_global @a : memref<256xf32, #gpu0>
  %b = memref.get_global @b : memref<256xf32, #gpu0>
  %c = memref.get_global @c : memref<256xf32, #gpu0>
  %d = memref.get_global @d : memref<256xf32, #gpu0>
  linalg.exp ins(%a : memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%b : memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  }
  linalg.exp ins(%c : memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  linalg.exp ins(%d : memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  return
}
}

// -----

// Call: the slots of the callee are there together with what its caller has, and
// what a call gets stays.
// REMARK: streamed{{.*}}KeptBytes=1024, NeededBytes=4096, Remark="3 of 4 constants
#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, memory = 5119, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
// CHECK: @a : memref<256xf32, #hetero.device<gpu:0>>
memref.global "private" constant @a : memref<256xf32, #gpu0> = dense<1.0>
// CHECK: @b_host
memref.global "private" constant @b : memref<256xf32, #gpu0> = dense<2.0>
memref.global "private" constant @c : memref<256xf32, #gpu0> = dense<3.0>
memref.global "private" constant @d : memref<256xf32, #gpu0> = dense<4.0>
// CHECK-LABEL: func.func private @inner
// CHECK-COUNT-3: memref.copy
func.func private @inner(%p: memref<256xf32, #gpu0>, %x: memref<256xf32, #gpu0>) {
  %b = memref.get_global @b : memref<256xf32, #gpu0>
  %c = memref.get_global @c : memref<256xf32, #gpu0>
  %d = memref.get_global @d : memref<256xf32, #gpu0>
  linalg.add ins(%p, %b : memref<256xf32, #gpu0>, memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  linalg.add ins(%x, %c : memref<256xf32, #gpu0>, memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  linalg.add ins(%x, %d : memref<256xf32, #gpu0>, memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  return
}
// CHECK-LABEL: func.func @outer
// CHECK-NOT: memref.copy
// CHECK: call @inner
func.func @outer(%x: memref<256xf32, #gpu0>) {
  %a = memref.get_global @a : memref<256xf32, #gpu0>
  func.call @inner(%a, %x) : (memref<256xf32, #gpu0>, memref<256xf32, #gpu0>) -> ()
  return
}
}
