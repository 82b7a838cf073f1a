// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s --enable-var-scope

#gpu = #hetero.device<gpu:0>

// Of small tiles, and of those whose elements are copied one by one, a multiprocessor
// holds as many blocks as have registers enough: an assembler would aim at more.
// CHECK-LABEL: gpu.func @kernel_0_matmul(
// CHECK-SAME:    known_block_size = array<i32: 128, 1, 1>
// CHECK-SAME:    nvvm.minctasm = 4 : i32
// CHECK-LABEL: gpu.func @kernel_1_matmul(
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK-SAME:    nvvm.minctasm = 1 : i32
// CHECK-LABEL: gpu.func @kernel_2_matmul(
// CHECK-SAME:    nvvm.minctasm = 2 : i32
// CHECK-LABEL: gpu.func @kernel_3_matmul(
// CHECK-NOT:     minctasm
// CHECK-LABEL: func.func @resident
func.func @resident(%a: memref<64x64xf32, #gpu>, %b: memref<2047x2047xf32, #gpu>, %c: memref<63x63xf16, #gpu>, %d: memref<64x64xf16, #gpu>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32, #gpu>, memref<64x64xf32, #gpu>) outs(%a : memref<64x64xf32, #gpu>)
  linalg.matmul ins(%b, %b : memref<2047x2047xf32, #gpu>, memref<2047x2047xf32, #gpu>) outs(%b : memref<2047x2047xf32, #gpu>)
  linalg.matmul ins(%c, %c : memref<63x63xf16, #gpu>, memref<63x63xf16, #gpu>) outs(%c : memref<63x63xf16, #gpu>)
  linalg.matmul ins(%d, %d : memref<64x64xf16, #gpu>, memref<64x64xf16, #gpu>) outs(%d : memref<64x64xf16, #gpu>)
  return
}
