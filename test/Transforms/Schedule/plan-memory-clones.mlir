// RUN: hetero-opt %s --hetero-plan-memory --split-input-file | FileCheck %s -enable-var-scope

#gpu = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#id = affine_map<(i) -> (i)>

// The copy of an argument that a private function returns waits for the unit that
// has written it, and the unit for the copy.
// CHECK-LABEL: func.func private @returns_argument(
// CHECK: linalg.generic
// CHECK: hetero.order #[[GPU:.*]] after #[[A:.*]]
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy %arg0
// CHECK-NEXT: hetero.order #[[A]] after #[[GPU]]
module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.units = ["a"]} {
func.func private @returns_argument(%x: memref<4xf32, #gpu>) -> memref<4xf32, #gpu> {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<4xf32, #gpu>) attrs = {hetero.device = #a} {
  ^bb0(%o: f32):
    %0 = arith.addf %o, %o : f32
    linalg.yield %0 : f32
  }
  return %x : memref<4xf32, #gpu>
}
}

// -----

#gpu = #hetero.device<gpu:0>

// Without units the stream keeps the order.
// CHECK-LABEL: func.func private @no_units(
// CHECK-NOT: hetero.order
// CHECK: memref.copy %arg0
// CHECK-NOT: hetero.order
// CHECK: return
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func private @no_units(%x: memref<4xf32, #gpu>) -> memref<4xf32, #gpu> {
  linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%x : memref<4xf32, #gpu>)
  return %x : memref<4xf32, #gpu>
}
}
