// The host waits for the unit that copies what it needs, not for the others.

// RUN: hetero-opt %s --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --hetero-schedule | diff %t.once -

#a = #hetero.device<gpu:0, unit = "a">
#b = #hetero.device<gpu:0, unit = "b">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #hetero.device<gpu:0>>

module attributes {hetero.phase = #hetero.phase<bufferized>} {

// Acts: the other unit goes on.
// CHECK-LABEL: func.func @acts
// CHECK: memref.copy {{.*}} {hetero.from = #hetero.device<gpu:0, unit = "a">}
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0, unit = "a">
// CHECK-NEXT: linalg.abs
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @acts(%h: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #b} ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %h : !gpu0 to !host
  linalg.abs ins(%h : !host) outs(%h : !host)
  return
}

// Acts: each unit that copies is waited for.
// CHECK-LABEL: func.func @both
// CHECK: linalg.exp
// CHECK: linalg.exp
// CHECK-DAG: hetero.wait on #hetero.device<gpu:0, unit = "a">
// CHECK-DAG: hetero.wait on #hetero.device<gpu:0, unit = "copy out">
// CHECK: linalg.abs
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @both(%h: !host, %g: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #b} ins(%y : !gpu0) outs(%y : !gpu0)
  memref.copy %y, %g : !gpu0 to !host
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %h : !gpu0 to !host
  linalg.abs ins(%h : !host) outs(%h : !host)
  linalg.abs ins(%g : !host) outs(%g : !host)
  return
}

// Must not act: what is on the device's own stream is waited for with the whole
// device.
// CHECK-LABEL: func.func @own_stream
// CHECK: hetero.wait on #hetero.device<gpu:0>{{$}}
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @own_stream(%h: !host) {
  %x = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %h : !gpu0 to !host
  linalg.abs ins(%h : !host) outs(%h : !host)
  return
}

// Conflict: after the wait for one unit, what the other made needs an order.
// CHECK-LABEL: func.func @known
// CHECK: hetero.wait on #hetero.device<gpu:0, unit = "copy out">
// CHECK-NEXT: linalg.abs
// CHECK: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "b">
// CHECK-NEXT: linalg.exp {{.*}}unit = "a"
// CHECK: return
func.func @known(%h: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %h : !gpu0 to !host
  linalg.exp {hetero.device = #b} ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.abs ins(%h : !host) outs(%h : !host)
  linalg.exp {hetero.device = #a} ins(%y : !gpu0) outs(%x : !gpu0)
  return
}

// Control flow: a block waits for its own copies.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for
// CHECK: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0, unit = "a">
// CHECK: }
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @control_flow(%h: !host, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.alloc() : !gpu0
    linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
    memref.copy %x, %h : !gpu0 to !host
  }
  return
}

// Call: the callee may read what is copied.
// CHECK-LABEL: func.func @calls
// CHECK: hetero.wait on #hetero.device<gpu:0, unit = "a">
// CHECK-NEXT: call @reads
// CHECK-NOT: hetero.wait
// CHECK: return
func.func private @reads(!host)
func.func @calls(%h: !host) {
  %x = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %h : !gpu0 to !host
  func.call @reads(%h) : (!host) -> ()
  return
}
}
