// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s --enable-var-scope

#gpu = #hetero.device<gpu:0>
#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>

// Contiguous operands of dynamic shape: one dimension.
// CHECK-LABEL: gpu.func @kernel_0_add(
// CHECK-NOT:     arith.divui
// CHECK-NOT:     arith.remui
func.func @dynamic(%a: memref<?x?xf32, #gpu>, %b: memref<?x?xf32, #gpu>) {
  linalg.add ins(%a, %a : memref<?x?xf32, #gpu>, memref<?x?xf32, #gpu>) outs(%b : memref<?x?xf32, #gpu>)
  return
}

// The same transposition everywhere is none.
// CHECK-LABEL: gpu.func @kernel_1_exp(
// CHECK-NOT:     arith.divui
// CHECK-NOT:     arith.remui
func.func @same_order(%a: memref<?x?xf32, #gpu>, %b: memref<?x?xf32, #gpu>) {
  linalg.generic {indexing_maps = [#swapped, #swapped], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32, #gpu>) outs(%b : memref<?x?xf32, #gpu>) {
  ^bb0(%x: f32, %old: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  return
}

// Dimensions of size one do not stand in the way.
// CHECK-LABEL: gpu.func @kernel_2_abs(
// CHECK-SAME:    %{{[^,]*}}: !llvm.ptr, %{{[^,]*}}: !llvm.ptr) kernel
// CHECK:         arith.constant 60 : index
// CHECK-NOT:     arith.divui
// CHECK-NOT:     arith.remui
func.func @units(%a: memref<1x4x1x15x1xf32, #gpu>, %b: memref<1x4x1x15x1xf32, #gpu>) {
  linalg.abs ins(%a : memref<1x4x1x15x1xf32, #gpu>) outs(%b : memref<1x4x1x15x1xf32, #gpu>)
  return
}

// A row for every i and j: these two are one, and a chunk of elements, or an
// element where there are no chunks, needs one division.
// CHECK-LABEL: gpu.func @kernel_3_add(
// CHECK:         scf.if
// CHECK:           arith.remui
// CHECK-NEXT:      arith.divui
// CHECK:           llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK:           llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// CHECK:           arith.remui
// CHECK-NEXT:      arith.divui
// CHECK:           arith.remui
// CHECK-NEXT:      arith.divui
// CHECK-NOT:       arith.remui
func.func @broadcast(%a: memref<?x?x?xf32, #gpu>, %row: memref<?xf32, #gpu>) {
  linalg.generic {indexing_maps = [#id3, affine_map<(i, j, k) -> (k)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %row : memref<?x?x?xf32, #gpu>, memref<?xf32, #gpu>) outs(%a : memref<?x?x?xf32, #gpu>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// The last two dimensions move together: a division and a remainder, not two.
// CHECK-LABEL: gpu.func @kernel_4_transpose(
// CHECK:         arith.constant 5 : index
// CHECK:         arith.remui
// CHECK:         arith.divui
// CHECK-NOT:     arith.remui
// CHECK-NOT:     arith.divui
func.func @transposed(%a: memref<5x3x7xf32, #gpu>, %b: memref<3x7x5xf32, #gpu>) {
  linalg.transpose ins(%a : memref<5x3x7xf32, #gpu>) outs(%b : memref<3x7x5xf32, #gpu>) permutation = [1, 2, 0]
  return
}

// Rows with gaps between them are walked row by row; planes without are one.
// CHECK-LABEL: gpu.func @kernel_5_exp(
// CHECK:         arith.remui
// CHECK:         arith.divui
// CHECK-NOT:     arith.remui
// CHECK-LABEL: gpu.func @kernel_6_exp(
// CHECK-NOT:     arith.remui
func.func @strided(%a: memref<3x7xf32, strided<[8, 1]>, #gpu>, %b: memref<3x7xf32, strided<[14, 2], offset: 3>, #gpu>) {
  linalg.exp ins(%a : memref<3x7xf32, strided<[8, 1]>, #gpu>) outs(%a : memref<3x7xf32, strided<[8, 1]>, #gpu>)
  linalg.exp ins(%b : memref<3x7xf32, strided<[14, 2], offset: 3>, #gpu>) outs(%b : memref<3x7xf32, strided<[14, 2], offset: 3>, #gpu>)
  return
}

// A body that asks for its row keeps rows and columns apart.
// CHECK-LABEL: gpu.func @kernel_7_fill(
// CHECK-NOT:     arith.remui
// CHECK:         %[[ROW:.*]] = arith.divui
// CHECK:         arith.index_cast %[[ROW]] : index to i32
func.func @indexed(%a: memref<3x7xi32, #gpu>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%a : memref<3x7xi32, #gpu>) {
  ^bb0(%old: i32):
    %row = linalg.index 0 : index
    %0 = arith.index_cast %row : index to i32
    linalg.yield %0 : i32
  }
  return
}

// The loops around a reduction collapse as well, in a branch as elsewhere.
// CHECK-LABEL: gpu.func @kernel_8_reduce_add(
// CHECK-NOT:     arith.remui
// CHECK-NOT:     arith.divui
// CHECK:         scf.for
// CHECK-NOT:     arith.remui
// CHECK:         gpu.return
// CHECK-LABEL: func.func @dynamic
func.func @reduction(%which: i1, %a: memref<?x?x3xf32, #gpu>, %b: memref<?x?xf32, #gpu>) {
  scf.if %which {
    linalg.generic {indexing_maps = [#id3, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a : memref<?x?x3xf32, #gpu>) outs(%b : memref<?x?xf32, #gpu>) {
    ^bb0(%x: f32, %old: f32):
      %0 = arith.addf %x, %old : f32
      linalg.yield %0 : f32
    }
  }
  return
}
