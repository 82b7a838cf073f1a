// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --convert-hetero-to-gpu=chip=sm_75 | FileCheck %s --check-prefix=OLD

#gpu = #hetero.device<gpu:0>

// Chunks of 16 bytes go to shared memory while those before are multiplied. Where
// the operands are not at multiples of 16 bytes, elements do.
// CHECK-LABEL: gpu.func @kernel_0_matmul(
// CHECK-SAME:    workgroup(%{{.*}} : memref<49152xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK:         nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, {{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK:         nvvm.cp.async.commit.group
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK:           gpu.barrier
// CHECK:           nvvm.cp.async.shared.global
// CHECK:           llvm.load {{.*}} -> f16
// CHECK:           nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK:           nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK:           nvvm.mma.sync
// CHECK-SAME:        shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-LABEL: gpu.func @kernel_1_matmul(
// CHECK-NOT:     nvvm.cp.async.shared.global
// CHECK:         gpu.return
// OLD-NOT:     nvvm.mma.sync
func.func @products(%a: memref<2048x1024xf16, #gpu>, %b: memref<1024x2048xf16, #gpu>, %c: memref<2048x2048xf32, #gpu>,
                    %d: memref<33x47xf16, #gpu>, %e: memref<47x53xf16, #gpu>, %f: memref<33x53xf16, #gpu>) {
  linalg.matmul ins(%a, %b : memref<2048x1024xf16, #gpu>, memref<1024x2048xf16, #gpu>) outs(%c : memref<2048x2048xf32, #gpu>)
  linalg.matmul ins(%d, %e : memref<33x47xf16, #gpu>, memref<47x53xf16, #gpu>) outs(%f : memref<33x53xf16, #gpu>)
  return
}

// Other sums are not for them: of f32, of other products, of few elements.
// CHECK-LABEL: gpu.func @kernel_2_matmul(
// CHECK-NOT:     nvvm.mma.sync
// CHECK-LABEL: func.func @products
func.func @others(%a: memref<64x64xf32, #gpu>, %b: memref<64x64xf16, #gpu>, %c: memref<64x4xf16, #gpu>, %d: memref<64x4xf32, #gpu>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32, #gpu>, memref<64x64xf32, #gpu>) outs(%a : memref<64x64xf32, #gpu>)
  linalg.matmul ins(%b, %c : memref<64x64xf16, #gpu>, memref<64x4xf16, #gpu>) outs(%d : memref<64x4xf32, #gpu>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b, %b : memref<64x64xf16, #gpu>, memref<64x64xf16, #gpu>) outs(%b : memref<64x64xf16, #gpu>) {
  ^bb0(%x: f16, %y: f16, %old: f16):
    %0 = arith.mulf %x, %y : f16
    %1 = arith.maximumf %old, %0 : f16
    linalg.yield %1 : f16
  }
  return
}
