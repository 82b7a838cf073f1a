// RUN: hetero-opt %s --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --hetero-schedule | diff %t.once -

#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#b = #hetero.device<gpu:0, unit = "b">
!gpu0 = memref<4xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<bufferized>} {
memref.global "private" @state : !gpu0 = dense<0.0>
memref.global "private" @shared : !gpu0 = dense<0.0>
memref.global "private" constant @constant : !gpu0 = dense<0.0>

// Acts: a caller's kernels on any stream may have touched the state.
// CHECK-LABEL: func.func private @callee
// CHECK-DAG: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0>
// CHECK-DAG: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "b">
// CHECK: linalg.exp
func.func private @callee() {
  %s = memref.get_global @state : !gpu0
  linalg.exp {hetero.device = #a} ins(%s : !gpu0) outs(%s : !gpu0)
  return
}

// Must not act: nobody writes a constant, and a state is not another buffer.
// CHECK-LABEL: func.func private @constants
// CHECK-NOT: hetero.order
// CHECK: return
func.func private @constants() {
  %c = memref.get_global @constant : !gpu0
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%c : !gpu0) outs(%x : !gpu0)
  linalg.exp {hetero.device = #b} ins(%c : !gpu0) outs(%y : !gpu0)
  return
}

// Already done: two references are to the same memory.
// CHECK-LABEL: func.func private @twice
// CHECK: memref.get_global @state
// CHECK-NOT: memref.get_global
// CHECK: linalg.exp
// CHECK: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK: linalg.abs
func.func private @twice() {
  %x = memref.alloc() : !gpu0
  %s = memref.get_global @state : !gpu0
  %t = memref.get_global @state : !gpu0
  linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%s : !gpu0)
  linalg.abs {hetero.device = #b} ins(%t : !gpu0) outs(%x : !gpu0)
  return
}

// Control flow: an iteration may still have the state of the one before.
// CHECK-LABEL: func.func private @loop
// CHECK: scf.for
// CHECK: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "b">
// CHECK: linalg.exp
// CHECK: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK: linalg.abs
func.func private @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.alloc() : !gpu0
    %s = memref.get_global @state : !gpu0
    linalg.exp {hetero.device = #a} ins(%x : !gpu0) outs(%s : !gpu0)
    linalg.abs {hetero.device = #b} ins(%s : !gpu0) outs(%x : !gpu0)
  }
  return
}

// Call: the callee may have written the state on any stream.
// CHECK-LABEL: func.func @caller
// CHECK: call @callee
// CHECK: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// CHECK: linalg.exp
func.func @caller(%x: !gpu0) {
  %s = memref.get_global @state : !gpu0
  func.call @callee() : () -> ()
  linalg.exp {hetero.device = #b} ins(%s : !gpu0) outs(%x : !gpu0)
  return
}

// Conflict: the host has the state in another function, so that a block that
// ends with a device's work on it waits for that.
// CHECK-LABEL: func.func private @shares
// CHECK: linalg.exp
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
func.func private @shares() {
  %s = memref.get_global @shared : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%s : !gpu0) outs(%s : !gpu0)
  return
}
func.func private @on_host(%i: index) -> f32 {
  %s = memref.get_global @shared : !gpu0
  %h = memref.memory_space_cast %s : !gpu0 to memref<4xf32>
  %v = memref.load %h[%i] : memref<4xf32>
  return %v : f32
}
}
