// RUN: hetero-opt %s --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --hetero-schedule | diff %t.once -

#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#b = #hetero.device<gpu:0, unit = "b">
#other = #hetero.device<gpu:1, unit = "a">
!gpu0 = memref<4xf32, #gpu0>
!gpu1 = memref<4xf32, #hetero.device<gpu:1>>

// CHECK: module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.units = ["a", "b"]}
module attributes {hetero.phase = #hetero.phase<bufferized>} {

// Acts: what a unit reads the other has written; it waits right after that,
// not for what comes after.
// CHECK-LABEL: func.func @acts
// CHECK: linalg.exp
// CHECK-NEXT: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK-NOT: hetero.order
// CHECK: linalg.exp {{.*}}unit = "b"
// CHECK-NEXT: linalg.abs
// CHECK-NOT: hetero.order
// CHECK: return
func.func @acts() {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  %z = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%y : !gpu0)
  linalg.abs {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  linalg.exp {hetero.device = #b} ins(%y : !gpu0) outs(%z : !gpu0)
  return
}

// Acts: a unit that got something in between waits before what needs it.
// CHECK-LABEL: func.func @in_between
// CHECK: linalg.exp
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK-NEXT: linalg.exp
// CHECK-NOT: hetero.order
// CHECK: return
func.func @in_between() {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  %z = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%y : !gpu0)
  linalg.abs {hetero.device = #b} ins(%z : !gpu0) outs(%z : !gpu0)
  linalg.exp {hetero.device = #b} ins(%y : !gpu0) outs(%z : !gpu0)
  return
}

// Must not act: two units that only read the same, one unit, two devices.
// CHECK-LABEL: func.func @independent
// CHECK-NOT: hetero.order
// CHECK: return
func.func @independent() {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  %z = memref.alloc() : !gpu0
  %u = memref.alloc() : !gpu1
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%y : !gpu0)
  linalg.exp {hetero.device = #b} ins(%x : !gpu0) outs(%z : !gpu0)
  linalg.abs {hetero.device = #a} ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.exp {hetero.device = #other} ins(%u : !gpu1) outs(%u : !gpu1)
  return
}

// Already done: what is ordered once is ordered through others too.
// CHECK-LABEL: func.func @through_others
// CHECK: linalg.exp
// CHECK-NEXT: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: linalg.add
// CHECK-NEXT: linalg.abs
// CHECK-NOT: hetero.order
// CHECK: return
func.func @through_others() {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  %z = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%y : !gpu0)
  linalg.exp {hetero.device = #b} ins(%y : !gpu0) outs(%z : !gpu0)
  linalg.add {hetero.device = #b} ins(%y, %z : !gpu0, !gpu0) outs(%z : !gpu0)
  linalg.abs {hetero.device = #b} ins(%x : !gpu0) outs(%z : !gpu0)
  return
}

// Conflict: what a unit overwrites the other may still read.
// CHECK-LABEL: func.func @overwrites
// CHECK: linalg.exp
// CHECK-NEXT: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK-NEXT: linalg.exp
// CHECK: return
func.func @overwrites() {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  %z = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%y : !gpu0)
  linalg.exp {hetero.device = #b} ins(%z : !gpu0) outs(%x : !gpu0)
  return
}

// Views are what they are views of.
// CHECK-LABEL: func.func @views
// CHECK: linalg.exp
// CHECK-NEXT: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK: return
func.func @views() {
  %x = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  %v = memref.subview %x[0] [2] [1] : !gpu0 to memref<2xf32, strided<[1]>, #gpu0>
  linalg.exp {hetero.device = #b} ins(%v : memref<2xf32, strided<[1]>, #gpu0>) outs(%v : memref<2xf32, strided<[1]>, #gpu0>)
  return
}

// Control flow: a block knows nothing of what came before it.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for
// CHECK: hetero.order #hetero.device<gpu:0, unit = "a">
// CHECK: linalg.exp
// CHECK: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK: linalg.exp
// CHECK: }
// CHECK: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "b">
// CHECK: linalg.abs
// CHECK: return
func.func @control_flow(%x: !gpu0, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
    linalg.exp {hetero.device = #b} ins(%x : !gpu0) outs(%x : !gpu0)
  }
  linalg.abs {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  return
}

// Call: the callee may enqueue anything.
// CHECK-LABEL: func.func @calls
// CHECK: call @acts
// CHECK: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "b">
// CHECK: linalg.exp
// CHECK: return
func.func @calls(%x: !gpu0) {
  func.call @acts() : () -> ()
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  return
}

// Copies are on the streams of what reads and writes them.
// CHECK-LABEL: func.func @copies
// CHECK: memref.copy {{.*}} {hetero.to = #hetero.device<gpu:0, unit = "b">} : memref<4xf32> to
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: memref.copy {{.*}} {hetero.from = #hetero.device<gpu:0, unit = "b">, hetero.to = #hetero.device<gpu:1, unit = "a">}
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: memref.copy {{.*}} {hetero.from = #hetero.device<gpu:1, unit = "a">}
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:1, unit = "a">
func.func @copies(%h: memref<4xf32>) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu1
  memref.copy %h, %x : memref<4xf32> to !gpu0
  linalg.exp {hetero.device = #b} ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %y : !gpu0 to !gpu1
  linalg.exp {hetero.device = #other} ins(%y : !gpu1) outs(%y : !gpu1)
  memref.copy %y, %h : !gpu1 to memref<4xf32>
  return
}
}
