// Globals, and what is made of them, on several devices.
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=constant_global --input=4xf32=iota --expected=2x4xf32=2,4,6,8,2,4,6,8 --expected=4xf32=-1,-1,-1,-1
// RUN: hetero-run %s --entry=broadcast_resource --expected=2x4xf32=2,4,6,8,2,4,6,8 --expected=2x4xf32=0,0,0,0,0,0,0,0
// RUN: hetero-run %s --entry=state --input=4xf32=10 --expected=4xf32=11,12,13,14

// Every operation has a device.

// PLACE-LABEL: @constant_global
// PLACE: memref.get_global {{.*}}<cpu:0>
// PLACE: bufferization.to_tensor {{.*}}<cpu:0>
// PLACE: linalg.broadcast {{.*}}hetero.device = #hetero.device<{{cpu|gpu}}:0>
// CHECK-LABEL: @constant_global(
// CHECK-DAG: hetero.copy {{.*}} -> tensor<{{.*}}4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: hetero.copy {{.*}} -> tensor<{{.*}}4xf32, #hetero.device<gpu:1>>
memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @constant_global(%x: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  %m = memref.get_global @weights : memref<4xf32>
  %s = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %b = linalg.broadcast ins(%s : tensor<4xf32>) outs(%e : tensor<2x4xf32>) dimensions = [0]
  %0 = arith.addf %b, %b {hetero.device = #hetero.device<gpu:0>} : tensor<2x4xf32>
  %1 = arith.subf %x, %s {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<4xf32>
}

// A constant's elements stand once per device, and the broadcast from there is
// made once per device as well.

// CHECK-LABEL: @broadcast_resource(
// CHECK: %[[B:.*]] = linalg.broadcast {{.*}} outs({{.*}} : tensor<2x4xf32, #hetero.device<gpu:0>>)
// CHECK: %[[C:.*]] = linalg.broadcast {{.*}} outs({{.*}} : tensor<2x4xf32, #hetero.device<gpu:1>>)
// CHECK-NOT: hetero.copy
// CHECK: arith.addf %[[B]], %[[B]]
// CHECK: arith.subf %[[C]], %[[C]]
// CHECK: return
func.func @broadcast_resource() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %s = arith.constant dense_resource<weights> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %b = linalg.broadcast ins(%s : tensor<4xf32>) outs(%e : tensor<2x4xf32>) dimensions = [0]
  %0 = arith.addf %b, %b {hetero.device = #hetero.device<gpu:0>} : tensor<2x4xf32>
  %1 = arith.subf %b, %b {hetero.device = #hetero.device<gpu:1>} : tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// State lives where all that use it are, which is cheapest here beside what
// computes on it: nothing of it crosses.

// PLACE-LABEL: @state
// PLACE: ml_program.global_load {{.*}}<gpu:0>, hetero.origin = "cost"
// PLACE: ml_program.global_store {{.*}}<gpu:0>, hetero.origin = "cost"
// CHECK: ml_program.global private mutable @counter(dense<{{.*}}> : tensor<4xf32, #hetero.device<gpu:0>>) : tensor<4xf32, #hetero.device<gpu:0>> {hetero.device = #hetero.device<gpu:0>}
// CHECK-LABEL: @state(
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[S:.*]] = ml_program.global_load @counter : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: %[[N:.*]] = arith.addf %{{.*}}, %[[S]]
// CHECK: hetero.copy %[[N]] {{.*}} -> tensor<4xf32>
// CHECK: ml_program.global_store @counter = %[[N]] : tensor<4xf32, #hetero.device<gpu:0>>
ml_program.global private mutable @counter(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
func.func @state(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = ml_program.global_load @counter : tensor<4xf32>
  %0 = arith.addf %x, %s {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  ml_program.global_store @counter = %0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
