// RUN: hetero-opt %s --hetero-lower-frontend-ops | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-lower-frontend-ops --hetero-lower-frontend-ops | FileCheck %s -enable-var-scope

// A loop on tensors becomes one of scf; what is in it keeps its device, and the
// loop's own goes to what replaces it.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: arith.addf {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK: } {hetero.device = #hetero.device<gpu:1>}
func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = affine.for %i = 0 to 3 iter_args(%t = %x) -> tensor<4xf32> {
    %1 = arith.addf %t, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  } {hetero.device = #hetero.device<gpu:1>}
  return %0 : tensor<4xf32>
}

// Loops in loops, and branches in them.
// CHECK-LABEL: func.func @nest
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: affine.for
func.func @nest(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = affine.for %i = 0 to 3 iter_args(%t = %x) -> tensor<4xf32> {
    %1 = affine.for %j = 0 to 2 iter_args(%u = %t) -> tensor<4xf32> {
      %2 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%j) -> tensor<4xf32> {
        %3 = arith.addf %u, %x : tensor<4xf32>
        affine.yield %3 : tensor<4xf32>
      } else {
        affine.yield %u : tensor<4xf32>
      }
      affine.yield %2 : tensor<4xf32>
    }
    affine.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Loops on memrefs alone stay.
// CHECK-LABEL: func.func @memrefs
// CHECK: affine.for
func.func @memrefs(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %0 = affine.load %x[%i] : memref<4xf32>
    affine.store %0, %x[%i] : memref<4xf32>
  }
  return
}

// Control flow of TOSA is lowered, other operations of TOSA are not.
// CHECK-LABEL: func.func @tosa
// CHECK: tensor.extract
// CHECK: scf.if
// CHECK: tosa.add {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK: tosa.sub
func.func @tosa(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.cond_if"(%p, %x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = tosa.add %a, %a {hetero.device = #hetero.device<gpu:0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    %1 = tosa.sub %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }) : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What is required of shapes is checked when the program runs.
// CHECK-LABEL: func.func @shape
// CHECK-NOT: shape.
// CHECK: cf.assert
// CHECK-NOT: shape.
// CHECK: arith.addf
func.func @shape(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.cstr_eq %0, %1 : tensor<1xindex>, tensor<1xindex>
  %3 = shape.assuming %2 -> tensor<?xf32> {
    %4 = arith.addf %a, %b : tensor<?xf32>
    shape.assuming_yield %4 : tensor<?xf32>
  }
  return %3 : tensor<?xf32>
}

// Several ends of a region become one; must not act on a region with one.
// CHECK-LABEL: func.func @ends
// CHECK: scf.execute_region
// CHECK: cf.cond_br %{{.*}}, ^[[ONE:bb[0-9]+]], ^[[OTHER:bb[0-9]+]]
// CHECK: ^[[ONE]]:
// CHECK: cf.br ^[[END:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[OTHER]]:
// CHECK: cf.br ^[[END]](%{{.*}} : i32)
// CHECK: ^[[END]](%[[VALUE:.*]]: i32):
// CHECK-NEXT: scf.yield %[[VALUE]] : i32
// CHECK: scf.execute_region
// CHECK-NOT: cf.br
// CHECK: return
func.func @ends(%c: i1, %n: i32) -> (i32, i32) {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^one, ^other
  ^one:
    %1 = arith.addi %n, %n : i32
    scf.yield %1 : i32
  ^other:
    scf.yield %n : i32
  }
  %2 = scf.execute_region -> i32 {
    %3 = arith.muli %n, %n : i32
    scf.yield %3 : i32
  }
  return %0, %2 : i32, i32
}

// Acts on a loop of affine that passes memory on; must not act on one that
// does not.
// CHECK-LABEL: func.func @memory
// CHECK: scf.for {{.*}} iter_args
// CHECK: affine.for
func.func @memory(%m: memref<4xf32>, %v: f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%b = %m) -> memref<4xf32> {
    affine.store %v, %b[%i] : memref<4xf32>
    affine.yield %b : memref<4xf32>
  }
  affine.for %i = 0 to 4 {
    affine.store %v, %0[%i] : memref<4xf32>
  }
  return
}

