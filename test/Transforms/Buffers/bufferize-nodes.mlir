// RUN: hetero-opt %s --hetero-bufferize --hetero-route-copies --hetero-verify | FileCheck %s
// RUN: hetero-opt %s --hetero-bufferize --hetero-bufferize --hetero-route-copies | FileCheck %s
// RUN: hetero-opt %s --hetero-bufferize --remarks-filter=hetero-bufferize -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: summary | Category:hetero-bufferize | {{.*}}routes=5

#cpu1 = #hetero.device<cpu:0, node = 1>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:0, node = 1>
!t = tensor<4xf32>
!c1 = tensor<4xf32, #cpu1>
!g0 = tensor<4xf32, #gpu0>
!g1 = tensor<4xf32, #gpu1>
module attributes {hetero.devices = [#gpu1, #hetero.device<cpu:0, node = 2>]} {

// Acts: two devices of the other node, and one crossing, in three parts.
// CHECK-LABEL: func.func @acts(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #[[G0:[^>]*>]]>
// CHECK: memref.copy %[[X]], %[[H:.*]] {hetero.value = "%x"} : memref<4xf32, #[[G0]]> to memref<4xf32>
// CHECK: memref.copy %[[H]], %[[H1:.*]] {hetero.value = "%x"} : memref<4xf32> to memref<4xf32, #[[C1:[^>]*>]]>
// CHECK: memref.copy %[[H1]], %[[A:.*]] {hetero.value = "%x"} : memref<4xf32, #[[C1]]> to memref<4xf32, #[[G1:[^>]*>]]>
// CHECK-NOT: memref.copy
// CHECK: return %[[A]], %[[H1]]
func.func @acts(%x: !g0) -> (!g1, !c1) {
  %0 = hetero.copy %x {hetero.value = "%x"} : !g0 -> !g1
  %1 = hetero.copy %x : !g0 -> !c1
  return %0, %1 : !g1, !c1
}

// Control flow: what has crossed in any case is there for a branch, whichever
// device of the node that wants it on.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME: %[[P:.*]]: i1, %[[X:.*]]: memref<4xf32>
// CHECK: memref.copy %[[X]], %[[H1:.*]] : memref<4xf32> to memref<4xf32, #[[C1]]>
// CHECK: scf.if %[[P]]
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy %[[H1]], %{{.*}} : memref<4xf32, #[[C1]]> to memref<4xf32, #[[G1]]>
// CHECK-NOT: memref.copy
// CHECK: return
func.func @branch(%p: i1, %x: !t, %y: !g1) -> (!c1, !g1) {
  %0 = hetero.copy %x : !t -> !c1
  %1 = scf.if %p -> !g1 {
    %2 = hetero.copy %x : !t -> !g1
    scf.yield %2 : !g1
  } else {
    scf.yield %y : !g1
  }
  return %0, %1 : !c1, !g1
}

// In several branches it crosses before them where that is no more than in each.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %{{.*}}: i1, %[[X:.*]]: memref<4xf32>
// CHECK: memref.copy %[[X]], %[[H1:.*]] : memref<4xf32> to memref<4xf32, #[[C1]]>
// CHECK: scf.if
// CHECK: memref.copy %[[H1]], %{{.*}} : memref<4xf32, #[[C1]]> to memref<4xf32, #[[G1]]>
// CHECK: else
// CHECK: scf.yield %{{.*}}, %[[H1]]
func.func @branches(%p: i1, %x: !t, %y: !g1, %z: !c1) -> (!g1, !c1) {
  %0, %1 = scf.if %p -> (!g1, !c1) {
    %2 = hetero.copy %x : !t -> !g1
    scf.yield %2, %z : !g1, !c1
  } else {
    %2 = hetero.copy %x : !t -> !c1
    scf.yield %y, %2 : !g1, !c1
  }
  return %0, %1 : !g1, !c1
}

// Must not act: one in a branch alone stays there.
// CHECK-LABEL: func.func @rare(
// CHECK-NOT: memref.copy
// CHECK: scf.if
// CHECK: memref.copy %{{.*}} : memref<4xf32> to memref<4xf32, #[[C1]]>
// CHECK-NOT: memref.copy
// CHECK: return
func.func @rare(%p: i1, %x: !t, %y: !c1) -> !c1 {
  %0 = scf.if %p -> !c1 {
    %1 = hetero.copy %x : !t -> !c1
    scf.yield %1 : !c1
  } else {
    scf.yield %y : !c1
  }
  return %0 : !c1
}

// Must not act: two nodes are two crossings.
// CHECK-LABEL: func.func @nodes(
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @nodes(%x: !t) -> (!c1, tensor<4xf32, #hetero.device<cpu:0, node = 2>>) {
  %0 = hetero.copy %x : !t -> !c1
  %1 = hetero.copy %x : !t -> tensor<4xf32, #hetero.device<cpu:0, node = 2>>
  return %0, %1 : !c1, tensor<4xf32, #hetero.device<cpu:0, node = 2>>
}

// Back from the other node: the same.
// CHECK-LABEL: func.func @back(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #[[G1]]>
// CHECK: memref.copy %[[X]], %[[H1:.*]] : memref<4xf32, #[[G1]]> to memref<4xf32, #[[C1]]>
// CHECK: memref.copy %[[H1]], %[[H:.*]] : memref<4xf32, #[[C1]]> to memref<4xf32>
// CHECK: memref.copy %[[H]], %[[A:.*]] : memref<4xf32> to memref<4xf32, #[[G0]]>
// CHECK-NOT: memref.copy
// CHECK: return %[[H]], %[[A]], %[[H1]]
func.func @back(%x: !g1) -> (!t, !g0, !c1) {
  %0 = hetero.copy %x : !g1 -> !t
  %1 = hetero.copy %x : !g1 -> !g0
  %2 = hetero.copy %x : !g1 -> !c1
  return %0, %1, %2 : !t, !g0, !c1
}
}
