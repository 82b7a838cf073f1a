// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen" --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen bounds-checks=false" | FileCheck %s --check-prefix=UNCHECKED
// UNCHECKED-NOT: cf.assert

// Acts: a divisor is compared with 0, and the least number with what overflows.
// CHECK-LABEL: func.func @signed
// CHECK-SAME: (%[[A:[^:]+]]: i32, %[[B:[^:]+]]: i32)
// CHECK: %[[P:.+]] = arith.cmpi ne, %[[B]], %c0_i32
// CHECK: cf.assert %[[P]], "expected the divisor of arith.divsi at division-checks.mlir:[[# @LINE + 7]]:8 to be another number than 0; pass one that is"
// CHECK: %[[Q:.+]] = arith.cmpi ne, %[[B]], %c-1_i32
// CHECK: %[[R:.+]] = arith.cmpi ne, %[[A]], %c-2147483648_i32
// CHECK: %[[S:.+]] = arith.ori %[[Q]], %[[R]]
// CHECK: cf.assert %[[S]], "expected the quotient of arith.divsi at division-checks.mlir:[[# @LINE + 3]]:8 to fit its type, but the least number is divided by -1; pass other numbers, or a wider type"
// CHECK: arith.divsi %[[A]], %[[B]]
func.func @signed(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}

// Unsigned numbers do not overflow.
// CHECK-LABEL: func.func @unsigned
// CHECK-COUNT-1: cf.assert
// CHECK-NOT: cf.assert
// CHECK: return
func.func @unsigned(%a: i32, %b: i32) -> i32 {
  %0 = arith.remui %a, %b : i32
  return %0 : i32
}

// Nor do numbers that have been narrower.
// CHECK-LABEL: func.func @wider
// CHECK-COUNT-1: cf.assert
// CHECK-NOT: cf.assert
// CHECK: return
func.func @wider(%a: i8, %b: i32) -> i32 {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.divsi %0, %b : i32
  return %1 : i32
}

// Loops over vectors branch once for all lanes.
// CHECK-LABEL: func.func @vectors
// CHECK: %[[P:.+]] = arith.cmpi ne, %[[Y:.+]], %{{.+}} : vector<[[N:[0-9]+]]xi32>
// CHECK: %[[ALL:.+]] = vector.reduction <and>, %[[P]] : vector<[[N]]xi1> into i1
// CHECK: cf.assert %[[ALL]]
// CHECK: arith.divui %{{.+}}, %[[Y]] : vector<[[N]]xi32>
func.func @vectors(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = arith.divui %a, %b : tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// A named operation's body is written out where it is checked, and only there.
// CHECK-LABEL: func.func @named
// CHECK: cf.assert {{.*}}"expected the divisor of linalg.div_unsigned at division-checks.mlir:[[# @LINE + 3]]:8
func.func @named(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %0 = linalg.div_unsigned ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @affine
// CHECK: arith.cmpi sgt
// CHECK: cf.assert {{.*}}"expected the divisor of affine.apply at division-checks.mlir:[[# @LINE + 2]]:8 to be more than 0; pass one that is"
func.func @affine(%a: index, %k: index) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0 + 3)>(%a)[%k]
  return %0 : index
}

// Must not act: constants, splats, what loops count from 1, sums of what is not
// negative, and divisors of affine maps that are constants.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: cf.assert
// CHECK: return
func.func @proven(%a: tensor<8xi32>, %n: index) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32>
  %three = arith.constant dense<3> : tensor<8xi32>
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<8xi32>
  %f = linalg.fill ins(%five : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %0 = arith.divsi %a, %k : tensor<8xi32>
  %1 = arith.remsi %a, %three : tensor<8xi32>
  %2 = arith.divui %a, %f : tensor<8xi32>
  %3 = scf.for %i = %c1 to %n step %c1 iter_args(%t = %c0) -> index {
    %q = arith.divsi %n, %i : index
    %h = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%q)
    %u = arith.addi %t, %h : index
    scf.yield %u : index
  }
  return %0, %1, %2, %3 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, index
}

// A constant that has a 0 is one that may be 0.
// CHECK-LABEL: func.func @elements
// CHECK-COUNT-1: cf.assert
// CHECK-NOT: cf.assert
func.func @elements(%a: tensor<2xi32>) -> tensor<2xi32> {
  %k = arith.constant dense<[0, 2]> : tensor<2xi32>
  %0 = arith.divsi %a, %k : tensor<2xi32>
  return %0 : tensor<2xi32>
}
