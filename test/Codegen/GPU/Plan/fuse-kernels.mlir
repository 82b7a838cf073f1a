// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s --enable-var-scope

#gpu = #hetero.device<gpu:0>
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
!a = memref<64x64xf16, #gpu>
!c = memref<64x64xf32, #gpu>
!bias = memref<64xf32, #gpu>

// What fills the result and what works on it in place are parts of the product's
// kernel, which then reads no old results. Copies of something else may stand
// between.
// CHECK-LABEL: gpu.func @kernel_0_matmul_add(
// CHECK:         nvvm.mma.sync
// CHECK-NOT:     llvm.load {{.*}} !llvm.ptr -> vector<4xf32>
// CHECK:         llvm.load {{.*}} !llvm.ptr<3> -> vector<4xf32>
// CHECK:         %[[BIAS:.*]] = llvm.load {{.*}} !llvm.ptr -> vector<4xf32>
// CHECK-NOT:     llvm.load {{.*}} !llvm.ptr -> vector<4xf32>
// CHECK:         llvm.store {{.*}} : vector<4xf32>, !llvm.ptr
// CHECK:         gpu.return
func.func @fused(%a: !a, %bias: !bias, %h: memref<64x64xf16>, %zero: f32) -> !c {
  %c = memref.alloc() : !c
  %b = memref.alloc() : !a
  linalg.fill ins(%zero : f32) outs(%c : !c)
  memref.copy %h, %b : memref<64x64xf16> to !a
  linalg.matmul ins(%a, %b : !a, !a) outs(%c : !c)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%bias : !bias) outs(%c : !c) {
  ^bb0(%x: f32, %old: f32):
    %0 = arith.addf %x, %old : f32
    linalg.yield %0 : f32
  }
  return %c : !c
}

// Parts of an arena that do not overlap are something else, too.
// CHECK-LABEL: gpu.func @kernel_1_matmul_add(
func.func @arena(%a: !a) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 16384 : index
  %arena = memref.alloc() : memref<16640xi8, #gpu>
  %c = memref.view %arena[%c0][] : memref<16640xi8, #gpu> to !c
  %bias = memref.view %arena[%c1][] : memref<16640xi8, #gpu> to !bias
  linalg.matmul ins(%a, %a : !a, !a) outs(%c : !c)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%bias : !bias) outs(%c : !c) {
  ^bb0(%x: f32, %old: f32):
    %0 = arith.addf %x, %old : f32
    linalg.yield %0 : f32
  }
  return
}

// What reads the filled buffer before, or may, what follows an order between
// streams, and what reads the result in another way stay what they are.
// CHECK-LABEL: gpu.func @kernel_2_fill(
// CHECK-LABEL: gpu.func @kernel_3_add(
// CHECK-LABEL: gpu.func @kernel_4_matmul(
// CHECK-LABEL: gpu.func @kernel_5_exp(
// CHECK-LABEL: gpu.func @kernel_6_fill(
// CHECK-LABEL: gpu.func @kernel_7_copy(
// CHECK-LABEL: gpu.func @kernel_8_matmul(
// CHECK-LABEL: gpu.func @kernel_9_add(
// CHECK-LABEL: func.func @fused
func.func @apart(%a: !a, %d: !c, %e: !c, %zero: f32) {
  %c = memref.alloc() : !c
  linalg.fill ins(%zero : f32) outs(%c : !c)
  linalg.add ins(%c, %d : !c, !c) outs(%d : !c)
  linalg.matmul ins(%a, %a : !a, !a) outs(%c : !c)
  hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:0, unit = "copy in">
  linalg.exp ins(%c : !c) outs(%c : !c)
  linalg.fill ins(%zero : f32) outs(%d : !c)
  memref.copy %e, %d : !c to !c
  linalg.matmul ins(%a, %a : !a, !a) outs(%d : !c)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%d : !c) outs(%d : !c) {
  ^bb0(%x: f32, %old: f32):
    %0 = arith.addf %x, %old : f32
    linalg.yield %0 : f32
  }
  return
}
