// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s --enable-var-scope

#gpu = #hetero.device<gpu:0>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Along the fastest dimension: each warp reduces in a tree of shuffles, and one
// value per warp goes through shared memory. A thread has about eight elements:
// 1009 are worth four warps.
// CHECK-LABEL: gpu.func @kernel_0_reduce(
// CHECK-SAME:    workgroup(%[[PARTS:.*]] : memref<4xf32, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME:    known_block_size = array<i32: 128, 1, 1>
// CHECK:         arith.constant -0.0{{.*}} : f32
// CHECK:         scf.for
// CHECK-COUNT-5: gpu.shuffle xor %{{.*}} : f32
// CHECK:         memref.store %{{.*}}, %[[PARTS]]
// CHECK:         gpu.barrier
// CHECK:         memref.load %[[PARTS]]
// CHECK-COUNT-2: gpu.shuffle xor %{{.*}} : f32
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     gpu.barrier

// Short rows are a warp each and share no memory. Narrow elements are shuffled
// as 32 bits.
// CHECK-LABEL: gpu.func @kernel_1_reduce(
// CHECK-NOT:     workgroup
// CHECK-SAME:    known_block_size = array<i32: 32, 1, 1>
// CHECK:         arith.constant 0x7E00 : f16
// CHECK:         %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
// CHECK:         %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK:         gpu.shuffle xor %[[WIDE]]
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @rows(%a: memref<5x1009xf32, #gpu>, %b: memref<5xf32, #gpu>, %c: memref<7x33xf16, #gpu>, %d: memref<7xf16, #gpu>) {
  linalg.reduce {arith.addf} ins(%a : memref<5x1009xf32, #gpu>) outs(%b : memref<5xf32, #gpu>) dimensions = [1]
  linalg.reduce {arith.minnumf} ins(%c : memref<7x33xf16, #gpu>) outs(%d : memref<7xf16, #gpu>) dimensions = [1]
  return
}

// Rows of unknown number and length: a block each. What is read of the loops is
// contiguous, so that the position is not divided.
// CHECK-LABEL: gpu.func @kernel_2_reduce(
// CHECK-SAME:    workgroup(%{{.*}} : memref<8xi64, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK:         scf.for
// CHECK-NOT:       arith.remui
// CHECK:           scf.yield
// CHECK:         gpu.shuffle xor %{{.*}} : i64
func.func @dynamic_rows(%a: memref<?x?x?xi64, #gpu>, %b: memref<?xi64, #gpu>) {
  linalg.reduce {arith.maxsi} ins(%a : memref<?x?x?xi64, #gpu>) outs(%b : memref<?xi64, #gpu>) dimensions = [1, 2]
  return
}

// Along a slow dimension: lanes have a result each, next to each other in memory,
// and the warps share the reduction.
// CHECK-LABEL: gpu.func @kernel_3_reduce_mul_add(
// CHECK-SAME:    workgroup(%{{.*}} : memref<13x32xf64, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME:    known_block_size = array<i32: 416, 1, 1>
// CHECK-NOT:     gpu.shuffle
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-NOT:     gpu.shuffle
// CHECK:         gpu.return
func.func @columns(%a: memref<101x77xf64, #gpu>, %b: memref<77xf64, #gpu>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<101x77xf64, #gpu>) outs(%b : memref<77xf64, #gpu>) {
  ^bb0(%x: f64, %old: f64):
    %0 = arith.mulf %x, %x : f64
    %1 = arith.addf %0, %old : f64
    linalg.yield %1 : f64
  }
  return
}

// The lanes follow the operand that would be scattered: n of (k) x (k, n).
// CHECK-LABEL: gpu.func @kernel_4_vecmat(
// CHECK-SAME:    memref<{{[0-9]+}}x32xf32, #gpu.address_space<workgroup>>
// CHECK-LABEL: gpu.func @kernel_5_matvec(
// CHECK:         gpu.shuffle
func.func @products(%v: memref<128xf32, #gpu>, %m: memref<128x128xf32, #gpu>, %r: memref<128xf32, #gpu>) {
  linalg.vecmat ins(%v, %m : memref<128xf32, #gpu>, memref<128x128xf32, #gpu>) outs(%r : memref<128xf32, #gpu>)
  linalg.matvec ins(%m, %v : memref<128x128xf32, #gpu>, memref<128xf32, #gpu>) outs(%r : memref<128xf32, #gpu>)
  return
}

// A thread per result: short rows, columns of which there are many or who knows
// how many, and bodies whose order matters.
// CHECK-LABEL: gpu.func @kernel_6_reduce(
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @kernel_7_reduce(
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @kernel_8_reduce(
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @kernel_9_reduce_sub(
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @threads(%a: memref<900x31xf32, #gpu>, %b: memref<900xf32, #gpu>,
                   %c: memref<100x9000xf32, #gpu>, %d: memref<9000xf32, #gpu>,
                   %e: memref<100x?xf32, #gpu>, %f: memref<?xf32, #gpu>,
                   %g: memref<5x1009xf32, #gpu>, %h: memref<5xf32, #gpu>) {
  linalg.reduce {arith.addf} ins(%a : memref<900x31xf32, #gpu>) outs(%b : memref<900xf32, #gpu>) dimensions = [1]
  linalg.reduce {arith.addf} ins(%c : memref<100x9000xf32, #gpu>) outs(%d : memref<9000xf32, #gpu>) dimensions = [0]
  linalg.reduce {arith.addf} ins(%e : memref<100x?xf32, #gpu>) outs(%f : memref<?xf32, #gpu>) dimensions = [0]
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%g : memref<5x1009xf32, #gpu>) outs(%h : memref<5xf32, #gpu>) {
  ^bb0(%x: f32, %old: f32):
    %0 = arith.subf %x, %old : f32
    linalg.yield %0 : f32
  }
  return
}

// In a branch as elsewhere; an index is shuffled as 64 bits.
// CHECK-LABEL: gpu.func @kernel_10_reduce(
// CHECK:         gpu.shuffle xor %{{.*}} : i64
// CHECK-LABEL: func.func @rows
func.func @branch(%which: i1, %a: memref<?xindex, #gpu>, %b: memref<index, #gpu>) {
  scf.if %which {
    linalg.reduce {arith.minsi} ins(%a : memref<?xindex, #gpu>) outs(%b : memref<index, #gpu>) dimensions = [0]
  }
  return
}
