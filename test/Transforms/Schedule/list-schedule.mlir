// RUN: hetero-opt %s --split-input-file --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --split-input-file --hetero-schedule | diff %t.once -

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!host = memref<1024xf32>
!gpu0 = memref<1024xf32, #gpu0>
!gpu1 = memref<1024xf32, #gpu1>

module attributes {hetero.phase = #hetero.phase<bufferized>} {

// Acts: what has the longest way to the end is copied first.
// CHECK-LABEL: func.func @acts
// CHECK-SAME: %[[SHORT:[a-z0-9]+]]: memref<1024xf32>, %[[LONG:[a-z0-9]+]]: memref<1024xf32>
// CHECK: memref.copy %[[LONG]]
// CHECK: memref.copy %[[SHORT]]
// CHECK: return
func.func @acts(%short: !host, %long: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  memref.copy %short, %x : !host to !gpu0
  memref.copy %long, %y : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.abs ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  return
}

// Acts: a host region moves as a whole. The kernel is enqueued before it, and
// nothing stands between its marks and its loops.
// CHECK-LABEL: func.func @region
// CHECK: linalg.abs
// CHECK: hetero.host_region "a"
// CHECK-NOT: {{linalg|memref.copy}}
// CHECK: scf.for
// CHECK-NOT: {{linalg|memref.copy}}
// CHECK: scf.for
// CHECK: hetero.end_host_region
func.func @region(%a: !host, %b: !host, %c: !host, %d: !host) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 1024 : index
  hetero.host_region "a"
  scf.for %i = %zero to %n step %one {
    %v = memref.load %a[%i] : !host
    memref.store %v, %b[%i] : !host
  }
  scf.for %i = %zero to %n step %one {
    %v = memref.load %b[%i] : !host
    memref.store %v, %c[%i] : !host
  }
  hetero.end_host_region
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  linalg.abs ins(%x : !gpu0) outs(%y : !gpu0)
  memref.copy %y, %d : !gpu0 to !host
  return
}

// Acts: work stands after what it needs, not after all copies.
// CHECK-LABEL: func.func @items
// CHECK: memref.copy
// CHECK: linalg.exp
// CHECK: memref.copy
// CHECK: linalg.exp
// CHECK: memref.copy
// CHECK: linalg.exp
// CHECK: return
func.func @items(%a: !host, %b: !host, %c: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  %z = memref.alloc() : !gpu0
  memref.copy %a, %x : !host to !gpu0
  memref.copy %b, %y : !host to !gpu0
  memref.copy %c, %z : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.exp ins(%z : !gpu0) outs(%z : !gpu0)
  return
}

// Acts on several devices: the host issues what the other waits for first.
// CHECK-LABEL: func.func @two_devices
// CHECK: linalg.exp {{.*}}gpu:0
// CHECK: memref.copy {{.*}} to memref<1024xf32, #hetero.device<gpu:1>>
// CHECK: linalg.abs {{.*}}gpu:0
// CHECK: return
func.func @two_devices(%x: !gpu0, %y: !gpu1) {
  %t = memref.alloc() : !gpu0
  %u = memref.alloc() : !gpu0
  %v = memref.alloc() : !gpu1
  linalg.abs ins(%x : !gpu0) outs(%u : !gpu0)
  linalg.exp ins(%x : !gpu0) outs(%t : !gpu0)
  memref.copy %t, %v : !gpu0 to !gpu1
  linalg.exp ins(%v : !gpu1) outs(%y : !gpu1)
  return
}

// Must not act: on one engine no order is better than another.
// CHECK-LABEL: func.func @one_engine
// CHECK: linalg.abs
// CHECK: linalg.exp
// CHECK: linalg.exp
// CHECK: return
func.func @one_engine(%x: !gpu0, %y: !gpu0) {
  %t = memref.alloc() : !gpu0
  %u = memref.alloc() : !gpu0
  linalg.abs ins(%x : !gpu0) outs(%t : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%u : !gpu0)
  linalg.exp ins(%u : !gpu0) outs(%y : !gpu0)
  return
}

