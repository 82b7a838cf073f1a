// RUN: hetero-opt %s --hetero-plan-memory --hetero-verify | FileCheck %s -enable-var-scope

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<64xf32>
!gpu0 = memref<64xf32, #gpu0>
!gpu1 = memref<64xf32, #gpu1>

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.units = ["copy out"]} {

// Acts: the second is written when its stream is after the copy of the first.
// CHECK-LABEL: func.func @ordered
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<256xi8, #hetero.device<gpu:0>>
// CHECK: return
func.func @ordered(%x: !gpu0, %h: !host) {
  %a = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%a : !gpu0)
  hetero.order #out after #gpu0
  memref.copy %a, %h {hetero.from = #out} : !gpu0 to !host
  hetero.order #gpu0 after #out
  %b = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp {hetero.device = #gpu0} ins(%b : !gpu0) outs(%x : !gpu0)
  hetero.wait on #gpu0
  return
}

// Acts: the host has waited for the copy.
// CHECK-LABEL: func.func @waited
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<256xi8, #hetero.device<gpu:0>>
// CHECK: return
func.func @waited(%x: !gpu0, %h: !host) {
  %a = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%a : !gpu0)
  hetero.order #out after #gpu0
  memref.copy %a, %h {hetero.from = #out} : !gpu0 to !host
  hetero.wait on #gpu0
  %b = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp {hetero.device = #gpu0} ins(%b : !gpu0) outs(%x : !gpu0)
  return
}

// Acts: it has waited for the copy's stream.
// CHECK-LABEL: func.func @waited_for_stream
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<256xi8, #hetero.device<gpu:0>>
// CHECK: return
func.func @waited_for_stream(%x: !gpu0, %h: !host) {
  %a = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%a : !gpu0)
  hetero.order #out after #gpu0
  memref.copy %a, %h {hetero.from = #out} : !gpu0 to !host
  hetero.wait on #out
  %b = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp {hetero.device = #gpu0} ins(%b : !gpu0) outs(%x : !gpu0)
  return
}

// Must not act: it has waited for another stream.
// CHECK-LABEL: func.func @waited_for_other
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<512xi8, #hetero.device<gpu:0>>
// CHECK: return
func.func @waited_for_other(%x: !gpu0, %h: !host) {
  %a = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%a : !gpu0)
  hetero.order #out after #gpu0
  memref.copy %a, %h {hetero.from = #out} : !gpu0 to !host
  hetero.wait on #hetero.device<gpu:0, unit = "other">
  %b = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp {hetero.device = #gpu0} ins(%b : !gpu0) outs(%x : !gpu0)
  hetero.wait on #gpu0
  return
}

// Must not act: the copy may still read the first.
// CHECK-LABEL: func.func @unordered
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<512xi8, #hetero.device<gpu:0>>
// CHECK: return
func.func @unordered(%x: !gpu0, %h: !host) {
  %a = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%a : !gpu0)
  hetero.order #out after #gpu0
  memref.copy %a, %h {hetero.from = #out} : !gpu0 to !host
  %b = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp {hetero.device = #gpu0} ins(%b : !gpu0) outs(%x : !gpu0)
  hetero.wait on #gpu0
  return
}

// Conflict: work that names no stream is on its device's own, so that the first
// lives from its copy on, not from the kernel that reads it.
// CHECK-LABEL: func.func @other_device
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<512xi8, #hetero.device<gpu:1>>
// CHECK: return
func.func @other_device(%h: !host, %x: !gpu1) {
  %a = memref.alloc() : !gpu1
  memref.copy %h, %a : !host to !gpu1
  %b = memref.alloc() : !gpu1
  memref.copy %h, %b : !host to !gpu1
  linalg.exp {hetero.device = #gpu1} ins(%b : !gpu1) outs(%x : !gpu1)
  linalg.exp {hetero.device = #gpu1} ins(%a : !gpu1) outs(%x : !gpu1)
  return
}

// Control flow: the loop's next turn is not ordered after the copy, so that the
// buffer has memory of its own.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for
// CHECK: memref.alloc() : memref<64xf32, #hetero.device<gpu:0>>
// CHECK: memref.dealloc
// CHECK: }
func.func @control_flow(%x: !gpu0, %h: !host, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !gpu0
    linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%a : !gpu0)
    hetero.order #out after #gpu0
    memref.copy %a, %h {hetero.from = #out} : !gpu0 to !host
    %b = memref.alloc() : !gpu0
    linalg.exp {hetero.device = #gpu0} ins(%x : !gpu0) outs(%b : !gpu0)
    linalg.exp {hetero.device = #gpu0} ins(%b : !gpu0) outs(%x : !gpu0)
    hetero.wait on #gpu0
  }
  return
}
}
