// RUN: hetero-opt %s --split-input-file --hetero-plan-memory --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-plan-memory -o %t.once
// RUN: hetero-opt %t.once --split-input-file --hetero-plan-memory | diff %t.once -
// RUN: hetero-opt %s --split-input-file --hetero-plan-memory=arenas=false | FileCheck %s --check-prefix=NONE
// RUN: hetero-opt %s --split-input-file --hetero-plan-memory --remarks-filter=hetero-plan-memory 2>&1 | FileCheck %s --check-prefix=REMARK

// NONE-NOT: memref.view

#gpu0 = #hetero.device<gpu:0>
!gpu0 = memref<64xf32, #gpu0>
!large = memref<128xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<scheduled>} {

// Acts: the memory of a device of the default topology limits nothing.
// CHECK-LABEL: func.func @unlimited
// CHECK: memref.alloc() {alignment = 256 : i64} : memref<34359738368xi8, #hetero.device<gpu:0>>
func.func @unlimited(%x: memref<4294967296xf32, #gpu0>) {
  %a = memref.alloc() : memref<4294967296xf32, #gpu0>
  %b = memref.alloc() : memref<4294967296xf32, #gpu0>
  linalg.exp ins(%x : memref<4294967296xf32, #gpu0>) outs(%a : memref<4294967296xf32, #gpu0>)
  linalg.exp ins(%x : memref<4294967296xf32, #gpu0>) outs(%b : memref<4294967296xf32, #gpu0>)
  linalg.add ins(%a, %b : memref<4294967296xf32, #gpu0>, memref<4294967296xf32, #gpu0>) outs(%x : memref<4294967296xf32, #gpu0>)
  return
}

// Acts: the first and the last do not live at once.
// REMARK: [[# @LINE + 13]]:1: remark: [Analysis] arena | Category:hetero-plan-memory | Buffers=3, Bytes=768, Device=gpu:0, LiveBytes=768
// CHECK-LABEL: func.func @acts
// CHECK: %[[ARENA:.+]] = memref.alloc() {alignment = 256 : i64} : memref<768xi8, #hetero.device<gpu:0>>
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[A:.+]] = memref.view %[[ARENA]][%[[C0]]][] : memref<768xi8, #hetero.device<gpu:0>> to memref<64xf32, #hetero.device<gpu:0>>
// CHECK: %[[C256:.+]] = arith.constant 256 : index
// CHECK: %[[B:.+]] = memref.view %[[ARENA]][%[[C256]]][]
// CHECK-NOT: dealloc
// CHECK: %[[C0_0:.+]] = arith.constant 0 : index
// CHECK: memref.view %[[ARENA]][%[[C0_0]]][]
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NOT: dealloc
// CHECK: return
func.func @acts(%x: !gpu0, %y: !large) {
  %a = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%a : !gpu0)
  %b = memref.alloc() : !large
  linalg.exp ins(%y : !large) outs(%b : !large)
  linalg.exp ins(%a : !gpu0) outs(%x : !gpu0)
  %c = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%c : !gpu0)
  linalg.exp ins(%c : !gpu0) outs(%x : !gpu0)
  linalg.exp ins(%b : !large) outs(%y : !large)
  return
}

// Acts: sizes that are known at run time are those of arguments or numbers that
// the function gets. What was before another buffer for the sizes that the
// compiler assumes is before it for any: 128 rows take 32 KiB and the vector of
// 64 elements 256 bytes, so that %c has the place of %a, and %d comes after both.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32, #hetero.device<gpu:0>>, %[[Y:[a-z0-9]+]]: memref<64xf32, #hetero.device<gpu:0>>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[ROWS:.+]] = memref.dim %[[X]]
// CHECK-DAG: %[[MATRIX:.+]] = arith.muli %[[ROWS]], %{{.+}}
// CHECK-DAG: %[[PRODUCT:.+]] = arith.muli %[[N]], %{{.+}}
// CHECK-DAG: %[[POSITIVE:.+]] = arith.maxsi %[[PRODUCT]], %{{.+}}
// CHECK-DAG: %[[SUM:.+]] = arith.addi %[[POSITIVE]], %{{.+}}
// CHECK-DAG: %[[NUMBERS:.+]] = arith.andi %[[SUM]], %{{.+}}
// CHECK: %[[ARENA:.+]] = memref.alloc(%[[BYTES:.+]]) {alignment = 256 : i64} : memref<?xi8, #hetero.device<gpu:0>>
// CHECK: memref.view %[[ARENA]][%[[FIRST:[a-z0-9_]+]]][%[[ROWS]]] {{.*}} to memref<?x64xf32
// CHECK: memref.view %[[ARENA]][%{{[a-z0-9_]+}}][%[[ROWS]]] {{.*}} to memref<?x64xf32
// CHECK: memref.view %[[ARENA]][%[[FIRST]]][%[[ROWS]]] {{.*}} to memref<?x64xf32
// CHECK: memref.view %[[ARENA]][%{{[a-z0-9_]+}}][%[[N]]] {{.*}} to memref<?xf32
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @dynamic(%x: memref<?x64xf32, #gpu0>, %y: !gpu0, %n: index) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %x, %c0 : memref<?x64xf32, #gpu0>
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%rows) : memref<?x64xf32, #gpu0>
  linalg.exp ins(%x : memref<?x64xf32, #gpu0>) outs(%a : memref<?x64xf32, #gpu0>)
  %b = memref.alloc(%rows) : memref<?x64xf32, #gpu0>
  linalg.exp ins(%a : memref<?x64xf32, #gpu0>) outs(%b : memref<?x64xf32, #gpu0>)
  %c = memref.alloc(%rows) : memref<?x64xf32, #gpu0>
  linalg.exp ins(%b : memref<?x64xf32, #gpu0>) outs(%c : memref<?x64xf32, #gpu0>)
  %d = memref.alloc(%n) : memref<?xf32, #gpu0>
  linalg.fill ins(%zero : f32) outs(%d : memref<?xf32, #gpu0>)
  linalg.add ins(%b, %c : memref<?x64xf32, #gpu0>, memref<?x64xf32, #gpu0>) outs(%x : memref<?x64xf32, #gpu0>)
  linalg.exp ins(%d : memref<?xf32, #gpu0>) outs(%d : memref<?xf32, #gpu0>)
  return
}

// Must not act: a size that the entry cannot compute, since it is read from
// memory or counts steps of a loop.
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-3: memref.alloc
// CHECK-NOT: memref.view
// CHECK: return
func.func @unknown(%x: memref<index>, %y: memref<?xf32, #gpu0>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.load %x[] : memref<index>
  %a = memref.alloc(%n) : memref<?xf32, #gpu0>
  linalg.exp ins(%y : memref<?xf32, #gpu0>) outs(%a : memref<?xf32, #gpu0>)
  %q = arith.divsi %k, %n : index
  %b = memref.alloc(%q) : memref<?xf32, #gpu0>
  linalg.exp ins(%a : memref<?xf32, #gpu0>) outs(%b : memref<?xf32, #gpu0>)
  linalg.exp ins(%b : memref<?xf32, #gpu0>) outs(%y : memref<?xf32, #gpu0>)
  scf.for %i = %c0 to %k step %c1 {
    %c = memref.alloc(%i) : memref<?xf32, #gpu0>
    linalg.exp ins(%y : memref<?xf32, #gpu0>) outs(%c : memref<?xf32, #gpu0>)
    linalg.exp ins(%c : memref<?xf32, #gpu0>) outs(%y : memref<?xf32, #gpu0>)
  }
  return
}

// Must not act: a result, and a buffer alone.
// CHECK-LABEL: func.func @must_not_act
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.view
// CHECK: return
func.func @must_not_act(%x: !gpu0) -> !gpu0 {
  %b = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp ins(%b : !gpu0) outs(%x : !gpu0)
  %c = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%c : !gpu0)
  return %c : !gpu0
}

// Control flow: what lives across a loop keeps its place, what an iteration
// allocates has one of its own, and the arms of a branch share.
// CHECK-LABEL: func.func @control_flow
// CHECK: %[[ARENA:.+]] = memref.alloc() {alignment = 256 : i64} : memref<512xi8, #hetero.device<gpu:0>>
// CHECK: memref.view %[[ARENA]][%[[A:c0.*]]][]
// CHECK: scf.for
// CHECK: memref.view %[[ARENA]][%[[B:c256.*]]][]
// CHECK: scf.if
// CHECK: memref.view %[[ARENA]][%[[C:c256.*]]][]
// CHECK: } else {
// CHECK: memref.view %[[ARENA]][%[[D:c256.*]]][]
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NEXT: return
func.func @control_flow(%n: index, %p: i1, %x: !gpu0) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%a : !gpu0)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : !gpu0
    linalg.exp ins(%a : !gpu0) outs(%b : !gpu0)
    linalg.exp ins(%b : !gpu0) outs(%a : !gpu0)
  }
  scf.if %p {
    %c = memref.alloc() : !gpu0
    linalg.exp ins(%a : !gpu0) outs(%c : !gpu0)
    linalg.exp ins(%c : !gpu0) outs(%x : !gpu0)
  } else {
    %d = memref.alloc() : !gpu0
    linalg.abs ins(%a : !gpu0) outs(%d : !gpu0)
    linalg.abs ins(%d : !gpu0) outs(%a : !gpu0)
  }
  linalg.exp ins(%a : !gpu0) outs(%x : !gpu0)
  return
}

// Parallel loops: iterations that run at the same time allocate by themselves.
// CHECK-LABEL: func.func @parallel
// CHECK-NOT: memref.view
// CHECK: scf.parallel
// CHECK-COUNT-2: memref.alloc() : memref<4xf32>
// CHECK: return
func.func @parallel(%n: index, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<4xf32>
    linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    linalg.exp ins(%b : memref<4xf32>) outs(%a : memref<4xf32>)
  }
  return
}

// Call: each function has an arena of its own.
// CHECK-LABEL: func.func private @callee
// CHECK: memref.alloc() {{.*}} : memref<256xi8
// CHECK: memref.dealloc
// CHECK-LABEL: func.func @caller
// CHECK: %[[ARENA:.+]] = memref.alloc() {{.*}} : memref<256xi8
// CHECK: call @callee
// CHECK: memref.dealloc %[[ARENA]]
func.func private @callee(%x: !gpu0) {
  %a = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%a : !gpu0)
  linalg.exp ins(%a : !gpu0) outs(%x : !gpu0)
  %b = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp ins(%b : !gpu0) outs(%x : !gpu0)
  return
}
func.func @caller(%x: !gpu0) {
  %a = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%a : !gpu0)
  linalg.exp ins(%a : !gpu0) outs(%x : !gpu0)
  func.call @callee(%x) : (!gpu0) -> ()
  %b = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%b : !gpu0)
  linalg.exp ins(%b : !gpu0) outs(%x : !gpu0)
  return
}
}

// -----

#gpu0 = #hetero.device<gpu:0>
#one = #hetero.device<gpu:0, unit = "one">
#two = #hetero.device<gpu:0, unit = "two">
!gpu0 = memref<64xf32, #gpu0>

// Conflict: streams that are not in order with each other share nothing.
module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.units = ["one", "two"]} {
// CHECK-LABEL: func.func @units
// CHECK: %[[ARENA:.+]] = memref.alloc() {{.*}} : memref<512xi8, #hetero.device<gpu:0>>
// CHECK: %[[ONE:.+]] = arith.constant [[OFFSET:.+]] : index
// CHECK-NEXT: memref.view %[[ARENA]][%[[ONE]]]
// CHECK: %[[TWO:.+]] = arith.constant {{.+}} : index
// CHECK-NEXT: memref.view %[[ARENA]][%[[TWO]]]
// CHECK: %[[NEXT:.+]] = arith.constant [[OFFSET]] : index
// CHECK-NEXT: memref.view %[[ARENA]][%[[NEXT]]]
// CHECK: return
func.func @units(%x: !gpu0, %y: !gpu0) {
  %a = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #one} ins(%x : !gpu0) outs(%a : !gpu0)
  linalg.exp {hetero.device = #one} ins(%a : !gpu0) outs(%x : !gpu0)
  %b = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #two} ins(%y : !gpu0) outs(%b : !gpu0)
  linalg.exp {hetero.device = #two} ins(%b : !gpu0) outs(%y : !gpu0)
  %c = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #one} ins(%x : !gpu0) outs(%c : !gpu0)
  linalg.exp {hetero.device = #one} ins(%c : !gpu0) outs(%x : !gpu0)
  return
}
}
