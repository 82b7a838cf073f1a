// RUN: hetero-opt %s --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --hetero-schedule | diff %t.once -

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
!gpu1 = memref<4xf32, #gpu1>

// CHECK: module attributes {hetero.phase = #hetero.phase<scheduled>}
module attributes {hetero.phase = #hetero.phase<bufferized>} {

// Acts: the host waits before it first touches host memory, not before work
// that it only enqueues.
// CHECK-LABEL: func.func @acts
// CHECK: memref.copy
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: memref.dealloc
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: memref.load
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @acts(%d: !gpu0, %e: !gpu0, %h: !host, %i: index) -> f32 {
  memref.copy %d, %h : !gpu0 to !host
  linalg.exp ins(%e : !gpu0) outs(%e : !gpu0)
  memref.dealloc %d : !gpu0
  %0 = memref.load %h[%i] : !host
  return %0 : f32
}

// Acts: one wait per device that the host has to wait for, in the order of the
// copies.
// CHECK-LABEL: func.func @two_devices
// CHECK: memref.copy
// CHECK-NEXT: memref.copy
// CHECK-NEXT: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:1>
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: linalg.add
func.func @two_devices(%d: !gpu0, %e: !gpu1, %h: !host, %g: !host) {
  memref.copy %e, %g : !gpu1 to !host
  memref.copy %d, %h : !gpu0 to !host
  memref.copy %e, %g : !gpu1 to !host
  linalg.add ins(%h, %g : !host, !host) outs(%h : !host)
  return
}

// Control flow: the host enqueues a whole loop of device work before it waits,
// unless something inside touches host memory.
// CHECK-LABEL: func.func @loops
// CHECK: memref.copy
// CHECK-NEXT: scf.for {{.*}}iter_args
// CHECK-NOT: hetero.wait
// CHECK: }
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store
func.func @loops(%d: !gpu0, %e: !gpu0, %h: !host, %n: index, %f: f32) -> !gpu0 {
  memref.copy %d, %h : !gpu0 to !host
  %0 = scf.for %i = %n to %n step %n iter_args(%it = %e) -> !gpu0 {
    %a = memref.alloc() : !gpu0
    linalg.exp ins(%it : !gpu0) outs(%a : !gpu0)
    scf.yield %a : !gpu0
  }
  scf.for %i = %n to %n step %n {
    memref.store %f, %h[%i] : !host
  }
  return %0 : !gpu0
}

// Must not act: copies to a device and between devices leave nothing
// that the host must wait for.
// CHECK-LABEL: func.func @no_wait
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @no_wait(%d: !gpu0, %e: !gpu1, %h: !host) {
  memref.copy %h, %d : !host to !gpu0
  memref.copy %d, %e : !gpu0 to !gpu1
  linalg.exp ins(%e : !gpu1) outs(%e : !gpu1)
  linalg.exp ins(%h : !host) outs(%h : !host)
  return
}

// Must not act: comparing sizes touches no memory.
// CHECK-LABEL: func.func @assertion
// CHECK: memref.copy
// CHECK-NEXT: cf.assert
// CHECK-NEXT: hetero.wait
func.func @assertion(%d: !gpu0, %h: !host, %p: i1) {
  memref.copy %d, %h : !gpu0 to !host
  cf.assert %p, "sizes differ"
  return
}

// Already done: a wait that is there counts.
// CHECK-LABEL: func.func @already_done
// CHECK: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @already_done(%d: !gpu0, %h: !host) {
  memref.copy %d, %h : !gpu0 to !host
  hetero.wait on #gpu0
  linalg.exp ins(%h : !host) outs(%h : !host)
  return
}

// Conflict: sending the same memory to another device needs the first copy to
// be through.
// CHECK-LABEL: func.func @conflict
// CHECK: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @conflict(%d: !gpu0, %e: !gpu1, %h: !host) {
  memref.copy %d, %h : !gpu0 to !host
  memref.copy %h, %e : !host to !gpu1
  return
}

// Control flow: a branch waits for what it started, and one that started
// nothing does not wait.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.if
// CHECK-NEXT: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: } else {
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @control_flow(%p: i1, %d: !gpu0, %h: !host) {
  scf.if %p {
    memref.copy %d, %h : !gpu0 to !host
  } else {
    linalg.exp ins(%d : !gpu0) outs(%d : !gpu0)
  }
  return
}

// Call: the callee may touch any host memory, and leaves nothing to wait for.
// CHECK-LABEL: func.func private @callee
// CHECK: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: return
func.func private @callee(%d: !gpu0, %h: !host) {
  memref.copy %d, %h : !gpu0 to !host
  return
}
// CHECK-LABEL: func.func @caller
// CHECK: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: call @callee
// CHECK-NEXT: return
func.func @caller(%d: !gpu0, %h: !host) {
  memref.copy %d, %h : !gpu0 to !host
  call @callee(%d, %h) : (!gpu0, !host) -> ()
  return
}
}
