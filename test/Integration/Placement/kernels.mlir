// Kernels that were outlined before are not entered (case 4), and a copy tells
// which device executes it and allocates its destination there (case 11).
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-opt %s --hetero-pipeline="stop-after=scheduled" | FileCheck %s --check-prefix=BUFFERS
// RUN: hetero-run %s --entry=outlined --input=4xf32=iota --expected=4xf32=0,12,40,84
// RUN: hetero-run %s --entry=destinations --input=4xf32=iota --expected=4xf32=0,4,8,12

// The region runs as it is: what is in it is not placed, and nothing in it is
// copied. Its operands and results have been copied already.

// PLACE-LABEL: @outlined(
// PLACE: hetero.execute "kernel" on #hetero.device<gpu:0>
// PLACE-NEXT: arith.mulf %{{.*}}, %{{[^ ]*}} : tensor<4xf32>
// PLACE-NEXT: arith.addf %{{.*}}, %{{[^ ]*}} : tensor<4xf32>
// PLACE-NEXT: hetero.yield
// CHECK-LABEL: @outlined(
// CHECK: hetero.copy {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: hetero.execute "kernel"
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: hetero.yield
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: return
module attributes {gpu.container_module} {
  func.func @outlined(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %x, %x : tensor<4xf32>
    %c = hetero.copy %0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
    %1 = hetero.execute "kernel" on #hetero.device<gpu:0> (%a = %c : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %s = arith.mulf %a, %a : tensor<4xf32>
      %t = arith.addf %s, %a : tensor<4xf32>
      hetero.yield %t : tensor<4xf32>
    }
    %r = hetero.copy %1 : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
    %2 = arith.addf %r, %r : tensor<4xf32>
    return %2 : tensor<4xf32>
  }

  // Neither is a module of kernels.

  // PLACE: gpu.func @kernel(
  // PLACE-NOT: hetero.device
  // PLACE: gpu.return
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    gpu.func @kernel(%m: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %m[%c0] : memref<4xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %m[%c0] : memref<4xf32>
      gpu.return
    }
  }

  // Between two devices the destination's executes the copy, to the host the
  // source's. The destination is in the memory of the device that reads it.

  // PLACE-LABEL: @destinations(
  // PLACE: hetero.copy {{.*}}hetero.device = #hetero.device<gpu:0>
  // PLACE: hetero.copy {{.*}}hetero.device = #hetero.device<gpu:1>
  // PLACE: hetero.copy {{.*}}hetero.device = #hetero.device<gpu:1>
  // CHECK-LABEL: @destinations(
  // CHECK-COUNT-3: hetero.copy
  // CHECK-NOT: hetero.copy
  // CHECK: return
  // BUFFERS-LABEL: @destinations(
  // BUFFERS: %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:0>>
  // BUFFERS: memref.copy %{{.*}}, %[[A]] {{.*}} : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
  // BUFFERS: %[[B:.*]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:1>>
  // BUFFERS: memref.copy %{{.*}}, %[[B]] {{.*}} : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:1>>
  // BUFFERS: %[[C:.*]] = memref.alloc() {{.*}} : memref<4xf32>
  // BUFFERS: memref.copy %{{.*}}, %[[C]] {{.*}} : memref<4xf32, #hetero.device<gpu:1>> to memref<4xf32>
  // BUFFERS: hetero.wait on #hetero.device<gpu:1>
  func.func @destinations(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = hetero.copy %x : tensor<4xf32> on #hetero.device<cpu:0> -> tensor<4xf32> on #hetero.device<gpu:0>
    %0 = arith.addf %a, %a {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %b = hetero.copy %0 : tensor<4xf32> on #hetero.device<gpu:0> -> tensor<4xf32> on #hetero.device<gpu:1>
    %1 = arith.addf %b, %b {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
    %c = hetero.copy %1 : tensor<4xf32> on #hetero.device<gpu:1> -> tensor<4xf32> on #hetero.device<cpu:0>
    return %c : tensor<4xf32>
  }
}
