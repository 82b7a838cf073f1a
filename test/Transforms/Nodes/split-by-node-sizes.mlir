// RUN: hetero-opt %s --hetero-split-by-node=node=1 --hetero-verify --verify-roundtrip | FileCheck %s

// The size of a buffer of node 0 that a region of node 1 asks for comes before
// the region begins, also where a loop in it asks.

// CHECK-LABEL: func.func @sizes()
// CHECK-DAG: hetero.receive %[[A:.*]] from 0 tag
// CHECK-DAG: hetero.await_transfer %[[A]] tag
// CHECK: %[[N:.*]] = memref.load %[[A]]
// CHECK: hetero.host_region "r"
// CHECK-NOT: hetero.receive
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NOT: hetero.receive
// CHECK: hetero.end_host_region
// CHECK-NOT: ub.poison

#one = #hetero.device<cpu:0, node = 1>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @sizes(%x: memref<?xf32>) -> memref<?xf32> {
  %z = arith.constant 0 : index
  hetero.host_region "r" on #hetero.device<cpu:0, node = 1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32, #one>
  scf.forall (%i) in (1) {
    %m = memref.dim %x, %c0 : memref<?xf32>
    scf.for %j = %c0 to %m step %c1 {
      memref.store %f, %a[%j] : memref<?xf32, #one>
    }
  }
  hetero.end_host_region
  %d = memref.dim %x, %z : memref<?xf32>
  %b = memref.alloc(%d) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32, #one> to memref<?xf32>
  return %b : memref<?xf32>
}
}
