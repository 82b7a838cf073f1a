// RUN: hetero-opt %s --hetero-hoist-loop-products --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-hoist-loop-products --hetero-hoist-loop-products --split-input-file | FileCheck %s

// Acts: the product of a step's input moves with the transposed weights that it
// reads, and its bias; what reads the state stays.
// CHECK-LABEL: func.func @cell
// CHECK-SAME:    %[[ALL:[a-z0-9]+]]: tensor<6x8xf32>, %[[W:[a-z0-9]+]]: tensor<4x8xf32>, %[[R:[a-z0-9]+]]: tensor<4x4xf32>
// CHECK-DAG:     %[[STEPS:.*]] = tensor.expand_shape %[[ALL]] {{\[}}[0, 1], [2]] output_shape [6, 1, 8]
// CHECK-DAG:     %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<4x8xf32>)
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<6x1x4xf32>
// CHECK:         %[[PRODUCTS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK-SAME:      ins(%[[STEPS]], %[[T]] : tensor<6x1x8xf32>, tensor<8x4xf32>) outs(%[[ZEROS]] : tensor<6x1x4xf32>)
// CHECK:         %[[BIASED:.*]] = linalg.generic {{.*}} ins(%[[PRODUCTS]], %{{.*}} : tensor<6x1x4xf32>, tensor<4xf32>)
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[H:.*]] = %
// CHECK-NOT:       transpose
// CHECK:           tensor.extract_slice %[[BIASED]][%[[I]], 0, 0] [1, 1, 4] [1, 1, 1] : tensor<6x1x4xf32> to tensor<1x4xf32>
// CHECK:           linalg.matmul ins(%[[H]], %[[R]]
// CHECK-NOT:       linalg.matmul
// CHECK:           scf.yield
func.func @cell(%all: tensor<6x8xf32>, %w: tensor<4x8xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %h: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %h) -> tensor<1x4xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %e = tensor.empty() : tensor<8x4xf32>
    %t = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %o = tensor.empty() : tensor<1x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
    %p = linalg.matmul ins(%x, %t : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %g = linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<1x4xf32>, tensor<4xf32>) outs(%o : tensor<1x4xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %sum = arith.addf %u, %v : f32
      linalg.yield %sum : f32
    } -> tensor<1x4xf32>
    %q = linalg.matmul ins(%s, %r : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %n = linalg.add ins(%g, %q : tensor<1x4xf32>, tensor<1x4xf32>) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %n : tensor<1x4xf32>
  }
  return %0 : tensor<1x4xf32>
}

// -----

// An index that is counted from the end if it is negative, and clamped, is the
// number of the step; the unit dimension of a slice is collapsed.
// CHECK-LABEL: func.func @clamped
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x2x8xf32>, tensor<8x4xf32>)
// CHECK:         scf.for
// CHECK-NOT:       linalg.matmul
// CHECK:           scf.yield
func.func @clamped(%all: tensor<6x2x8xf32>, %w: tensor<8x4xf32>, %z: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %first = arith.constant 0 : i64
  %steps = arith.constant 6 : i64
  %last = arith.constant 5 : i32
  %0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %z) -> tensor<2x4xf32> {
    %1 = arith.index_cast %i : index to i64
    %2 = arith.cmpi slt, %1, %first : i64
    %3 = arith.extui %2 : i1 to i64
    %4 = arith.muli %3, %steps : i64
    %5 = arith.addi %1, %4 : i64
    %6 = arith.cmpi slt, %5, %first : i64
    %7 = arith.select %6, %first, %5 : i64
    %8 = arith.trunci %7 : i64 to i32
    %9 = arith.minsi %8, %last : i32
    %10 = arith.index_cast %9 : i32 to index
    %part = tensor.extract_slice %all[%10, 0, 0] [1, 2, 8] [1, 1, 1] : tensor<6x2x8xf32> to tensor<1x2x8xf32>
    %x = tensor.collapse_shape %part [[0, 1], [2]] : tensor<1x2x8xf32> into tensor<2x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = linalg.add ins(%p, %s : tensor<2x4xf32>, tensor<2x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.yield %n : tensor<2x4xf32>
  }
  return %0 : tensor<2x4xf32>
}

// -----

