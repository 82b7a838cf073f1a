// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen" --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen bounds-checks=false" | FileCheck %s --check-prefix=UNCHECKED
// UNCHECKED-NOT: cf.assert

// Acts: an index is compared with the size, where it is used.
// CHECK-LABEL: @acts
// CHECK-SAME: (%[[M:[^:]+]]: memref<?xf32>, %[[I:[^:]+]]: index)
// CHECK: %[[P:.+]] = arith.cmpi sge, %[[I]], %c0
// CHECK: %[[N:.+]] = memref.dim %[[M]], %c0
// CHECK: %[[L:.+]] = arith.subi %[[N]], %c1
// CHECK: %[[Q:.+]] = arith.cmpi sle, %[[I]], %[[L]]
// CHECK: %[[H:.+]] = arith.andi %[[P]], %[[Q]]
// CHECK: cf.assert %[[H]], "expected memref.load at access-checks.mlir:[[# @LINE + 3]]:8 to stay inside dimension 0 of its memory; pass indices that fit"
// CHECK: memref.load
func.func private @acts(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}

// A vector asks for as many elements as it has; static sizes are constants.
// CHECK-LABEL: @vector
// CHECK: arith.subi %c16, %c4
// CHECK: cf.assert
// CHECK-NOT: cf.assert
// CHECK: vector.load
func.func private @vector(%m: memref<3x16xf32>, %i: index) -> vector<4xf32> {
  %c2 = arith.constant 2 : index
  %0 = vector.load %m[%c2, %i] : memref<3x16xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// Must not act: constants, loops over all of it, masked accesses, and what
// was made for a vector and starts at 0.
// CHECK-LABEL: @must_not
// CHECK-NOT: cf.assert
// CHECK: return
func.func private @must_not(%m: memref<?x8xf32>, %k: vector<4xi1>, %j: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %m[%i, %c7] : memref<?x8xf32>
  }
  %a = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %a[%i] : memref<?xf32>
  }
  %0 = vector.transfer_read %a[%j], %zero, %k : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
