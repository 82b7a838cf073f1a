// RUN: hetero-opt %s | hetero-opt | FileCheck %s

// CHECK-LABEL: @transfers
// CHECK: hetero.send %{{.*}} to 1 tag 7 {hetero.value = "%x"} : memref<?xf32>
// CHECK: hetero.receive %{{.*}} from 0 tag 8 : memref<4xf32>
// CHECK: hetero.await_transfer %{{.*}} tag 8 : memref<4xf32>
func.func @transfers(%x: memref<?xf32>, %y: memref<4xf32>) {
  hetero.send %x to 1 tag 7 {hetero.value = "%x"} : memref<?xf32>
  hetero.receive %y from 0 tag 8 : memref<4xf32>
  hetero.await_transfer %y tag 8 : memref<4xf32>
  return
}
