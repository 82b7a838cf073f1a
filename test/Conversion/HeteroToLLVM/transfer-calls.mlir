// RUN: hetero-opt %s --hetero-to-llvm | FileCheck %s

// Transfers are calls of the runtime, with the bytes of the buffer and the name
// of the value.

// CHECK-DAG: llvm.mlir.global internal constant @[[X:.*]]("%x\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[NUMBER:.*]]("value\00")
// CHECK-LABEL: llvm.func internal @transfers
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[SENT:.*]]: !llvm.ptr, %{{.*}}: i64, %[[ROWS:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %[[RECEIVED:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-DAG: %[[NUMBER_NAME:.*]] = llvm.mlir.addressof @[[NUMBER]]
// CHECK-DAG: %[[X_NAME:.*]] = llvm.mlir.addressof @[[X]]
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[THREE:.*]] = llvm.mlir.constant(3 : i64)
// CHECK-DAG: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i64)
// CHECK-DAG: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: %[[SIZE:.*]] = llvm.ptrtoint
// CHECK-NEXT: %[[COLUMN:.*]] = llvm.mul %[[SIZE]], %[[ROWS]]
// CHECK-NEXT: %[[BYTES:.*]] = llvm.mul %[[COLUMN]], %[[THREE]]
// CHECK-NEXT: llvm.call @heteroSend(%[[ONE]], %[[SEVEN]], %[[SENT]], %[[BYTES]], %[[X_NAME]])
// CHECK: llvm.cond_br
// CHECK: llvm.call @heteroReceive(%[[ZERO]], %[[EIGHT]], %[[RECEIVED]], %{{.*}}, %[[NUMBER_NAME]])
// CHECK: llvm.call @heteroAwaitTransfer(%[[EIGHT]], %[[RECEIVED]])
module attributes {hetero.phase = #hetero.phase<gpu>} {
  func.func private @transfers(%x: memref<?x3xf32>, %y: memref<4xf32>) {
    hetero.send %x to 1 tag 7 {hetero.value = "%x"} : memref<?x3xf32>
    hetero.receive %y from 0 tag 8 : memref<4xf32>
    hetero.await_transfer %y tag 8 : memref<4xf32>
    return
  }
}
