// RUN: hetero-opt %s --hetero-fold-movements --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-fold-movements --hetero-fold-movements --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-fold-movements --remarks-filter=hetero-fold-movements -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: [Passed] folded | {{.*}} Remark="'linalg.batch_matmul' reads what 'linalg.broadcast' has moved"
// REMARK: [Analysis] summary | Category:hetero-fold-movements | folded=7, reshapes=4

#id = affine_map<(d0, d1) -> (d0, d1)>

// Acts: a product of a batch reads the weights that all of it share.
// CHECK-LABEL: func.func @batch
// CHECK-SAME:    (%[[X:.*]]: tensor<3x4x8xf32>, %[[W:.*]]: tensor<8x2xf32>)
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.batch_matmul indexing_maps = [{{.*}}, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, {{.*}}] ins(%[[X]], %[[W]] :
func.func @batch(%x: tensor<3x4x8xf32>, %w: tensor<8x2xf32>) -> tensor<3x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x8x2xf32>
  %o = tensor.empty() : tensor<3x4x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  %0 = linalg.broadcast ins(%w : tensor<8x2xf32>) outs(%e : tensor<3x8x2xf32>) dimensions = [0]
  %1 = linalg.batch_matmul ins(%x, %0 : tensor<3x4x8xf32>, tensor<3x8x2xf32>) outs(%zeros : tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// Acts: a transposed matrix and a product that keeps its name; elementwise
// operations that read a broadcast, which has several users, and a transposition.
// CHECK-LABEL: func.func @elements
// CHECK-SAME:    (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.matmul indexing_maps = [{{.*}}, affine_map<(d0, d1, d2) -> (d1, d2)>, {{.*}}] ins(%[[X]], %[[X]] :
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME:      ins(%[[B]], %[[Y]] :
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME:      ins(%[[B]], %[[X]] :
func.func @elements(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %b: tensor<8xf32>) -> (tensor<4x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %o = tensor.empty() : tensor<4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  %xt = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%x, %xt : tensor<4x8xf32>, tensor<8x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %yt = linalg.transpose ins(%y : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %wide = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %yt : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %3 = arith.addf %p, %q : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %3 = arith.mulf %p, %q : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// Must not act: others read the transposed tensor, a convolution and a reduction
// do, or no operand would tell how large a loop is.
// CHECK-LABEL: func.func @stays
// CHECK:         linalg.transpose
// CHECK:         linalg.transpose
// CHECK:         linalg.conv_2d
// CHECK:         linalg.transpose
// CHECK:         linalg.reduce
// CHECK:         linalg.broadcast
// CHECK:         linalg.matvec
func.func @stays(%x: tensor<4x8xf32>, %w: tensor<2x2xf32>, %b: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<7x3xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<8x4xf32>
  %c = tensor.empty() : tensor<7x3xf32>
  %r = tensor.empty() : tensor<8xf32>
  %zc = linalg.fill ins(%zero : f32) outs(%c : tensor<7x3xf32>) -> tensor<7x3xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %xt = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%xt : tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%p: f32, %out: f32):
    %4 = arith.negf %p : f32
    linalg.yield %4 : f32
  } -> tensor<8x4xf32>
  %xt2 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  %1 = linalg.conv_2d ins(%xt2, %w : tensor<8x4xf32>, tensor<2x2xf32>) outs(%zc : tensor<7x3xf32>) -> tensor<7x3xf32>
  %xt3 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  %2 = linalg.reduce ins(%xt3 : tensor<8x4xf32>) outs(%zr : tensor<8xf32>) dimensions = [1]
    (%p: f32, %q: f32) {
      %4 = arith.addf %p, %q : f32
      linalg.yield %4 : f32
    }
  %wide = linalg.broadcast ins(%b : tensor<4xf32>) outs(%f : tensor<8x4xf32>) dimensions = [0]
  %3 = linalg.matvec ins(%wide, %b : tensor<8x4xf32>, tensor<4xf32>) outs(%zr : tensor<8xf32>) -> tensor<8xf32>
  return %xt, %0, %1, %2, %3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<7x3xf32>, tensor<8xf32>, tensor<8xf32>
}

// Conflict: what is annotated is made where it says, unless that is where it is
// read.
// CHECK-LABEL: func.func @devices
// CHECK:         linalg.broadcast {{.*}}gpu:1
// CHECK:         linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:0>}
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {{.*}} attrs = {hetero.device = #hetero.device<gpu:1>}
func.func @devices(%b: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0] {hetero.device = #hetero.device<gpu:1>}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
      attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%p: f32, %out: f32):
    %2 = arith.negf %p : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
      attrs = {hetero.device = #hetero.device<gpu:1>} {
  ^bb0(%p: f32, %out: f32):
    %2 = arith.negf %p : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Acts: reshapes of reshapes are one, with the location of both, or none.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<6x?xf32>)
// CHECK-NOT:     {{expand|collapse}}_shape
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2]] {hetero.device = #hetero.device<gpu:0>} : tensor<2x3x4xf32> into tensor<24xf32>
// CHECK-NEXT:    return %[[FLAT]], %[[X]], %[[Y]]
func.func @reshapes(%x: tensor<2x3x4xf32>, %y: tensor<6x?xf32>) -> (tensor<24xf32>, tensor<2x3x4xf32>, tensor<6x?xf32>) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c1 : tensor<6x?xf32>
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] {hetero.device = #hetero.device<gpu:0>} : tensor<6x4xf32> into tensor<24xf32>
  %2 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %3 = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 3, %n] : tensor<6x?xf32> into tensor<2x3x?xf32>
  %4 = tensor.expand_shape %3 [[0], [1, 2], [3]] output_shape [2, 3, 1, %n] : tensor<2x3x?xf32> into tensor<2x3x1x?xf32>
  %5 = tensor.collapse_shape %4 [[0, 1, 2], [3]] : tensor<2x3x1x?xf32> into tensor<6x?xf32>
  return %1, %2, %5 : tensor<24xf32>, tensor<2x3x4xf32>, tensor<6x?xf32>
}

// Must not act: one is annotated, or it is not known which size is which.
// CHECK-LABEL: func.func @stays_reshaped
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape
func.func @stays_reshaped(%x: tensor<2x3x4xf32>, %y: tensor<?x?x4xf32>, %m: index, %n: index) -> (tensor<2x3x4xf32>, tensor<?x?x4xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] {hetero.device = #hetero.device<gpu:1>} : tensor<2x3x4xf32> into tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %2 = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [%m, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  return %1, %3 : tensor<2x3x4xf32>, tensor<?x?x4xf32>
}

// Control flow: into a loop. Call: a call reads what was moved.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[WIDE:.*]] = linalg.broadcast
// CHECK:         call @callee(%[[WIDE]])
// CHECK:         scf.for
// CHECK:           linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>,
func.func private @callee(%x: tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @loop(%b: tensor<8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %x = call @callee(%wide) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<4x8xf32> {
    %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%wide, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %2 = arith.addf %p, %q : f32
      linalg.yield %2 : f32
    } -> tensor<4x8xf32>
    scf.yield %1 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// Must not act: a product does not read a scalar everywhere; MLIR 22's verifier crashes at its map.
// CHECK-LABEL: func.func @scalar_factor
// CHECK:         %[[WIDE:.*]] = linalg.broadcast
// CHECK:         linalg.matmul ins(%[[WIDE]],
func.func @scalar_factor(%s: tensor<f32>, %w: tensor<8x5xf32>, %acc: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<4x8xf32>) dimensions = [0, 1]
  %0 = linalg.matmul ins(%wide, %w : tensor<4x8xf32>, tensor<8x5xf32>) outs(%acc : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
