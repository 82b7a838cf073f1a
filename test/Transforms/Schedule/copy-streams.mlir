// RUN: hetero-opt %s --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --hetero-schedule | diff %t.once -

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!host = memref<1024xf32>
!gpu1 = memref<1024xf32, #gpu1>
!gpu0 = memref<1024xf32, #gpu0>

// CHECK: module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.units = ["copy in", "copy out"]}
module attributes {hetero.phase = #hetero.phase<bufferized>} {

// Acts: copies that can run while the device computes are on streams of their
// own, and a stream waits only for what it needs.
// CHECK-LABEL: func.func @acts
// CHECK: memref.copy {{.*}}unit = "copy in"
// CHECK-NEXT: hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:0, unit = "copy in">
// CHECK: memref.copy {{.*}}unit = "copy out"
// CHECK: linalg.abs
// CHECK: hetero.wait on #hetero.device<gpu:0>
// CHECK-NOT: hetero.order
// CHECK: return
func.func @acts(%g: !host, %h: !host, %r: !host, %s: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  memref.copy %g, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %h, %y : !host to !gpu0
  linalg.abs ins(%y : !gpu0) outs(%y : !gpu0)
  memref.copy %x, %r : !gpu0 to !host
  memref.copy %y, %s : !gpu0 to !host
  return
}

// Must not act: each needs the one before.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: hetero.order
// CHECK-NOT: "copy
// CHECK: return
func.func @in_order(%g: !host, %r: !host) {
  %x = memref.alloc() : !gpu0
  memref.copy %g, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  memref.copy %x, %r : !gpu0 to !host
  return
}

// Must not act: one kernel needs both copies.
// CHECK-LABEL: func.func @one_kernel
// CHECK-NOT: hetero.order
// CHECK: return
func.func @one_kernel(%g: !host, %h: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  memref.copy %g, %x : !host to !gpu0
  memref.copy %h, %y : !host to !gpu0
  linalg.add ins(%x, %y : !gpu0, !gpu0) outs(%x : !gpu0)
  return
}

// Acts: the copy out is in order with the next copy in, through the other
// device, but not with the kernel after that.
// CHECK-LABEL: func.func @after_the_next
// CHECK: linalg.exp
// CHECK: memref.copy {{.*}}unit = "copy out"
// CHECK: return
func.func @after_the_next(%x: !gpu0, %y: !gpu0) {
  %a = memref.alloc() : !gpu0
  %b = memref.alloc() : !gpu1
  %c = memref.alloc() : !gpu0
  %d = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%a : !gpu0)
  memref.copy %a, %b : !gpu0 to !gpu1
  linalg.exp ins(%b : !gpu1) outs(%b : !gpu1)
  memref.copy %b, %c : !gpu1 to !gpu0
  linalg.abs ins(%a : !gpu0) outs(%d : !gpu0)
  linalg.abs ins(%c : !gpu0) outs(%y : !gpu0)
  return
}

// Conflict: a copy must not overwrite what a kernel still reads.
// CHECK-LABEL: func.func @overwrites
// CHECK-NOT: unit = "copy in"
// CHECK: return
func.func @overwrites(%g: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%y : !gpu0)
  memref.copy %g, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%y : !gpu0)
  return
}

// Control flow: at its end a block's copies are in order with the kernels of
// whatever comes next.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.if
// CHECK: memref.copy {{.*}}unit = "copy in"
// CHECK: hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:0, unit = "copy in">
// CHECK: }
// CHECK-NOT: hetero.order
// CHECK: linalg.exp
// CHECK: return
func.func @control_flow(%p: i1, %x: !gpu0, %g: !host) {
  scf.if %p {
    %y = memref.alloc() : !gpu0
    linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
    memref.copy %g, %y : !host to !gpu0
  }
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  return
}

// Call: the callee may enqueue anything, so nothing is known after it.
// CHECK-LABEL: func.func @calls
// CHECK: call @in_order
// CHECK-NEXT: memref.copy
// CHECK-NOT: unit = "copy in"
// CHECK: return
func.func @calls(%g: !host, %r: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  func.call @in_order(%g, %r) : (!host, !host) -> ()
  memref.copy %g, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  return
}
}
