// RUN: hetero-opt %s --convert-hetero-to-gpu=chip=sm_90a | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --convert-hetero-to-gpu=chip=sm_90 | FileCheck %s --check-prefix=OTHER

#gpu = #hetero.device<gpu:0>

// One lane of the last warp brings boxes of both operands, the left one along the
// depth and the right one across it; two warpgroups multiply them. Where addresses
// are no multiples of 16 bytes, mma.sync does.
// CHECK:       llvm.mlir.global external @hetero_shared_196672() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK-LABEL: gpu.func @kernel_0_matmul(
// CHECK-SAME:    known_block_size = array<i32: 288, 1, 1>
// CHECK:         llvm.mlir.addressof @hetero_shared_196672
// CHECK-COUNT-8: nvvm.mbarrier.init
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK:           nvvm.mbarrier.try_wait.parity
// CHECK-COUNT-4:   nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 256, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
// CHECK:           nvvm.wgmma.commit.group.sync.aligned
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 1
// CHECK:           nvvm.mbarrier.arrive
// CHECK:         nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:         nvvm.barrier
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK:       } else {
// CHECK:           nvvm.mbarrier.try_wait.parity
// CHECK:           nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-5:   nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NOT:       nvvm.cp.async.bulk.tensor
// CHECK-LABEL: gpu.func @kernel_1_matmul(
// CHECK:         nvvm.mma.sync
// OTHER-NOT:   wgmma
// CHECK-LABEL: func.func @product
// CHECK-SAME:    (%[[A:.*]]: memref<2048x1024xf16>, %[[B:.*]]: memref<1024x8192xf16>
// CHECK-DAG:     memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-DAG:     memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         scf.if
// CHECK:           hetero.tensor_map %{{.*}} : !llvm.ptr[%{{.*}}, %{{.*}}] by[%{{.*}}] of f16 box [64, 128] swizzle 128 on #hetero.device<gpu:0>
// CHECK:           hetero.tensor_map %{{.*}} : !llvm.ptr[%{{.*}}, %{{.*}}] by[%{{.*}}] of f16 box [64, 64] swizzle 128 on #hetero.device<gpu:0>
// CHECK:           gpu.launch_func @hetero_kernels::@kernel_0_matmul
// CHECK-SAME:        dynamic_shared_memory_size %{{.*}} args(
// CHECK-SAME:        hetero.tensor_maps = array<i32: 1, 2>
// CHECK:         } else {
// CHECK:           gpu.launch_func @hetero_kernels::@kernel_1_matmul
func.func @product(%a: memref<2048x1024xf16, #gpu>, %b: memref<1024x8192xf16, #gpu>, %c: memref<2048x8192xf32, #gpu>) {
  linalg.matmul ins(%a, %b : memref<2048x1024xf16, #gpu>, memref<1024x8192xf16, #gpu>) outs(%c : memref<2048x8192xf32, #gpu>)
  return
}

// Rows that are never at multiples of 16 bytes, and few tiles, are for mma.sync
// alone.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     hetero.tensor_map
// CHECK:         return
func.func @others(%a: memref<2048x1001xf16, #gpu>, %b: memref<1001x8192xf16, #gpu>, %c: memref<2048x8192xf32, #gpu>,
                  %d: memref<512x512xbf16, #gpu>, %e: memref<512x512xbf16, #gpu>, %f: memref<512x512xbf16, #gpu>) {
  linalg.matmul ins(%a, %b : memref<2048x1001xf16, #gpu>, memref<1001x8192xf16, #gpu>) outs(%c : memref<2048x8192xf32, #gpu>)
  linalg.matmul ins(%d, %e : memref<512x512xbf16, #gpu>, memref<512x512xbf16, #gpu>) outs(%f : memref<512x512xbf16, #gpu>)
  return
}
