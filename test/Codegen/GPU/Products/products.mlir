// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --convert-hetero-to-gpu=allow-tf32 | FileCheck %s --check-prefix=ALLOWED

#gpu = #hetero.device<gpu:0>
!a = memref<2048x1024xf32, #gpu>
!b = memref<1024x2048xf32, #gpu>
!c = memref<2048x2048xf32, #gpu>

// Threads multiply f32, from chunks of 16 bytes, also where an operand is not at
// multiples of them.
// CHECK-LABEL: gpu.func @kernel_0_matmul(
// CHECK-SAME:    workgroup(%{{.*}} : memref<49152xi8, #gpu.address_space<workgroup>>
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK:         nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK:         nvvm.cp.async.shared.global {{.*}}, 4, cache = ca
// CHECK-NOT:     nvvm.mma.sync
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK:         llvm.intr.fma
// CHECK:         gpu.return
// ALLOWED-LABEL: gpu.func @kernel_0_matmul(
// ALLOWED:         nvvm.mma.sync
// ALLOWED:         gpu.return
func.func @exact(%a: !a, %b: !b, %c: !c) {
  linalg.matmul ins(%a, %b : !a, !b) outs(%c : !c)
  return
}

// Where it is allowed, tensor cores take f32 as tf32, rounded to nearest. The
// innermost attribute decides, also against the option.
// CHECK-LABEL: gpu.func @kernel_1_matmul(
// CHECK-SAME:    known_block_size = array<i32: 128, 1, 1>
// CHECK:         nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK:         nvvm.convert.float.to.tf32 {{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK:         nvvm.mma.sync
// CHECK-SAME:        multiplicandAPtxType = #nvvm.mma_type<tf32>
// CHECK-SAME:        shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-LABEL: gpu.func @kernel_2_matmul(
// CHECK-NOT:     nvvm.mma.sync
// CHECK:         gpu.return
// ALLOWED-LABEL: gpu.func @kernel_2_matmul(
// ALLOWED-NOT:     nvvm.mma.sync
// ALLOWED:         gpu.return
func.func @rounded(%a: !a, %b: !b, %c: !c) attributes {hetero.allow_tf32} {
  linalg.matmul ins(%a, %b : !a, !b) outs(%c : !c)
  linalg.matmul {hetero.allow_tf32 = false} ins(%a, %b : !a, !b) outs(%c : !c)
  return
}

// Bytes are signed or not, each operand as it is extended. Those that lie along
// their lines are transposed by fours.
// CHECK-LABEL: gpu.func @kernel_3_matmul(
// CHECK:         nvvm.prmt
// CHECK:         nvvm.mma.sync
// CHECK-SAME:        intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>
// CHECK-SAME:        multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>
// CHECK-SAME:        shape = #nvvm.shape<m = 16, n = 8, k = 32>
// CHECK:         arith.addi {{.*}} : i32
func.func @bytes(%a: memref<2048x1024xi8, #gpu>, %b: memref<1024x2048xi8, #gpu>, %c: memref<2048x2048xi32, #gpu>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2048x1024xi8, #gpu>, memref<1024x2048xi8, #gpu>) outs(%c : memref<2048x2048xi32, #gpu>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %old, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// Where there are few blocks, several share the steps of each: 6 here, of 16
// steps. Another kernel adds their sums, fills, and works on the result.
// CHECK-LABEL: gpu.func @kernel_4_matmul_parts(
// CHECK:         nvvm.mma.sync
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-LABEL: gpu.func @kernel_5_matmul_maximum_sums(
// CHECK:         scf.for %{{.*}} = %c1{{.*}} to %c6{{.*}} step
// CHECK-COUNT-4: arith.addf
// CHECK:         scf.yield
// CHECK:         arith.maximumf
// CHECK-LABEL: func.func @split
// CHECK:         %[[WORKSPACE:.*]] = gpu.alloc () {hetero.device = #hetero.device<gpu:0>} : memref<6x1x128x768xf32>
// CHECK:         gpu.launch_func @hetero_kernels::@kernel_4_matmul_parts blocks in (%c144{{.*}})
// CHECK:         gpu.launch_func @hetero_kernels::@kernel_5_matmul_maximum_sums
// CHECK:         gpu.dealloc %[[WORKSPACE]]
func.func @split(%a: memref<128x3072xf16, #gpu>, %b: memref<3072x768xf16, #gpu>) -> memref<128x768xf32, #gpu> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<128x768xf32, #gpu>
  linalg.fill ins(%zero : f32) outs(%c : memref<128x768xf32, #gpu>)
  linalg.matmul ins(%a, %b : memref<128x3072xf16, #gpu>, memref<3072x768xf16, #gpu>) outs(%c : memref<128x768xf32, #gpu>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%c : memref<128x768xf32, #gpu>) {
  ^bb0(%old: f32):
    %0 = arith.maximumf %old, %zero : f32
    linalg.yield %0 : f32
  }
  return %c : memref<128x768xf32, #gpu>
}
