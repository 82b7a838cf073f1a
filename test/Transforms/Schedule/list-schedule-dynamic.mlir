// RUN: hetero-opt %s --hetero-schedule | FileCheck %s -enable-var-scope

#gpu0 = #hetero.device<gpu:0>
!host = memref<?xf32>
!gpu0 = memref<?xf32, #gpu0>
!scalar = memref<f32>
!scalar0 = memref<f32, #gpu0>

module attributes {hetero.phase = #hetero.phase<bufferized>} {

// Acts: an argument says that it is large, so it is copied first.
// CHECK-LABEL: func.func @argument
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?xf32>, %[[B:[a-z0-9]+]]: memref<?xf32>
// CHECK: memref.copy %[[B]]
// CHECK: memref.copy %[[A]]
// CHECK: return
func.func @argument(%a: !host, %b: !host {hetero.dynamic_sizes = array<i64: 1000000>}, %n: index, %m: index) {
  %x = memref.alloc(%n) : !gpu0
  %y = memref.alloc(%m) : !gpu0
  memref.copy %a, %x : !host to !gpu0
  memref.copy %b, %y : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  return
}

// Must not act: nothing is known of the sizes, all dynamic ones count the same.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?xf32>, %[[B:[a-z0-9]+]]: memref<?xf32>
// CHECK: memref.copy %[[A]]
// CHECK: memref.copy %[[B]]
// CHECK: return
func.func @unknown(%a: !host, %b: !host, %n: index, %m: index) {
  %x = memref.alloc(%n) : !gpu0
  %y = memref.alloc(%m) : !gpu0
  memref.copy %a, %x : !host to !gpu0
  memref.copy %b, %y : !host to !gpu0
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  linalg.exp ins(%y : !gpu0) outs(%y : !gpu0)
  return
}

// Acts: the size of a kernel's operand leads back to a donated argument.
// CHECK-LABEL: func.func @donated
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<f32>, %[[B:[a-z0-9]+]]: memref<f32>
// CHECK: memref.copy %[[B]]
// CHECK: memref.copy %[[A]]
// CHECK: return
func.func @donated(%a: !scalar, %b: !scalar, %c: !gpu0 {hetero.donated, hetero.dynamic_sizes = array<i64: 100000000>}) {
  %own = hetero.adopt %c : !gpu0
  %x = memref.alloc() : !scalar0
  %y = memref.alloc() : !scalar0
  memref.copy %a, %x : !scalar to !scalar0
  memref.copy %b, %y : !scalar to !scalar0
  linalg.exp ins(%x : !scalar0) outs(%x : !scalar0)
  linalg.abs ins(%x : !scalar0) outs(%x : !scalar0)
  linalg.dot ins(%own, %own : !gpu0, !gpu0) outs(%y : !scalar0)
  return
}

}
