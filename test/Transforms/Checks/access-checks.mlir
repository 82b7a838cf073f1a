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

// Must not act: constants, loops over all of it, what may end outside of it and
// starts at 0, and lanes whose places are known.
// CHECK-LABEL: @must_not
// CHECK-NOT: cf.assert
// CHECK: return
func.func private @must_not(%m: memref<?x8xf32>, %s: memref<2x8xf32>, %k: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %none = arith.constant dense<0.0> : vector<4xf32>
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %m[%i, %c7] : memref<?x8xf32>
  }
  %a = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %a[%i] : memref<?xf32>
  }
  %0 = vector.transfer_read %a[%c0], %zero, %k : memref<?xf32>, vector<4xf32>
  %places = arith.constant dense<[0, 7, 3, 5]> : vector<4xi32>
  %1 = vector.gather %s[%c1, %c0] [%places], %k, %none : memref<2x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// A mask that begins with lanes that are on asks for their number, which takes no
// vectors.
// CHECK-LABEL: @leading
// CHECK-SAME: (%{{[^:]+}}: memref<?xf32>, %[[I:[^:]+]]: index, %[[N:[^:]+]]: index)
// CHECK: %[[IDLE:.+]] = arith.cmpi sle, %[[N]], %c0
// CHECK: %[[MAX:.+]] = arith.maxsi %[[N]], %c0
// CHECK: %[[ON:.+]] = arith.minsi %[[MAX]], %c4
// CHECK: %[[SIZE:.+]] = memref.dim
// CHECK: %[[LAST:.+]] = arith.subi %[[SIZE]], %[[ON]]
// CHECK: arith.cmpi sle, %[[I]], %[[LAST]]
// CHECK: %[[H:.+]] = arith.ori %[[IDLE]],
// CHECK: cf.assert %[[H]]
// CHECK-NOT: vector.reduction
func.func private @leading(%m: memref<?xf32>, %i: index, %n: index) -> vector<4xf32> {
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %on = vector.create_mask %n : vector<4xi1>
  %0 = vector.maskedload %m[%i], %on, %zeros : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// Another mask asks for the last lane that is on.
// CHECK-LABEL: @computed
// CHECK-SAME: %[[K:[^ ]+]]: vector<4xi1>
// CHECK: %[[LANES:.+]] = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
// CHECK: %[[CHOSEN:.+]] = arith.select %[[K]], %[[LANES]],
// CHECK: %[[ON:.+]] = vector.reduction <maxui>, %[[CHOSEN]]
// CHECK: arith.subi %{{.+}}, %[[ON]]
// CHECK: cf.assert
func.func private @computed(%k: vector<4xi1>, %m: memref<?xf32>, %i: index, %v: vector<4xf32>) {
  vector.maskedstore %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}

// Must not act: scalable masks.
// CHECK-LABEL: @scalable
// CHECK-NOT: cf.assert
// CHECK: vector.transfer_write
func.func private @scalable(%m: memref<?xf32>, %k: vector<[4]xi1>, %v: vector<[4]xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%c0], %k {in_bounds = [true]} : vector<[4]xf32>, memref<?xf32>
  return
}

// What divides by a number that may be 0 has any range.
// CHECK-LABEL: @divided
// CHECK: cf.assert
// CHECK: memref.load
func.func private @divided(%m: memref<?xf32>) -> f32 {
  %c16 = arith.constant 16 : index
  %i = affine.apply affine_map<(d0)[s0] -> (d0 floordiv (s0 - s0))>(%c16)[%c16]
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}