// Acts on the host's work: it waits for the copy that it needs, not for one that
// starts no earlier.
// CHECK-LABEL: func.func @host
// CHECK: linalg.exp
// CHECK: memref.copy
// CHECK: hetero.wait
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: hetero.wait
// CHECK: scf.for
// CHECK: return
func.func @host(%x: !gpu0, %a: !host, %b: !gpu0) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1024 : index
  %t = memref.alloc() : !gpu0
  %u = memref.alloc() : !gpu0
  %g = memref.alloc() : !host
  %h = memref.alloc() : !host
  %r = memref.alloc() : !host
  linalg.exp ins(%x : !gpu0) outs(%t : !gpu0)
  linalg.exp ins(%x : !gpu0) outs(%u : !gpu0)
  linalg.exp ins(%u : !gpu0) outs(%u : !gpu0)
  memref.copy %u, %h : !gpu0 to !host
  memref.copy %t, %g : !gpu0 to !host
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %g[%i] : !host
    memref.store %v, %r[%i] : !host
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %h[%i] : !host
    memref.store %v, %r[%i] : !host
  }
  return
}

// Conflict: state of the host is read before the host changes it, by whatever
// reference.
// CHECK-LABEL: func.func @state
// CHECK: memref.copy {{.*}} to memref<1024xf32, #{{.*}}>
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<1024xf32> to memref<1024xf32>
// CHECK: return
memref.global "private" @counter : !host
func.func @state(%x: !gpu0, %new: !host) {
  %a = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  %old = memref.get_global @counter : !host
  memref.copy %old, %a : !host to !gpu0
  linalg.exp ins(%a : !gpu0) outs(%a : !gpu0)
  %state = memref.get_global @counter : !host
  memref.copy %new, %state : !host to !host
  return
}

// Conflict: the second copy overwrites what the kernel reads, and the buffers
// of arguments may be the same.
// CHECK-LABEL: func.func @conflict
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: memref<1024xf32>, %[[SECOND:[a-z0-9]+]]: memref<1024xf32>, %[[Z:[a-z0-9]+]]: memref
// CHECK: memref.copy %[[FIRST]]
// CHECK: linalg.exp
// CHECK: memref.copy %[[SECOND]]
// CHECK: linalg.abs
// CHECK: return
func.func @conflict(%first: !host, %second: !host, %z: !gpu0) {
  %x = memref.alloc() : !gpu0
  memref.copy %first, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%z : !gpu0)
  memref.copy %second, %x : !host to !gpu0
  linalg.abs ins(%x : !gpu0) outs(%z : !gpu0)
  linalg.exp ins(%z : !gpu0) outs(%z : !gpu0)
  linalg.exp ins(%z : !gpu0) outs(%z : !gpu0)
  return
}

// Control flow: nothing crosses it, and its blocks have an order of their own.
// CHECK-LABEL: func.func @control_flow
// CHECK-SAME: i1, %[[SHORT:[a-z0-9]+]]: memref<1024xf32>, %[[LONG:[a-z0-9]+]]: memref<1024xf32>,
// CHECK: memref.copy %[[SHORT]]
// CHECK: scf.if
// CHECK: memref.copy %[[LONG]]
// CHECK: memref.copy %[[SHORT]]
// CHECK: }
// CHECK: memref.copy %[[LONG]]
// CHECK: return
func.func @control_flow(%p: i1, %short: !host, %long: !host, %r: !host) {
  %y = memref.alloc() : !gpu0
  memref.copy %short, %y : !host to !gpu0
  scf.if %p {
    %x = memref.alloc() : !gpu0
    %z = memref.alloc() : !gpu0
    memref.copy %short, %x : !host to !gpu0
    memref.copy %long, %z : !host to !gpu0
    linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
    linalg.exp ins(%z : !gpu0) outs(%z : !gpu0)
    linalg.exp ins(%z : !gpu0) outs(%z : !gpu0)
  }
  memref.copy %long, %y : !host to !gpu0
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  memref.copy %y, %r : !gpu0 to !host
  return
}

// Call: the callee may touch anything, so nothing crosses it.
// CHECK-LABEL: func.func @calls
// CHECK-SAME: %[[SHORT:[a-z0-9]+]]: memref<1024xf32>, %[[LONG:[a-z0-9]+]]: memref<1024xf32>
// CHECK: memref.copy %[[SHORT]]
// CHECK: call @one_engine
// CHECK: memref.copy %[[LONG]]
// CHECK: return
func.func @calls(%short: !host, %long: !host) {
  %x = memref.alloc() : !gpu0
  %y = memref.alloc() : !gpu0
  memref.copy %short, %x : !host to !gpu0
  func.call @one_engine(%x, %y) : (!gpu0, !gpu0) -> ()
  memref.copy %long, %y : !host to !gpu0
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  return
}

