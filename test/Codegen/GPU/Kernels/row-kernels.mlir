// RUN: hetero-opt %s --convert-hetero-to-gpu -o %t
// RUN: FileCheck %s --enable-var-scope --input-file=%t
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t

#gpu = #hetero.device<gpu:0>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A softmax is one kernel: what it stores first is in registers, and the buffers
// of a number per row are gone. Rows that start elsewhere than at multiples of 16
// bytes go through loops.
// CHECK-LABEL: gpu.func @kernel_0_rows_maxnum_sub_exp_add_div(
// CHECK-SAME:    workgroup(%[[MAX:.*]] : memref<8xf32, #gpu.address_space<workgroup>>, %[[SUM:.*]] : memref<8xf32, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK:         scf.if
// CHECK:           llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT:       llvm.load
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK:           memref.store %{{.*}}, %[[MAX]]
// CHECK:           gpu.barrier
// CHECK-COUNT-3:   gpu.shuffle xor
// CHECK-COUNT-4:   math.exp
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK:           memref.store %{{.*}}, %[[SUM]]
// CHECK:           gpu.barrier
// CHECK-COUNT-3:   gpu.shuffle xor
// CHECK-COUNT-4:   arith.divf
// CHECK:           llvm.store {{.*}} : vector<4xf32>
// CHECK-NOT:       llvm.store
// CHECK:         else
// CHECK-COUNT-3:   scf.for

// Nothing else is launched or allocated.
// HOST-LABEL: func.func @softmax
// HOST-NOT:      memref<64xf32>
// HOST:         gpu.launch_func @hetero_kernels::@kernel_0_rows_maxnum_sub_exp_add_div
// HOST-NOT:     gpu.launch_func
// HOST:         return
func.func @softmax(%x: memref<64x1000xf32, #gpu>) -> memref<64x1000xf32, #gpu> {
  %inf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<64x1000xf32, #gpu>
  %m = memref.alloc() : memref<64xf32, #gpu>
  linalg.fill ins(%inf : f32) outs(%m : memref<64xf32, #gpu>)
  linalg.reduce {arith.maxnumf} ins(%x : memref<64x1000xf32, #gpu>) outs(%m : memref<64xf32, #gpu>) dimensions = [1]
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : memref<64x1000xf32, #gpu>, memref<64xf32, #gpu>) outs(%y : memref<64x1000xf32, #gpu>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  memref.dealloc %m : memref<64xf32, #gpu>
  %s = memref.alloc() : memref<64xf32, #gpu>
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32, #gpu>)
  linalg.reduce {arith.addf} ins(%y : memref<64x1000xf32, #gpu>) outs(%s : memref<64xf32, #gpu>) dimensions = [1]
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %s : memref<64x1000xf32, #gpu>, memref<64xf32, #gpu>) outs(%y : memref<64x1000xf32, #gpu>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  }
  memref.dealloc %s : memref<64xf32, #gpu>
  return %y : memref<64x1000xf32, #gpu>
}

// Short rows: several per warp, which share no memory. A copy of what was filled
// is a fill, and as such part of the reduction. The producer's result is stored,
// since it is returned.
// CHECK-LABEL: gpu.func @kernel_2_rows_mul_add(
// CHECK-NOT:     workgroup
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-2: gpu.shuffle xor
// CHECK:         llvm.store {{.*}} : f32
// CHECK:         llvm.store {{.*}} : vector<4xf32>
// HOST-LABEL: func.func @producer
// HOST-COUNT-2: gpu.launch_func
// HOST-NOT:     gpu.launch_func
// HOST:         return
func.func @producer(%x: memref<4096x16xf32, #gpu>) -> (memref<4096xf32, #gpu>, memref<4096x16xf32, #gpu>, memref<4096xf32, #gpu>) {
  %zero = arith.constant 0.0 : f32
  %filled = memref.alloc() : memref<4096xf32, #gpu>
  linalg.fill ins(%zero : f32) outs(%filled : memref<4096xf32, #gpu>)
  %s = memref.alloc() : memref<4096xf32, #gpu>
  linalg.copy ins(%filled : memref<4096xf32, #gpu>) outs(%s : memref<4096xf32, #gpu>)
  %y = memref.alloc() : memref<4096x16xf32, #gpu>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4096x16xf32, #gpu>) outs(%y : memref<4096x16xf32, #gpu>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.mulf %a, %a : f32
    linalg.yield %d : f32
  }
  linalg.reduce {arith.addf} ins(%y : memref<4096x16xf32, #gpu>) outs(%s : memref<4096xf32, #gpu>) dimensions = [1]
  return %s, %y, %filled : memref<4096xf32, #gpu>, memref<4096x16xf32, #gpu>, memref<4096xf32, #gpu>
}

// Not a chain: what may be the same memory at other places, columns, old results
// that are not known, a wait of the host, and a stream that waits for the work.
// HOST-LABEL: func.func @apart
// HOST-COUNT-11: gpu.launch_func
// HOST-NOT:     gpu.launch_func
// HOST:         return
func.func @apart(%x: memref<64x100xf32, #gpu>, %y: memref<64x100xf32, #gpu>, %r: memref<64xf32, #gpu>, %c: memref<100xf32, #gpu>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64xf32, #gpu>
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32, #gpu>)
  linalg.reduce {arith.addf} ins(%x : memref<64x100xf32, #gpu>) outs(%s : memref<64xf32, #gpu>) dimensions = [1]
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<64x100xf32, #gpu>, memref<64xf32, #gpu>) outs(%y : memref<64x100xf32, #gpu>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  }
  memref.dealloc %s : memref<64xf32, #gpu>
  %k = memref.alloc() : memref<100xf32, #gpu>
  linalg.fill ins(%zero : f32) outs(%k : memref<100xf32, #gpu>)
  linalg.reduce {arith.addf} ins(%x : memref<64x100xf32, #gpu>) outs(%k : memref<100xf32, #gpu>) dimensions = [0]
  linalg.copy ins(%k : memref<100xf32, #gpu>) outs(%c : memref<100xf32, #gpu>)
  memref.dealloc %k : memref<100xf32, #gpu>
  linalg.reduce {arith.addf} ins(%x : memref<64x100xf32, #gpu>) outs(%r : memref<64xf32, #gpu>) dimensions = [1]
  %t = memref.alloc() : memref<64xf32, #gpu>
  %z = memref.alloc() : memref<64x100xf32, #gpu>
  linalg.fill ins(%zero : f32) outs(%t : memref<64xf32, #gpu>)
  linalg.reduce {arith.addf} ins(%x : memref<64x100xf32, #gpu>) outs(%t : memref<64xf32, #gpu>) dimensions = [1]
  hetero.wait on #gpu
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t : memref<64x100xf32, #gpu>, memref<64xf32, #gpu>) outs(%z : memref<64x100xf32, #gpu>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  }
  linalg.fill ins(%zero : f32) outs(%t : memref<64xf32, #gpu>)
  linalg.reduce {arith.addf} ins(%z : memref<64x100xf32, #gpu>) outs(%t : memref<64xf32, #gpu>) dimensions = [1]
  hetero.order #hetero.device<gpu:0, unit = "copy"> after #gpu
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %t : memref<64x100xf32, #gpu>, memref<64xf32, #gpu>) outs(%z : memref<64x100xf32, #gpu>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  }
  linalg.copy ins(%z : memref<64x100xf32, #gpu>) outs(%y : memref<64x100xf32, #gpu>)
  memref.dealloc %z : memref<64x100xf32, #gpu>
  memref.dealloc %t : memref<64xf32, #gpu>
  return
}
