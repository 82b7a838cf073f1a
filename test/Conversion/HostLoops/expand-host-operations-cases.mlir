// RUN: hetero-opt %s --hetero-expand-host-operations | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-expand-host-operations -o %t.once
// RUN: hetero-opt %t.once --hetero-expand-host-operations | diff %t.once -
// RUN: hetero-opt %s --hetero-expand-host-operations --remarks-filter=hetero-expand-host-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Analysis] summary | Category:hetero-expand-host-operations | copies=1, functions=1

// Already done: the diff above. Control flow: both arms of a branch are
// expanded where they stand.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK: } else {
// CHECK-NOT: math.exp
// CHECK: return
func.func @branch(%p: i1, %a: memref<4xf32, strided<[2]>>, %b: memref<4xf32>, %v: vector<8xf32>, %w: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  scf.if %p {
    memref.copy %a, %b : memref<4xf32, strided<[2]>> to memref<4xf32>
  } else {
    %0 = math.exp %v : vector<8xf32>
    vector.store %0, %w[%c0] : memref<8xf32>, vector<8xf32>
  }
  return
}

// Call: a function of the program that is named like one of math stays a call.
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @expf
// CHECK-NEXT: return
func.func private @expf(%x: f32) -> f32 {
  return %x : f32
}
func.func @caller(%x: f32) -> f32 {
  %0 = call @expf(%x) : (f32) -> f32
  return %0 : f32
}

// Acts on contractions of mixed types, whose operands are promoted as signed
// integers, or as floats; must not act on those of one type.
// CHECK-LABEL: func.func @contractions
// CHECK: %[[LEFT:.*]] = arith.extsi %{{.*}} : vector<2x8xi8> to vector<2x8xi32>
// CHECK: vector.contract {{.*}} %[[LEFT]], %{{.*}} : vector<2x8xi32>, vector<8x2xi32> into vector<2x2xi32>
// CHECK: arith.extf %{{.*}} : vector<2x8xf16> to vector<2x8xf32>
// CHECK: arith.extf %{{.*}} : vector<8x2xf16> to vector<8x2xf32>
// CHECK: vector.contract {{.*}} : vector<2x8xf32>, vector<8x2xf32> into vector<2x2xf32>
// CHECK-NOT: arith.ext
// CHECK: return
#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#results = affine_map<(i, j, k) -> (i, j)>
func.func @contractions(%a: vector<2x8xi8>, %b: vector<8x2xi8>, %c: vector<2x2xi32>, %f: vector<2x8xf16>, %j: vector<8x2xf16>, %g: vector<8x2xf32>, %h: vector<2x2xf32>, %i: vector<2x8xf32>) -> (vector<2x2xi32>, vector<2x2xf32>, vector<2x2xf32>) {
  %0 = vector.contract {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x8xi8>, vector<8x2xi8> into vector<2x2xi32>
  %1 = vector.contract {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %f, %j, %h : vector<2x8xf16>, vector<8x2xf16> into vector<2x2xf32>
  %2 = vector.contract {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %i, %g, %h : vector<2x8xf32>, vector<8x2xf32> into vector<2x2xf32>
  return %0, %1, %2 : vector<2x2xi32>, vector<2x2xf32>, vector<2x2xf32>
}
