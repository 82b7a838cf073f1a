// Constants and fills are made on each device that needs them, unless they are
// pinned.
//
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --cse --hetero-verify | FileCheck %s
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-partition | FileCheck %s --check-prefix=REGIONS
// RUN: hetero-run %s --entry=two_devices --input=4xf32=iota --expected=4xf32=2,4,6,8 --expected=4xf32=0,3,8,15
// RUN: hetero-run %s --entry=merged_fills --input=4xf32=iota --expected=4xf32=5,6,7,8 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %s --entry=pinned_fill --input=4xf32=iota --expected=4xf32=5,6,7,8 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %s --entry=pinned_constant --input=4xf32=iota --expected=4xf32=1,3,5,7
// RUN: hetero-run %s --entry=only_a_constant --expected=4xf32=1,2,3,4
// RUN: hetero-run %s --entry=sparse --input=4xf32=iota --expected=4xf32=1,1,2,3

// CHECK-LABEL: @two_devices(
// CHECK-DAG: arith.constant {{.*}} : tensor<4xf32>
// CHECK-DAG: arith.constant {{.*}} : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @two_devices(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %0 = arith.addf %x, %c {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.mulf %x, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Two equal fills that were merged are two again, one per gpu.

// CHECK-LABEL: @merged_fills(
// CHECK-DAG: linalg.fill {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: linalg.fill {{.*}} -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: arith.addf
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @merged_fills(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %five = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%five : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = arith.addf %x, %f {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.subf %x, %f {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A pinned one is made once and copied.

// CHECK-LABEL: @pinned_fill(
// CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: hetero.copy %[[F]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @pinned_fill(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %five = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill {hetero.device = #hetero.device<gpu:0>} ins(%five : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = arith.addf %x, %f {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.subf %x, %f {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Pinning only a constant makes no kernel: it is uploaded and copied.

// CHECK-LABEL: @pinned_constant(
// CHECK: %[[C:.*]] = arith.constant {{.*}} : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %[[C]] {{.*}} -> tensor<4xf32>
// CHECK: arith.addf {{.*}} : tensor<4xf32>
// REGIONS-LABEL: @pinned_constant(
// REGIONS-NOT: hetero.execute {{.*}}<gpu:0>
// REGIONS: return
func.func @pinned_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant {hetero.device = #hetero.device<gpu:0>} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = arith.addf %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// REGIONS-LABEL: @only_a_constant(
// REGIONS-NOT: hetero.execute {{.*}}<gpu:0>
// REGIONS: return
func.func @only_a_constant() -> tensor<4xf32> {
  %c = arith.constant {hetero.device = #hetero.device<gpu:0>} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}

// Elements that do not lie next to each other are no device's: the host, which
// spreads them out, has the constant, and it is copied.

// CHECK-LABEL: @sparse(
// CHECK: arith.constant {{.*}}hetero.origin = "host: arith.constant has no dense elements, which the host spreads out"} sparse<{{.*}} : tensor<4xf32>
// CHECK-NEXT: hetero.copy %{{.*}} : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
func.func @sparse(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  %0 = arith.addf %x, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