// The ends of a branch of TOSA get one type, its condition one element without
// a dimension.
// CHECK-LABEL: func.func @late_branch
// CHECK-SAME: %[[P:.*]]: tensor<1xi1>, %[[X:.*]]: tensor<4xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[P]] [] : tensor<1xi1> into tensor<i1>
// CHECK: %[[B:.*]] = tensor.extract %[[C]][] : tensor<i1>
// CHECK: scf.if %[[B]] -> (tensor<?xf32>)
// CHECK: %[[T:.*]] = tensor.cast %[[X]] : tensor<4xf32> to tensor<?xf32>
// CHECK: scf.yield %[[T]] : tensor<?xf32>
// CHECK: tosa.concat {{.*}} -> tensor<8xf32>
// CHECK: tensor.cast {{.*}} : tensor<8xf32> to tensor<?xf32>
func.func @late_branch(%p: tensor<1xi1>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tosa.cond_if %p : tensor<1xi1> -> tensor<?xf32> {
    tosa.yield %x : tensor<4xf32>
  } else {
    %1 = tosa.concat %x, %x {axis = 0 : i32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
    tosa.yield %1 : tensor<*xf32>
  }
  return %0 : tensor<?xf32>
}

// What does not use TOSA sees an argument of a loop as it was.
// CHECK-LABEL: func.func @late_loop
// CHECK: scf.while {{.*}} : (tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>)
// CHECK: %[[T:.*]] = tensor.cast %{{.*}} : tensor<2xi32> to tensor<?xi32>
// CHECK: func.call @count(%[[T]])
func.func private @count(tensor<?xi32>) -> tensor<i32>
func.func @late_loop(%n: tensor<i32>, %x: tensor<2xi32>) -> tensor<?xi32> {
  %0:2 = tosa.while_loop (%i = %n, %v = %x) : (tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<?xi32>) {
    %1 = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<?xi32>):
    %f = func.call @count(%v) : (tensor<?xi32>) -> tensor<i32>
    %1 = tosa.add %i, %f : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = tosa.add %v, %v : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    tosa.yield %1, %2 : tensor<i32>, tensor<?xi32>
  }
  return %0#1 : tensor<?xi32>
}

// A softmax on memory is loops; must not act on one on tensors.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[MAX:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : memref<3x?xf16>) outs(%[[MAX]] : memref<?xf32>)
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: linalg.softmax
// CHECK-SAME: tensor<3x5xf32>
func.func @softmax(%x: memref<3x?xf16>, %y: memref<3x?xf16>, %t: tensor<3x5xf32>) -> tensor<3x5xf32> {
  linalg.softmax dimension(0) ins(%x : memref<3x?xf16>) outs(%y : memref<3x?xf16>)
  %0 = linalg.softmax dimension(1) ins(%t : tensor<3x5xf32>) outs(%t : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A pad by a value that is computed; must not act on one by a constant.
// CHECK-LABEL: func.func @pad
// CHECK: %[[V:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<1xf32>
// CHECK: tensor.pad %{{.*}} low[1, 0] high[0, 2]
// CHECK: tensor.yield %[[V]] : f32
// CHECK: {hetero.device = #hetero.device<gpu:0>} : tensor<2x3xf32> to tensor<3x5xf32>
// CHECK: tosa.pad
func.func @pad(%x: tensor<2x3xf32>, %v: tensor<1xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %p = tosa.const_shape {values = dense<[1, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %0 = tosa.pad %x, %p, %v {hetero.device = #hetero.device<gpu:0>} : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
  %c = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.pad %x, %p, %c : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}

// Shapes are indices, also where they are computed as i64; must not act on others.
// CHECK-LABEL: func.func @reshape
// CHECK-SAME: (%[[N:.*]]: index, %[[I:.*]]: i32, %
// CHECK-DAG: %[[M:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK-DAG: %[[J:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[S:.*]] = tensor.from_elements %[[M]], %[[J]] {hetero.device = #hetero.device<cpu:0>} : tensor<2xindex>
// CHECK: tensor.reshape %{{.*}}(%[[S]])
// CHECK: tensor.reshape %{{.*}}(%{{.*}}) : (tensor<?xf32>, tensor<2xi32>)
func.func @reshape(%n: index, %i: i32, %x: tensor<?xf32>, %s: tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c4 = arith.constant 4 : i64
  %a = arith.index_cast %n : index to i64
  %m = arith.muli %a, %c4 : i64
  %j = arith.extsi %i : i32 to i64
  %t = tensor.from_elements %m, %j {hetero.device = #hetero.device<cpu:0>} : tensor<2xi64>
  %0 = tensor.reshape %x(%t) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
