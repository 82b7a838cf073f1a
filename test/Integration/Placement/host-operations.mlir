// What only the host does, scalars, and shape queries.
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=side_effect --input=4xf32=iota --expected=4xf32=0,2,4,6 --expected=f32=-4
// RUN: hetero-run %s --entry=scalar_on_both --input=4xf32=1,2,3,4 --expected=4xf32=3,4,5,6 --expected=4xf32=2,4,6,8
// RUN: hetero-run %s --entry=shape_query --input=3x2xf32=iota --expected=3x2xf32=0,2,4,6,8,10 --expected=index=3
// RUN: hetero-run %s --entry=element --input=4xf32=iota --expected=f32=6 --expected=4xf32=0,2,4,6

// A call, whatever it does, is made by the host, and what feeds it alone follows.

// PLACE-LABEL: @side_effect
// PLACE: arith.addf {{.*}}<gpu:0>
// PLACE: arith.negf {{.*}}<cpu:0>, hetero.origin = "cost"
// PLACE: call @print{{.*}}<cpu:0>
// CHECK-LABEL: @side_effect(
// CHECK-COUNT-2: hetero.copy
// CHECK: arith.negf {{.*}} : tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: return
func.func private @print(%x: tensor<4xf32>) -> f32 attributes {no_inline} {
  %c2 = arith.constant 2 : index
  %s = tensor.extract %x[%c2] : tensor<4xf32>
  return %s : f32
}
func.func @side_effect(%x: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.negf %0 : tensor<4xf32>
  %2 = func.call @print(%1) : (tensor<4xf32>) -> f32
  return %0, %2 : tensor<4xf32>, f32
}

// A scalar goes into a kernel by value; its other user stays where it is.

// PLACE-LABEL: @scalar_on_both
// PLACE: tensor.extract {{.*}}<cpu:0>
// PLACE: tensor.splat {{.*}}<gpu:0>
// PLACE: tensor.splat {{.*}}<cpu:0>
// CHECK-LABEL: @scalar_on_both(
// CHECK: hetero.copy {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: func
func.func @scalar_on_both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %s = tensor.extract %x[%c1] : tensor<4xf32>
  %f = tensor.splat %s {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %g = tensor.splat %s {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %0 = arith.addf %x, %f {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.mulf %x, %g {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A shape query reads the type: its tensor does not move.

// PLACE-LABEL: @shape_query
// PLACE: tensor.dim {{.*}}<cpu:0>
// CHECK-LABEL: @shape_query(
// CHECK: hetero.copy %arg0
// CHECK: %[[S:.*]] = arith.addf
// CHECK: tensor.dim {{.*}} %[[S]],
// CHECK-NOT: hetero.copy
// CHECK: func
func.func @shape_query(%x: tensor<?x?xf32>) -> (tensor<?x?xf32> {hetero.device = #hetero.device<gpu:0>}, index) {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<?x?xf32>
  %n = tensor.dim %0, %c0 : tensor<?x?xf32>
  return %0, %n : tensor<?x?xf32>, index
}

// One element crosses, not the tensor.

// CHECK-LABEL: @element(
// CHECK: hetero.copy %arg0
// CHECK: %[[S:.*]] = arith.addf
// CHECK: hetero.copy {{.*}} : tensor<1xf32, #hetero.device<gpu:0>> -> tensor<1xf32>
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @element(%x: tensor<4xf32>) -> (f32, tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) {
  %c3 = arith.constant 3 : index
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %s = tensor.extract %0[%c3] : tensor<4xf32>
  return %s, %0 : f32, tensor<4xf32>
}
