// RUN: hetero-opt %s --hetero-place | FileCheck %s
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies | FileCheck %s --check-prefix=SITES

// What both arms read is made where the arm that is taken oftener needs it.

// CHECK-LABEL: @often
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
func.func @often(%a: tensor<96x96xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %0 = linalg.exp ins(%a : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
    scf.if %p {
      %1 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%0 : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
      %2 = tensor.extract %1[%c0, %c0] : tensor<96x96xf32>
      vector.print %2 : f32
    } else {
      %1 = linalg.abs {hetero.device = #hetero.device<cpu:0>} ins(%0 : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
      %2 = tensor.extract %1[%c0, %c0] : tensor<96x96xf32>
      vector.print %2 : f32
    } {hetero.branch_weights = array<i32: 99, 1>}
  }
  return
}

// CHECK-LABEL: @rarely
// CHECK: linalg.exp {hetero.device = #hetero.device<cpu:0>
func.func @rarely(%a: tensor<96x96xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %0 = linalg.exp ins(%a : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
    scf.if %p {
      %1 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%0 : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
      %2 = tensor.extract %1[%c0, %c0] : tensor<96x96xf32>
      vector.print %2 : f32
    } else {
      %1 = linalg.abs {hetero.device = #hetero.device<cpu:0>} ins(%0 : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
      %2 = tensor.extract %1[%c0, %c0] : tensor<96x96xf32>
      vector.print %2 : f32
    } {hetero.branch_weights = array<i32: 1, 99>}
  }
  return
}

// A copy that only a rare arm needs stands there; one that a frequent arm of a
// loop needs stands above the loop.

// SITES-LABEL: @sites
// SITES: scf.for
// SITES: scf.if
// SITES: hetero.copy %arg0
func.func @sites(%a: tensor<96x96xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    scf.if %p {
      %1 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
      %2 = tensor.extract %1[%c0, %c0] : tensor<96x96xf32>
      vector.print %2 : f32
    } {hetero.branch_weights = array<i32: 1, 99>}
  }
  return
}

// SITES-LABEL: @above
// SITES: hetero.copy %arg0
// SITES: scf.for
func.func @above(%a: tensor<96x96xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    scf.if %p {
      %1 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<96x96xf32>) outs(%a : tensor<96x96xf32>) -> tensor<96x96xf32>
      %2 = tensor.extract %1[%c0, %c0] : tensor<96x96xf32>
      vector.print %2 : f32
    } {hetero.branch_weights = array<i32: 99, 1>}
  }
  return
}
