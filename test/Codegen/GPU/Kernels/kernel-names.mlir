// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s

!vector = memref<8xf32, #hetero.device<gpu:0>>
!matrix = memref<4x8xf32, #hetero.device<gpu:0>>
!turned = memref<8x4xf32, #hetero.device<gpu:0>>
!ints = memref<8xi32, #hetero.device<gpu:0>>
#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#swapped = affine_map<(i, j) -> (j, i)>

// A named operation gives its name.
// CHECK: gpu.func @kernel_0_add(
func.func @named(%a: !vector) {
  linalg.add ins(%a, %a : !vector, !vector) outs(%a : !vector)
  return
}

// Any other is named by its body: operations in order, without the types that
// they work on, without constants, casts and what computes positions.
// CHECK: gpu.func @kernel_1_add_sub_exp(
// CHECK: gpu.func @kernel_2_max_select(
func.func @bodies(%a: !vector, %b: !vector, %i: !ints) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : !vector) outs(%b : !vector) {
  ^bb0(%x: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %0 = arith.addf %x, %one : f32
    %1 = arith.addf %0, %x : f32
    %2 = arith.subf %1, %x : f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%i : !ints) {
  ^bb0(%old: i32):
    %0 = linalg.index 0 : index
    %1 = arith.muli %0, %0 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.maxsi %2, %old : i32
    %less = arith.constant true
    %4 = arith.select %less, %3, %old : i32
    linalg.yield %4 : i32
  }
  return
}

// A reduction says so; products of matrices have their usual names.
// CHECK: gpu.func @kernel_3_reduce_maximum(
// CHECK: gpu.func @kernel_4_matvec(
func.func @reductions(%a: !matrix, %v: !vector, %r: memref<4xf32, #hetero.device<gpu:0>>) {
  linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : !matrix) outs(%r : memref<4xf32, #hetero.device<gpu:0>>) {
  ^bb0(%x: f32, %old: f32):
    %0 = arith.maximumf %old, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id2, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %v : !matrix, !vector) outs(%r : memref<4xf32, #hetero.device<gpu:0>>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %old, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// A body without work moves data.
// CHECK: gpu.func @kernel_5_fill(
// CHECK: gpu.func @kernel_6_broadcast(
// CHECK: gpu.func @kernel_7_transpose(
// CHECK: gpu.func @kernel_8_copy(
func.func @moves(%s: f32, %a: !matrix, %b: !matrix, %v: !vector, %t: !turned) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%s : f32) outs(%a : !matrix) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#column, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%v : !vector) outs(%a : !matrix) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#swapped, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%t : !turned) outs(%a : !matrix) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%b : !matrix) outs(%a : !matrix) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// The length is bounded, and every name is an identifier of PTX.
// CHECK: gpu.func @_2nd_main_1_9_tanh_sqrt_tanh_sqrt_tanh_sqrt_tanh_sqrt_tanh_sqrt_and_more(
func.func @long(%a: !vector) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : !vector)
      attrs = {hetero.region = "2nd main.1"} {
  ^bb0(%old: f32):
    %0 = math.tanh %old : f32
    %1 = math.sqrt %0 : f32
    %2 = math.tanh %1 : f32
    %3 = math.sqrt %2 : f32
    %4 = math.tanh %3 : f32
    %5 = math.sqrt %4 : f32
    %6 = math.tanh %5 : f32
    %7 = math.sqrt %6 : f32
    %8 = math.tanh %7 : f32
    %9 = math.sqrt %8 : f32
    %10 = math.tanh %9 : f32
    linalg.yield %10 : f32
  }
  return
}

// What runs on the host has no kernel, in branches as elsewhere.
// CHECK: gpu.func @branch_gpu0_10_mul(
// CHECK-NOT: gpu.func
// CHECK-LABEL: func.func @named
func.func @branches(%which: i1, %a: !vector, %h: memref<8xf32>) {
  scf.if %which {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : !vector)
        attrs = {hetero.region = "branch_gpu0"} {
    ^bb0(%old: f32):
      %0 = scf.if %which -> f32 {
        %1 = arith.mulf %old, %old : f32
        scf.yield %1 : f32
      } else {
        scf.yield %old : f32
      }
      linalg.yield %0 : f32
    }
  } else {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%h : memref<8xf32>) {
    ^bb0(%old: f32):
      %0 = arith.mulf %old, %old : f32
      linalg.yield %0 : f32
    }
  }
  return
}