// Acts: a fill stands before the first operation that uses what it fills, and
// not before all copies because nothing has to be there for it; one whose buffer
// another stream uses first stays alone.
// CHECK-LABEL: func.func @fills
// CHECK-SAME: %[[SHORT:[a-z0-9]+]]: memref<1024xf32>, %[[LONG:[a-z0-9]+]]: memref<1024xf32>
// CHECK: %[[SENT:.+]] = memref.alloc
// CHECK: linalg.fill ins({{.*}}) outs(%[[SENT]]
// CHECK: memref.copy %[[LONG]]
// CHECK: %[[SUM:.+]] = memref.alloc
// CHECK-NEXT: linalg.fill ins({{.*}}) outs(%[[SUM]]
// CHECK-NEXT: linalg.add {{.*}} outs(%[[SUM]]
// CHECK: return
func.func @fills(%short: !host, %long: !host, %out: !host, %y: !gpu0) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : !gpu0
  linalg.fill ins(%zero : f32) outs(%sum : !gpu0)
  %sent = memref.alloc() : !gpu0
  linalg.fill ins(%zero : f32) outs(%sent : !gpu0)
  memref.copy %sent, %out : !gpu0 to !host
  %x = memref.alloc() : !gpu0
  memref.copy %long, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  linalg.add ins(%x, %sum : !gpu0, !gpu0) outs(%sum : !gpu0)
  linalg.exp ins(%sum : !gpu0) outs(%y : !gpu0)
  return
}

// Acts: sizes that are not known count as placement counts them, and sizes and
// allocations go along with what needs them.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[SHORT:[a-z0-9]+]]: memref<?xf32>, %[[LONG:[a-z0-9]+]]: memref<?xf32>
// CHECK: %[[SIZE:.+]] = memref.dim %[[LONG]]
// CHECK: %[[Y:.+]] = memref.alloc(%[[SIZE]])
// CHECK: memref.copy %[[LONG]], %[[Y]]
// CHECK: memref.copy %[[SHORT]]
// CHECK: return
func.func @dynamic(%short: memref<?xf32>, %long: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %short, %c0 : memref<?xf32>
  %x = memref.alloc(%n) : memref<?xf32, #gpu0>
  memref.copy %short, %x : memref<?xf32> to memref<?xf32, #gpu0>
  linalg.exp ins(%x : memref<?xf32, #gpu0>) outs(%x : memref<?xf32, #gpu0>)
  %m = memref.dim %long, %c0 : memref<?xf32>
  %y = memref.alloc(%m) : memref<?xf32, #gpu0>
  memref.copy %long, %y : memref<?xf32> to memref<?xf32, #gpu0>
  linalg.exp ins(%y : memref<?xf32, #gpu0>) outs(%y : memref<?xf32, #gpu0>)
  linalg.exp ins(%y : memref<?xf32, #gpu0>) outs(%y : memref<?xf32, #gpu0>)
  return
}
}

// -----

#gpu0 = #hetero.device<gpu:0>
!host = memref<1024xf32>
!gpu0 = memref<1024xf32, #gpu0>

// Must not act: late copies stay where they are, on the stream of the kernels.
// CHECK-LABEL: func.func @late
// CHECK-SAME: %[[SHORT:[a-z0-9]+]]: memref<1024xf32>, %[[LONG:[a-z0-9]+]]: memref<1024xf32>
// CHECK: memref.copy %[[SHORT]]
// CHECK-NOT: hetero.order
// CHECK: linalg.exp
// CHECK: memref.copy %[[LONG]]
// CHECK-NOT: hetero.order
// CHECK: return
module attributes {hetero.late_copies, hetero.phase = #hetero.phase<bufferized>} {
func.func @late(%short: !host, %long: !host) {
  %x = memref.alloc() : !gpu0
  memref.copy %short, %x : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  %y = memref.alloc() : !gpu0
  memref.copy %long, %y : !host to !gpu0
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  return
}
}