// Must not act: other indices, weights of the step, sums that go on, and products
// of the state.
// CHECK-LABEL: func.func @other_indices
// CHECK-NOT:     linalg.generic
// CHECK:         scf.for
// CHECK-COUNT-4:   linalg.matmul
func.func @other_indices(%all: tensor<6x8xf32>, %ws: tensor<6x8x4xf32>, %w: tensor<8x4xf32>, %z: tensor<1x4xf32>, %y: tensor<1x8xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %z) -> tensor<1x4xf32> {
    %next = arith.addi %i, %c1 : index
    %x = tensor.extract_slice %all[%next, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
    %back = arith.subi %c5, %i : index
    %u = tensor.extract_slice %all[%back, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %q = linalg.matmul ins(%u, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %v = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %k = tensor.extract_slice %ws[%i, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<6x8x4xf32> to tensor<8x4xf32>
    %r = linalg.matmul ins(%v, %k : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %t = linalg.matmul ins(%v, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%p : tensor<1x4xf32>) -> tensor<1x4xf32>
    %a = linalg.add ins(%p, %q : tensor<1x4xf32>, tensor<1x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %b = linalg.add ins(%a, %r : tensor<1x4xf32>, tensor<1x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %n = linalg.add ins(%b, %t : tensor<1x4xf32>, tensor<1x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %n : tensor<1x4xf32>
  }
  return %0 : tensor<1x4xf32>
}

// -----

// Must not act: how many steps there are is not known, they are not one apart, or
// there is one.
// CHECK-LABEL: func.func @other_loops
// CHECK-NOT:     linalg.generic
// CHECK-COUNT-3: linalg.matmul
func.func @other_loops(%all: tensor<6x8xf32>, %w: tensor<8x4xf32>, %z: tensor<1x4xf32>, %end: index) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %0 = scf.for %i = %c0 to %end step %c1 iter_args(%s = %z) -> tensor<1x4xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %p : tensor<1x4xf32>
  }
  %1 = scf.for %i = %c0 to %c6 step %c2 iter_args(%s = %z) -> tensor<1x4xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %p : tensor<1x4xf32>
  }
  %2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %z) -> tensor<1x4xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %p : tensor<1x4xf32>
  }
  return %0, %1, %2 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// Must not act: the results of all steps take more than 64 MiB.
// CHECK-LABEL: func.func @large
// CHECK-NOT:     linalg.generic
// CHECK:         linalg.matmul
func.func @large(%all: tensor<4097x8xf32>, %w: tensor<8x4096xf32>, %z: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4097 : index
  %0 = scf.for %i = %c0 to %end step %c1 iter_args(%s = %z) -> tensor<1x4096xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<4097x8xf32> to tensor<1x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4096xf32>) outs(%z : tensor<1x4096xf32>) -> tensor<1x4096xf32>
    scf.yield %p : tensor<1x4096xf32>
  }
  return %0 : tensor<1x4096xf32>
}

// -----

// Annotations and locations move with what has them.
// CHECK-LABEL: func.func @annotated
// CHECK:         linalg.fill {hetero.device = #hetero.device<gpu:1>}
// CHECK:         linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:0>}
// CHECK:         scf.for
// CHECK-NOT:     linalg.matmul
func.func @annotated(%all: tensor<6x8xf32>, %w: tensor<8x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %h) -> tensor<1x4xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %o = tensor.empty() : tensor<1x4xf32>
    %z = linalg.fill {hetero.device = #hetero.device<gpu:1>} ins(%zero : f32) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
    %p = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    %n = linalg.max ins(%p, %s : tensor<1x4xf32>, tensor<1x4xf32>) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %n : tensor<1x4xf32>
  }
  return %0 : tensor<1x4xf32>
}

// -----

// Control flow: of loops in loops, each has its own steps, and what is in a branch
// stays there.
// CHECK-LABEL: func.func @nested
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}} tensor<6x1x8xf32>, tensor<8x4xf32>
// CHECK:           scf.for
// CHECK-NOT:         linalg.matmul
// CHECK:             scf.if
// CHECK:               linalg.matmul
func.func @nested(%all: tensor<6x8xf32>, %w: tensor<8x4xf32>, %z: tensor<1x4xf32>, %n: index, %c: i1) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %0 = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> tensor<1x4xf32> {
    %1 = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %t) -> tensor<1x4xf32> {
      %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
      %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
      %q = scf.if %c -> tensor<1x4xf32> {
        %r = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
        scf.yield %r : tensor<1x4xf32>
      } else {
        scf.yield %p : tensor<1x4xf32>
      }
      scf.yield %q : tensor<1x4xf32>
    }
    scf.yield %1 : tensor<1x4xf32>
  }
  return %0 : tensor<1x4xf32>
}

// -----

// Calls: what a call makes is the step's own, its arguments may be parts.
// CHECK-LABEL: func.func @calls
// CHECK:         scf.for
// CHECK:           %[[PART:.*]] = tensor.extract_slice
// CHECK:           %[[MADE:.*]] = func.call @make(%[[PART]])
// CHECK:           linalg.matmul ins(%[[MADE]]
func.func private @make(tensor<1x8xf32>) -> tensor<1x8xf32>
func.func @calls(%all: tensor<6x8xf32>, %w: tensor<8x4xf32>, %z: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %z) -> tensor<1x4xf32> {
    %x = tensor.extract_slice %all[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
    %y = func.call @make(%x) : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %p = linalg.matmul ins(%y, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %p : tensor<1x4xf32>
  }
  return %0 : tensor<1x4xf32>
}

// What all steps do stands where annotations have each of them, and none of
// these is lost.
// CHECK-LABEL: func.func @annotated
// CHECK:         tensor.collapse_shape {{.*}}{hetero.device = #hetero.device<cpu>}
// CHECK:         linalg.generic {{.*}}hetero.device = #hetero.device<gpu:0>
// CHECK:         scf.for
// CHECK-NOT:       linalg.matmul
// CHECK:         return
func.func @annotated(%x: tensor<3x1x2xf32>, %w: tensor<2x4xf32>, %start: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %start) -> tensor<1x4xf32> {
    %part = tensor.extract_slice %x[%i, 0, 0] [1, 1, 2] [1, 1, 1] {hetero.device = #hetero.device<gpu:0>} : tensor<3x1x2xf32> to tensor<1x1x2xf32>
    %row = tensor.collapse_shape %part [[0, 1], [2]] {hetero.device = #hetero.device<cpu>} : tensor<1x1x2xf32> into tensor<1x2xf32>
    %p = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%row, %w : tensor<1x2xf32>, tensor<2x4xf32>) outs(%zeros : tensor<1x4xf32>) -> tensor<1x4xf32>
    %s = linalg.add ins(%p, %h : tensor<1x4xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %s : tensor<1x4xf32>
  }
  return %r : tensor<1x4xf32>
}
