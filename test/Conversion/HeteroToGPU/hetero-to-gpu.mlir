// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --convert-hetero-to-gpu -o %t.once
// RUN: hetero-opt %t.once --convert-hetero-to-gpu | diff %t.once -
// RUN: hetero-opt %s --convert-hetero-to-gpu=pack-copies | FileCheck %s --check-prefix=PACK

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

// Acts: elements a constant distance apart are rows, and the runtime packs those
// of the host on their way.
// CHECK-LABEL: func.func @strided
// CHECK-NEXT: gpu.memcpy %{{.+}}, %{{.+}} : memref<4xf32, strided<[2], offset: ?>>, memref<4xf32> {hetero.from = #hetero.device<gpu:0>, hetero.to = #hetero.device<cpu:0>}
// CHECK-NEXT: return
// Conflict: where rows are not wanted, strided memory goes through a packed
// buffer on its own device; the host waits before it unpacks.
// PACK-LABEL: func.func @strided
// PACK: %[[PACKED:.+]] = memref.alloc() : memref<4xf32>
// PACK: gpu.memcpy %[[PACKED]], %{{.+}} {hetero.from = #hetero.device<gpu:0>, hetero.to = #hetero.device<cpu:0>}
// PACK: hetero.wait on #hetero.device<gpu:0>
// PACK: memref.copy %[[PACKED]], %{{.+}} : memref<4xf32> to memref<4xf32, strided<[2], offset: ?>>
// PACK: memref.dealloc %[[PACKED]]
func.func @strided(%d: !gpu0, %h: !strided) {
  memref.copy %d, %h : !gpu0 to !strided
  return
}

// Acts: a device's rows of 64 bytes or more are rows of the driver's 2-D copy;
// sizes of 1 and unknown distances are no gaps.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: gpu.memcpy {{.*}}strided
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @rows(%d: memref<4x1x16xf32, strided<[80, 7, 1], offset: ?>, #gpu0>, %h: memref<4x1x16xf32>,
                %e: memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu0>, %g: memref<?x?xf32>) {
  memref.copy %d, %h : memref<4x1x16xf32, strided<[80, 7, 1], offset: ?>, #gpu0> to memref<4x1x16xf32>
  memref.copy %g, %e : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu0>
  return
}

// Conflict: short rows of a device, gaps in two dimensions, and strided memory
// that crosses between gpus are packed.
// CHECK-LABEL: func.func @packed
// CHECK-COUNT-3: gpu.launch_func
// CHECK: return
func.func @packed(%d: memref<4x8xf32, strided<[80, 1]>, #gpu0>, %h: memref<4x8xf32>,
                  %e: memref<4x4x16xf32, strided<[800, 80, 1]>, #gpu0>, %g: memref<4x4x16xf32>,
                  %f: memref<4x16xf32, strided<[80, 1]>, #gpu0>, %i: memref<4x16xf32, #hetero.device<gpu:1>>) {
  memref.copy %d, %h : memref<4x8xf32, strided<[80, 1]>, #gpu0> to memref<4x8xf32>
  memref.copy %e, %g : memref<4x4x16xf32, strided<[800, 80, 1]>, #gpu0> to memref<4x4x16xf32>
  memref.copy %f, %i : memref<4x16xf32, strided<[80, 1]>, #gpu0> to memref<4x16xf32, #hetero.device<gpu:1>>
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
