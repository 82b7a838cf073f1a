// RUN: hetero-opt %s --hetero-expand-host-operations | FileCheck %s --enable-var-scope

// A strided copy would need MLIR's runner library; a contiguous one is memcpy.
// CHECK-LABEL: @copies
// CHECK: linalg.generic
// CHECK: memref.copy
func.func @copies(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  memref.copy %b, %c : memref<4x4xf32> to memref<4x4xf32>
  return
}

// Rows of a vector and more are copied one by one, those of a dynamic number
// too. What lies in one piece at another place is one copy.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[A:.*]]: memref<?x2x16xf32, {{.*}}>, %[[B:.*]]: memref<?x2x16xf32>, %[[C:[a-z0-9]*]]: memref
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c2{{.*}} step
// CHECK: %[[ROW:.*]] = memref.subview %[[A]][%[[I]], %[[J]], 0] [1, 1, 16] [1, 1, 1]
// CHECK: %[[PLACE:.*]] = memref.subview %[[B]][%[[I]], %[[J]], 0] [1, 1, 16] [1, 1, 1]
// CHECK: memref.copy %[[ROW]], %[[PLACE]]
// CHECK-NOT: linalg.generic
// CHECK: memref.copy %[[C]],
func.func @rows(%a: memref<?x2x16xf32, strided<[64, 24, 1], offset: 8>>, %b: memref<?x2x16xf32>, %c: memref<1x4x16xf32, strided<[128, 16, 1], offset: 64>>, %d: memref<1x4x16xf32>) {
  memref.copy %a, %b : memref<?x2x16xf32, strided<[64, 24, 1], offset: 8>> to memref<?x2x16xf32>
  memref.copy %c, %d : memref<1x4x16xf32, strided<[128, 16, 1], offset: 64>> to memref<1x4x16xf32>
  return
}

// Must not act on rows of 15 floats.
// CHECK-LABEL: @short_rows
// CHECK-NOT: scf.for
// CHECK: linalg.generic
func.func @short_rows(%a: memref<4x15xf32, strided<[16, 1]>>, %b: memref<4x15xf32>) {
  memref.copy %a, %b : memref<4x15xf32, strided<[16, 1]>> to memref<4x15xf32>
  return
}

// exp of f32 is a polynomial in every lane, f64 and sin are left for libm.
// CHECK-LABEL: @functions
// CHECK-NOT: math.exp {{.*}} : vector<8xf32>
// CHECK: math.exp {{.*}} : vector<8xf64>
// CHECK: math.sin {{.*}} : vector<8xf32>
func.func @functions(%a: vector<8xf32>, %b: vector<8xf64>) -> (vector<8xf32>, vector<8xf64>, vector<8xf32>) {
  %0 = math.exp %a : vector<8xf32>
  %1 = math.exp %b : vector<8xf64>
  %2 = math.sin %a : vector<8xf32>
  return %0, %1, %2 : vector<8xf32>, vector<8xf64>, vector<8xf32>
}

// exp has no comparison but those of the bounds; 2^n is made of bits.
// CHECK-LABEL: @exp
// CHECK-COUNT-2: arith.cmpf
// CHECK: math.floor
// CHECK: arith.shli {{.*}} : i32
// CHECK-NOT: arith.cmpf
// CHECK: return
func.func @exp(%a: f32) -> f32 {
  %0 = math.exp %a : f32
  return %0 : f32
}

// erf is one polynomial, whose result is limited, without a division.
// CHECK-LABEL: @erf
// CHECK-NOT: arith.divf
// CHECK-COUNT-2: arith.cmpf
// CHECK: return
func.func @erf(%a: vector<8xf32>) -> vector<8xf32> {
  %0 = math.erf %a : vector<8xf32>
  return %0 : vector<8xf32>
}

// One dimension that becomes two dynamic ones is described by its strides.
// CHECK-LABEL: func.func @expand
// CHECK-SAME: (%[[X:.+]]: memref<?x8xf32, strided<[?, 1], offset: ?>>, %[[N:.+]]: index, %[[M:.+]]: index)
// CHECK: %{{.+}}, %[[OFFSET:.+]], %{{.+}}:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[OUTER:.+]] = arith.muli %[[STRIDES]]#0, %[[M]] : index
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%[[OFFSET]]], sizes: [%[[N]], %[[M]], 8], strides: [%[[OUTER]], %[[STRIDES]]#0, 1]
func.func @expand(%x: memref<?x8xf32, strided<[?, 1], offset: ?>>, %n: index, %m: index) -> memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 8] : memref<?x8xf32, strided<[?, 1], offset: ?>> into memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>
  return %0 : memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>
}

// Conversions saturate: where the largest integer is a float, the float is
// limited, and elsewhere the result is chosen.
// CHECK-LABEL: func.func @saturate
// CHECK-SAME: (%[[X:.*]]: vector<8xf32>)
// CHECK: %[[OK:.*]] = arith.cmpf olt, %[[X]], %[[END:.*]] :
// CHECK: %[[INSIDE:.*]] = arith.select %[[OK]], %[[X]]
// CHECK: %[[WIDE:.*]] = arith.fptosi
// CHECK: %[[PAST:.*]] = arith.cmpf oge, %[[X]], %[[END]]
// CHECK: arith.select %[[PAST]], %{{.*}}, %[[WIDE]]
// CHECK: arith.cmpf ogt, %[[X]]
// CHECK: arith.cmpf olt
// CHECK: arith.fptoui
// CHECK-NEXT: return
func.func @saturate(%x: vector<8xf32>) -> (vector<8xi32>, vector<8xi8>) {
  %0 = arith.fptosi %x : vector<8xf32> to vector<8xi32>
  %1 = arith.fptoui %x : vector<8xf32> to vector<8xi8>
  return %0, %1 : vector<8xi32>, vector<8xi8>
}

// Front ends convert to unsigned bytes by it, too: the low bits of an i32.
// CHECK-LABEL: func.func @low_bits
// CHECK: arith.fptosi %{{.*}} : f32 to i32
// CHECK: arith.select
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @low_bits(%x: f32) -> i8 {
  %0 = arith.fptosi %x : f32 to i8
  return %0 : i8
}

// Must not act twice: what was limited before has NaN left at most.
// CHECK-LABEL: func.func @limited
// CHECK: arith.minimumf
// CHECK-NEXT: arith.cmpf ord
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.fptosi
// CHECK-NEXT: return
func.func @limited(%x: f32) -> i8 {
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %0 = math.roundeven %x : f32
  %1 = arith.maximumf %0, %low : f32
  %2 = arith.minimumf %1, %high : f32
  %3 = arith.fptosi %2 : f32 to i8
  return %3 : i8
}
