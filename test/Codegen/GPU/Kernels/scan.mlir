// A result that moves along a reduction is stored in each iteration; the one
// that does not is in a register.

// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s

#gpu0 = #hetero.device<gpu:0>

// CHECK-LABEL: gpu.func
// CHECK: %[[FIRST:.*]] = llvm.load {{.*}} : !llvm.ptr{{.*}} -> f32
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]]) -> (f32) {
// CHECK:   %[[NEXT:.*]] = arith.addf %[[SUM]], %{{.*}} : f32
// CHECK:   llvm.store %[[NEXT]]
// CHECK:   scf.yield %[[NEXT]] : f32
// CHECK: }
// CHECK: llvm.store %[[LAST]]
func.func @running_sum(%x: memref<64x4xf32, #gpu0>, %y: memref<64x4xf32, #gpu0>, %s: memref<64xf32, #gpu0>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x4xf32, #gpu0>) outs(%y, %s : memref<64x4xf32, #gpu0>, memref<64xf32, #gpu0>) {
  ^bb0(%in: f32, %out: f32, %sum: f32):
    %0 = arith.addf %sum, %in : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}
