// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --convert-hetero-to-gpu -o %t.once
// RUN: hetero-opt %t.once --convert-hetero-to-gpu | diff %t.once -

// The last run shows what is already done: a module in phase gpu stays.

#gpu0 = #hetero.device<gpu:0>
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
!strided = memref<4xf32, strided<[2], offset: ?>>

// Must not act: work on host memory stays linalg, and host copies stay copies.
// CHECK-LABEL: func.func @host
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @host(%x: !host, %y: !host) {
  linalg.exp ins(%x : !host) outs(%x : !host)
  memref.copy %x, %y : !host to !host
  return
}

// Conflict: copies between devices are contiguous, so strided memory goes
// through a packed buffer on its own device; the host waits before it unpacks.
// CHECK-LABEL: func.func @strided
// CHECK: %[[PACKED:.+]] = memref.alloc() : memref<4xf32>
// CHECK: gpu.memcpy %[[PACKED]], %{{.+}} {hetero.from = #hetero.device<gpu:0>, hetero.to = #hetero.device<cpu:0>}
// CHECK: hetero.wait on #hetero.device<gpu:0>
// CHECK: memref.copy %[[PACKED]], %{{.+}} : memref<4xf32> to memref<4xf32, strided<[2], offset: ?>>
// CHECK: memref.dealloc %[[PACKED]]
func.func @strided(%d: !gpu0, %h: !strided) {
  memref.copy %d, %h : !gpu0 to !strided
  return
}

// Conflict: a copy within a device's memory is a kernel there, not a transfer.
// CHECK-LABEL: func.func @within
// CHECK-NOT: gpu.memcpy
// CHECK: gpu.launch_func {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK: return
func.func @within(%d: !gpu0, %e: !gpu0) {
  memref.copy %d, %e : !gpu0 to !gpu0
  return
}

// Control flow: the launch stays in its loop or branch, and the carried buffer
// loses its memory space everywhere.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for {{.*}} -> (memref<4xf32>)
// CHECK: scf.if
// CHECK: gpu.launch_func
// CHECK: }
// CHECK: scf.yield %{{.+}} : memref<4xf32>
func.func @control_flow(%n: index, %p: i1, %d: !gpu0) -> !gpu0 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %d) -> (!gpu0) {
    scf.if %p {
      linalg.exp ins(%c : !gpu0) outs(%c : !gpu0)
    }
    scf.yield %c : !gpu0
  }
  return %0 : !gpu0
}

// Call: signatures and calls change together.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%{{.+}}: memref<4xf32>) -> memref<4xf32>
// CHECK-LABEL: func.func @caller
// CHECK: call @callee(%{{.+}}) : (memref<4xf32>) -> memref<4xf32>
func.func private @callee(%d: !gpu0) -> !gpu0 {
  linalg.abs ins(%d : !gpu0) outs(%d : !gpu0)
  return %d : !gpu0
}
func.func @caller(%d: !gpu0) -> !gpu0 {
  %0 = call @callee(%d) : (!gpu0) -> !gpu0
  return %0 : !gpu0
}
