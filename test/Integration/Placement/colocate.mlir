// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-verify | FileCheck %s
// RUN: hetero-opt %s --hetero-place --hetero-place | FileCheck %s --check-prefix=AGAIN
// RUN: hetero-opt %s --hetero-place=placement=annotated-only | FileCheck %s --check-prefix=AGAIN
// RUN: hetero-opt %s --hetero-place=placement=greedy -o /dev/null

!T = tensor<1024x1024xf32>

// Alone, the sum stays where its operands are and the product is worth the gpu;
// together they are where both cost least.

// CHECK-LABEL: @alone
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>
// CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>
func.func @alone(%a: !T, %b: !T, %e: !T) -> (!T, !T) {
  %0 = linalg.add ins(%a, %b : !T, !T) outs(%e : !T) -> !T
  %1 = linalg.matmul ins(%a, %b : !T, !T) outs(%a : !T) -> !T
  return %0, %1 : !T, !T
}

// CHECK-LABEL: @together
// CHECK: linalg.add {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"
// CHECK: linalg.matmul {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"
func.func @together(%a: !T, %b: !T, %e: !T) -> (!T, !T) {
  %0 = linalg.add {hetero.colocate = "block"} ins(%a, %b : !T, !T) outs(%e : !T) -> !T
  %1 = linalg.matmul {hetero.colocate = "block"} ins(%a, %b : !T, !T) outs(%a : !T) -> !T
  return %0, %1 : !T, !T
}

// A pin takes the others with it.

// CHECK-LABEL: @pinned
// CHECK: linalg.add {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned with block"
// CHECK: linalg.exp {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"
// AGAIN-LABEL: @pinned
// AGAIN: linalg.add {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned with block"
// AGAIN: linalg.exp {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"
func.func @pinned(%a: !T, %e: !T) -> (!T, !T) {
  %0 = linalg.add {hetero.colocate = "block"} ins(%a, %a : !T, !T) outs(%e : !T) -> !T
  %1 = linalg.exp {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>} ins(%a : !T) outs(%e : !T) -> !T
  return %0, %1 : !T, !T
}

// Names mean nothing from one function to another.

// CHECK-LABEL: @other
// CHECK: linalg.add {hetero.colocate = "block", hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"
func.func @other(%a: !T, %e: !T) -> !T {
  %0 = linalg.add {hetero.colocate = "block"} ins(%a, %a : !T, !T) outs(%e : !T) -> !T
  return %0 : !T
}

// What can be made anywhere is made once, where the group is, and copied.

// CHECK-LABEL: @constant
// CHECK: arith.constant {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned with block"
// CHECK-NOT: arith.constant
// CHECK: hetero.copy
// CHECK: return
func.func @constant(%a: !T, %e: !T) -> (!T, !T) {
  %c = arith.constant {hetero.colocate = "block"} dense<2.0> : !T
  %0 = linalg.exp {hetero.colocate = "block", hetero.device = #hetero.device<gpu:0>} ins(%c : !T) outs(%e : !T) -> !T
  %1 = linalg.add {hetero.device = #hetero.device<cpu:0>} ins(%a, %c : !T, !T) outs(%e : !T) -> !T
  return %0, %1 : !T, !T
}
