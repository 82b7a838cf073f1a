// RUN: hetero-opt %s --hetero-expand-min-max | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-expand-min-max -o %t.once
// RUN: hetero-opt %t.once --hetero-expand-min-max | diff %t.once -

// Acts: both orders of the operands, whose bits make the result. Already done:
// the diff above.
// CHECK-LABEL: func.func @minimum
// CHECK-SAME: (%[[A:.*]]: vector<8xf32>, %[[B:.*]]: vector<8xf32>)
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[A]], %[[B]]
// CHECK: %[[FIRST:.*]] = arith.select %[[LESS]], %[[A]], %[[B]]
// CHECK: %[[MORE:.*]] = arith.cmpf olt, %[[B]], %[[A]]
// CHECK: %[[SECOND:.*]] = arith.select %[[MORE]], %[[B]], %[[A]]
// CHECK: arith.ori
// CHECK-NOT: arith.minimumf
// CHECK: return
func.func @minimum(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.minimumf %a, %b : vector<8xf32>
  return %0 : vector<8xf32>
}

// Acts: one comparison with a constant, after which NaN and the right zero stay.
// CHECK-LABEL: func.func @relu
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[BELOW:.*]] = arith.cmpf ole, %[[X]], %[[ZERO]]
// CHECK-NEXT: %[[R:.*]] = arith.select %[[BELOW]], %[[ZERO]], %[[X]]
// CHECK-NEXT: return %[[R]]
func.func @relu(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = arith.maximumf %x, %zero : f32
  return %0 : f32
}

// Acts: nothing but the comparison where neither NaN nor signs of zeros count.
// CHECK-LABEL: func.func @fast
// CHECK-NEXT: arith.cmpf ogt
// CHECK-NEXT: arith.select
// CHECK-NEXT: return
func.func @fast(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %a, %b fastmath<nnan,nsz> : f32
  return %0 : f32
}

// Acts on reductions of vectors, an odd element of which is combined last.
// CHECK-LABEL: func.func @lanes
// CHECK-SAME: (%[[V:.*]]: vector<5xf32>, %[[OLD:.*]]: f32)
// CHECK: vector.extract_strided_slice %[[V]] {offsets = [0], sizes = [2], strides = [1]}
// CHECK: vector.extract_strided_slice %[[V]] {offsets = [2], sizes = [2], strides = [1]}
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @lanes(%v: vector<5xf32>, %old: f32) -> f32 {
  %0 = vector.reduction <maxnumf>, %v, %old : vector<5xf32> into f32
  return %0 : f32
}

// Must not act on integers, on sums, and on lanes that a mask leaves out.
// CHECK-LABEL: func.func @others
// CHECK: arith.maxsi
// CHECK: vector.reduction <add>
// CHECK: vector.mask
// CHECK-SAME: vector.reduction <maximumf>
func.func @others(%a: i32, %b: i32, %v: vector<4xf32>, %m: vector<4xi1>) -> (i32, f32, f32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = vector.reduction <add>, %v : vector<4xf32> into f32
  %2 = vector.mask %m { vector.reduction <maximumf>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0, %1, %2 : i32, f32, f32
}

// Control flow and calls: each operation is expanded where it stands.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: arith.select
// CHECK: } else {
// CHECK: call @relu
func.func @branch(%p: i1, %a: f32, %b: f32) -> f32 {
  %0 = scf.if %p -> f32 {
    %1 = arith.minnumf %a, %b : f32
    scf.yield %1 : f32
  } else {
    %1 = func.call @relu(%a) : (f32) -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}
