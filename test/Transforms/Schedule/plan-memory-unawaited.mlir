// RUN: hetero-opt %s --hetero-plan-memory | FileCheck %s -enable-var-scope

#gpu0 = #hetero.device<gpu:0>
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<scheduled>} {

// Must not act: without a wait for what a device sends, memory of the host is
// freed where the block ends.
// CHECK-LABEL: func.func @not_awaited
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>, %[[D:[a-z0-9]+]]: memref
// CHECK: memref.copy %[[D]], %[[H:.+]] :
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:1>
// CHECK-NEXT: memref.dealloc %[[H]]
// CHECK-NEXT: return
func.func @not_awaited(%x: !host, %d: !gpu0) {
  %h = memref.alloc() : !host
  memref.copy %d, %h : !gpu0 to !host
  hetero.wait on #hetero.device<gpu:1>
  return
}
}
