// Copies out of loops, above branches, and annotations within control flow.
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=passes_through --input=i1=1 --input=4xf32=iota --expected=4xf32=0,4,8,12
// RUN: hetero-run %s --entry=both_arms --input=i1=1 --input=4xf32=iota --expected=4xf32=0,4,16,36
// RUN: hetero-run %s --entry=both_arms --input=i1=0 --input=4xf32=iota --expected=4xf32=0,0,0,0
// RUN: hetero-run %s --entry=annotation_inside --input=i1=1 --input=4xf32=iota --expected=4xf32=0,2,8,18
// RUN: hetero-run %s --entry=invariant --input=4xf32=iota --expected=4xf32=0,4,8,12

// A value on the gpu passes a region that does not use it: it does not move.

// CHECK-LABEL: @passes_through(
// CHECK: hetero.copy %arg1 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: arith.addf
// CHECK-NOT: hetero.copy
// CHECK: scf.if
// CHECK-NOT: hetero.copy
// CHECK: arith.addf {{.*}} #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @passes_through(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0.0 : f32
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %s = scf.if %p -> f32 {
    %one = arith.constant 2.0 : f32
    scf.yield %one : f32
  } else {
    scf.yield %c0 : f32
  }
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = arith.mulf %0, %f {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.addf %1, %1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %3 = arith.subf %2, %1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Needed on both devices in both arms: one copy above.

// CHECK-LABEL: @both_arms(
// CHECK: %[[S:.*]] = arith.addf
// CHECK: hetero.copy %[[S]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: scf.if
// CHECK-NOT: hetero.copy %[[S]]
// CHECK: return
func.func @both_arms(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.addf %x, %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %0 = arith.mulf %s, %s {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = arith.maximumf %0, %s {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %0 = arith.subf %s, %s {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = arith.minimumf %0, %s {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// An annotation inside wins over that around.

// PLACE-LABEL: @annotation_inside
// PLACE: arith.addf {{.*}}<gpu:0>, hetero.origin = "pinned
// PLACE: arith.mulf {{.*}}<cpu:0>, hetero.origin = "pinned
// CHECK-LABEL: @annotation_inside(
func.func @annotation_inside(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %0 = arith.addf %x, %x : tensor<4xf32>
    %1 = arith.mulf %0, %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {hetero.device = #hetero.device<gpu:0>}
  return %r : tensor<4xf32>
}

// What a loop does not change is copied before it.

// CHECK-LABEL: @invariant(
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: scf.for
// CHECK-NOT: hetero.copy %arg0
// CHECK: return
func.func @invariant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %0 = arith.addf %x, %y {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
