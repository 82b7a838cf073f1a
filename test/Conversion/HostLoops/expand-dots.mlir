// RUN: hetero-opt %s --hetero-expand-host-operations | FileCheck %s --enable-var-scope
// REQUIRES: x86-64

// An instruction of the function's processor.
// CHECK-LABEL: @instructions
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
// CHECK-NOT: hetero.dot
func.func @instructions(%a: vector<32xbf16>, %b: vector<32xi8>, %c: vector<16xf32>, %d: vector<8xi32>) -> (vector<16xf32>, vector<8xi32>)
    attributes {hetero.processor = "avx512bf16"} {
  %0 = hetero.dot %a, %a into %c : vector<32xbf16> into vector<16xf32>
  %1 = hetero.dot %b, %b into %d : vector<32xi8> into vector<8xi32>
  return %0, %1 : vector<16xf32>, vector<8xi32>
}

// Two lanes are half of the shortest vector that has one.
// CHECK-LABEL: @short
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 0, 1, 2, 3]
// CHECK: %[[FOUR:.+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.128"
// CHECK: vector.shuffle %[[FOUR]], %[[FOUR]] [0, 1] : vector<4xf32>, vector<4xf32>
func.func @short(%a: vector<4xbf16>, %c: vector<2xf32>) -> vector<2xf32> attributes {hetero.processor = "avx512bf16"} {
  %0 = hetero.dot %a, %a into %c : vector<4xbf16> into vector<2xf32>
  return %0 : vector<2xf32>
}

// A vector that is too long for any instruction is computed in steps, too.
// CHECK-LABEL: @long
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-2: arith.mulf {{.*}} fastmath<contract> : vector<32xf32>
func.func @long(%a: vector<64xbf16>, %c: vector<32xf32>) -> vector<32xf32> attributes {hetero.processor = "avx512bf16"} {
  %0 = hetero.dot %a, %a into %c : vector<64xbf16> into vector<32xf32>
  return %0 : vector<32xf32>
}

// A processor without such instructions: the first operand has no sign, the second
// one has.
// CHECK-LABEL: @arithmetic
// CHECK: vector.shuffle %[[A:.+]], %[[A]] [0, 4, 8, 12] : vector<16xi8>, vector<16xi8>
// CHECK: arith.extui {{.*}} : vector<4xi8> to vector<4xi32>
// CHECK: arith.extsi {{.*}} : vector<4xi8> to vector<4xi32>
// CHECK-COUNT-4: arith.muli {{.*}} : vector<4xi32>
// CHECK-NOT: hetero.dot
func.func @arithmetic(%a: vector<16xi8>, %b: vector<16xi8>, %c: vector<4xi32>) -> vector<4xi32> attributes {hetero.processor = "avx2"} {
  %0 = hetero.dot %a, %b into %c : vector<16xi8> into vector<4xi32>
  return %0 : vector<4xi32>
}

// In a loop, as code generation leaves it.
// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK:   llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @loop(%a: vector<64xi8>, %c: vector<16xi32>, %n: index) -> vector<16xi32> attributes {hetero.processor = "avx512bf16"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> (vector<16xi32>) {
    %0 = hetero.dot %a, %a into %s : vector<64xi8> into vector<16xi32>
    scf.yield %0 : vector<16xi32>
  }
  return %r : vector<16xi32>
}
