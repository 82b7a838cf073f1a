// RUN: hetero-opt %s --canonicalize | FileCheck %s

// Pairs of bf16, fours of i8; what nothing reads is dropped.
// CHECK-LABEL: @dots
// CHECK-NEXT: hetero.dot %{{.*}}, %{{.*}} into %{{.*}} : vector<32xbf16> into vector<16xf32>
// CHECK-NEXT: hetero.dot %{{.*}}, %{{.*}} into %{{.*}} : vector<16xi8> into vector<4xi32>
// CHECK-NEXT: return
func.func @dots(%a: vector<32xbf16>, %b: vector<16xi8>, %c: vector<16xf32>, %d: vector<4xi32>) -> (vector<16xf32>, vector<4xi32>) {
  %0 = hetero.dot %a, %a into %c : vector<32xbf16> into vector<16xf32>
  %1 = hetero.dot %b, %b into %d : vector<16xi8> into vector<4xi32>
  %2 = hetero.dot %b, %b into %1 : vector<16xi8> into vector<4xi32>
  return %0, %1 : vector<16xf32>, vector<4xi32>
}
