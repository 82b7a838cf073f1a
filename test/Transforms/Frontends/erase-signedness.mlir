// RUN: hetero-opt %s --hetero-erase-signedness --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-erase-signedness --hetero-erase-signedness --split-input-file | FileCheck %s

// Types lose their signs, public functions remember them, and conversions between
// signs are none.
// CHECK: func.func private @callee(%{{.*}}: tensor<4xi8>) -> tensor<4xi8>
func.func private @callee(%x: tensor<4xui8>) -> tensor<4xui8> {
  return %x : tensor<4xui8>
}
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[X:.*]]: tensor<4xi8> {hetero.element_type = ui8}, %{{.*}}: f32, %[[S:.*]]: i64 {hetero.element_type = si64}
// CHECK-SAME:    -> (tensor<4xi8> {hetero.element_type = ui8}, i64 {hetero.element_type = si64})
// CHECK-NEXT:    %[[K:.*]] = arith.constant dense<[1, 2, -6, 4]> : tensor<4xi8>
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[X]], %[[K]] : tensor<4xi8>
// CHECK-NEXT:    %[[CALL:.*]] = call @callee(%[[SUM]]) : (tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT:    return %[[CALL]], %[[S]]
func.func @main(%x: tensor<4xui8>, %f: f32, %s: si64) -> (tensor<4xui8>, si64) {
  %0 = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %k = arith.constant dense<[1, 2, 250, 4]> : tensor<4xui8>
  %1 = builtin.unrealized_conversion_cast %k : tensor<4xui8> to tensor<4xi8>
  %2 = arith.addi %0, %1 : tensor<4xi8>
  %3 = tensor.bitcast %2 : tensor<4xi8> to tensor<4xui8>
  %4 = call @callee(%3) : (tensor<4xui8>) -> tensor<4xui8>
  return %4, %s : tensor<4xui8>, si64
}

// -----

// Control flow and what it carries.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<4xi16>)
func.func @loop(%n: index, %x: tensor<4xui16>) -> tensor<4xui16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (tensor<4xui16>) {
    scf.yield %v : tensor<4xui16>
  }
  return %0 : tensor<4xui16>
}

// -----

// A program without signs stays what it was, other conversions too.
// CHECK-LABEL: func.func @signless
// CHECK-SAME:    (%{{.*}}: tensor<4xi32>) -> tensor<4xf32>
// CHECK:         tensor.bitcast
func.func @signless(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = tensor.bitcast %x : tensor<4xi32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// TOSA on unsigned numbers becomes TOSA on signed ones in the same order; must
// not act on what is the same for both.
// CHECK-LABEL: func.func @tosa
// CHECK-SAME:    %[[X:.*]]: tensor<4xi8>
// CHECK:         %[[SUM:.*]] = tosa.add %[[X]], %[[X]]
// CHECK:         %[[BIT:.*]] = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> {hetero.device = #hetero.device<gpu:0>}
// CHECK:         %[[FLIPPED:.*]] = tosa.bitwise_xor %[[SUM]], %[[BIT]] {hetero.device = #hetero.device<gpu:0>}
// CHECK:         %[[LIMITED:.*]] = tosa.clamp %[[FLIPPED]] {hetero.device = #hetero.device<gpu:0>, max_val = 72 : i8, min_val = -125 : i8}
// CHECK:         %[[RESULT:.*]] = tosa.bitwise_xor %[[LIMITED]], %{{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK:         %[[WIDE:.*]] = tosa.cast %[[RESULT]] : (tensor<4xi8>) -> tensor<4xi32>
// CHECK:         %[[MASKED:.*]] = tosa.bitwise_and %[[WIDE]], %{{.*}}
// CHECK:         tosa.cast %[[MASKED]] : (tensor<4xi32>) -> tensor<4xf32>
func.func @tosa(%x: tensor<4xui8>) -> tensor<4xf32> {
  %0 = tosa.add %x, %x : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %1 = tosa.clamp %0 {min_val = 3 : ui8, max_val = 200 : ui8, hetero.device = #hetero.device<gpu:0>} : (tensor<4xui8>) -> tensor<4xui8>
  %2 = tosa.cast %1 : (tensor<4xui8>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A loop that compares by the type of its results; must not act on one that
// does not.
// CHECK-LABEL: func.func @reduced
// CHECK:         scf.parallel
// CHECK:           memref.load
// CHECK:           arith.maxsi %{{.*}} : i32
// CHECK:         affine.parallel
// CHECK-SAME:      reduce ("addi") -> (i64)
func.func @reduced(%x: memref<9xsi32>, %y: memref<9xi64>) -> (si32, i64) {
  %0 = affine.parallel (%i) = (0) to (8) reduce ("maxs") -> (si32) {
    %v = affine.load %x[%i + 1] : memref<9xsi32>
    affine.yield %v : si32
  }
  %1 = affine.parallel (%i) = (0) to (9) reduce ("addi") -> (i64) {
    %v = affine.load %y[%i] : memref<9xi64>
    affine.yield %v : i64
  }
  return %0, %1 : si32, i64
}

// -----

// An annotation of what is no operation is not missed by placement.
// CHECK: module attributes {hetero.pins = 1 : i64}
module attributes {hetero.pins = 2 : i64} {
  func.func @annotated(%x: tensor<4xui8>) -> tensor<4xi8> {
    %0 = tensor.bitcast %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xui8> to tensor<4xi8>
    %1 = arith.addi %0, %0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xi8>
    return %1 : tensor<4xi8>
  }
}
