// Operations of tensor, and of scf, affine, cf and func around them, have the
// numbers of their definition on every device: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 1

// CASE: extract_and_insert 3x4xf32=iota index=2 f32=-5 -> f32=9 3x4xf32=0,1,2,3,4,5,-5,7,8,9,10,11
// CASE: slice 3x4xf32=iota -> 2x2xf32=1,3,9,11 4xf32=4,5,6,7
// CASE: dynamic_slice 3x4xf32=iota index=1 index=2 -> 2x2xf32=5,6,9,10
// CASE: dynamic_slice 3x4xf32=iota index=0 index=1 -> 1x2xf32=1,2
// CASE: insert_slice 2x2xf32=-1,-2,-3,-4 3x4xf32=iota 4xf32=0,10,20,30 -> 3x4xf32=0,-1,2,-2,4,5,6,7,8,-3,10,-4 3x4xf32=0,1,2,3,4,5,6,7,0,10,20,30
// CASE: reshapes 2x3x4xf32=iota 2xindex=3,8 -> 6x4xf32=iota 2x3x2x2xf32=iota 3x8xf32=iota
// CASE: dynamic_reshapes 3x4xf32=iota -> 12xf32=iota 3x2x2xf32=iota
// CASE: pad 3x4xf32=iota f32=-1 index=2 -> 5x5xf32=-1,-1,-1,-1,-1,0,1,2,3,-1,4,5,6,7,-1,8,9,10,11,-1,-1,-1,-1,-1,-1 5x4xf32=0,1,2,3,0,1,2,3,0,1,2,3,4,5,6,7,8,9,10,11
// CASE: concat 3x4xf32=iota 3x1xf32=7,8,9 1x4xf32=4,5,6,7 -> 3x5xf32=0,1,2,3,7,4,5,6,7,8,8,9,10,11,9 4x4xf32=4,5,6,7,0,1,2,3,4,5,6,7,8,9,10,11
// CASE: splat_and_elements f32=3 index=2 -> 2x2xf32=3 2xf32=3 3xf32=3,6,3
// CASE: generate index=3 4xf32=iota -> 3x4xf32=0,0,0,0,0,1,2,3,0,2,4,6
// CASE: gather_and_scatter 4x3xf32=iota 2x1xindex=3,1 -> 2x3xf32=9,10,11,3,4,5 4x3xf32=0,1,2,6,8,10,6,7,8,18,20,22
// CASE: dims_and_casts 3x4xf32=iota -> index=3 index=4 index=2 3x4xf32=iota
// CASE: bitcast 3xf32=1,-2,0 -> 3xi32=1065353216,-1073741824,0
// CASE: parallel_insert 4xf32=iota -> 4xf32=0,1,4,9
// CASE: for_with_two 4xf32=1,2,3,4 index=3 -> 4xf32=4,8,12,16 f32=20
// CASE: for_with_two 4xf32=1,2,3,4 index=0 -> 4xf32=1,2,3,4 f32=0
// CASE: while_below 2xf32=1,3 f32=10 -> 2xf32=16,48 i32=4
// CASE: while_below 2xf32=1,3 f32=0 -> 2xf32=1,3 i32=0
// CASE: if_else i1=1 4xf32=iota -> 4xf32=0,1,4,9 f32=2
// CASE: if_else i1=0 4xf32=iota -> 4xf32=iota f32=-2
// CASE: switch index=2 2xf32=3,4 -> 2xf32=6,8
// CASE: switch index=5 2xf32=3,4 -> 2xf32=9,16
// CASE: switch index=0 2xf32=3,4 -> 2xf32=3,4
// CASE: execute_region 2xf32=3,4 i1=1 -> 2xf32=6,8
// CASE: execute_region 2xf32=3,4 i1=0 -> 2xf32=3,4
// CASE: parallel_reduce 3x4xf32=iota -> f32=66 f32=11
// CASE: affine_for 4xf32=iota -> 4xf32=1,0,3,2
// CASE: affine_if 2xf32=3,4 index=3 -> 2xf32=6,8
// CASE: affine_if 2xf32=3,4 index=9 -> 2xf32=6,8
// CASE: affine_if 2xf32=3,4 index=10 -> 2xf32=3,4
// CASE: affine_parallel 8x3xf32=iota -> f32=120 f32=20
// CASE: affine_parallel_bounds 8xi32=iota index=5 -> i32=24 i32=7
// CASE: affine_parallel_bounds 8xi32=iota index=99 -> i32=5040 i32=7
// CASE: affine_parallel_bounds 8xi32=iota index=1 -> i32=1 i32=0
// CASE: affine_parallel_memory 3x4xf32=iota -> 3x4xf32=0,2,4,2,8,10,12,10,16,18,20,18
// CASE: affine_bounds index=7 -> index=10 index=3 index=2
// CASE: affine_bounds index=2 -> index=4 index=2 index=1
// CASE: affine_linearize index=2 index=4 -> index=14 index=2 index=4
// CASE: order_of_signs 6xsi32=5,-3,7,-9,1,2 6xui8=9,200,1,100,0,255 -> si32=7 si32=-9 ui8=255 ui8=100 si32=3
// CASE: blocks 2xf32=3,4 i32=2 -> 2xf32=9,12
// CASE: blocks 2xf32=3,4 i32=0 -> 2xf32=3,4
// CASE: cf_switch 2xf32=3,4 i32=4 -> 2xf32=6,8
// CASE: cf_switch 2xf32=3,4 i32=7 -> 2xf32=9,16
// CASE: cf_switch 2xf32=3,4 i32=0 -> 2xf32=3,4
// CASE: calls 2xf32=3,4 i1=1 -> 2xf32=36,64
// CASE: calls 2xf32=3,4 i1=0 -> 2xf32=6,8
// CASE: memory 4xf32=iota -> 4xf32=0,1,3,6 f32=6
// CASE: memory_views f32=5 -> 3x4xf32=0,10,0,0,0,5,0,5,0,5,0,5 f32=5 index=4
// CASE: memory_copies f32=5 -> 2x2xf32=5 2x2xf32=10,5,5,5
// CASE: memory_global index=2 -> i32=30 i32=30
// CASE: memory_global index=1 -> i32=20 i32=50
// CASE: memory_softmax_f32 3x4xf32=1,2,3,0,-1,0,1,5,7,7,7,7 -> 3x4xf32=0.087144315,0.23688282,0.6439143,0.032058604,0.002412335,0.0065574064,0.017824879,0.9732054,0.25,0.25,0.25,0.25
// CASE: memory_softmax_f16 3x4xf16=1,2,3,0,-1,0,1,5,7,7,7,7 -> 3x4xf16=0.087144315,0.23688282,0.6439143,0.032058604,0.002412335,0.0065574064,0.017824879,0.9732054,0.25,0.25,0.25,0.25
// CASE: memory_linalg 2x3xf32=iota 3x2xf32=iota -> 2x2xf32=10,13,28,40 2xf32=23,68
// CASE: alloc_tensor 2xf32=3,4 index=3 -> 2xf32=9,4 3xf32=9

memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
memref.global "private" @counter : memref<1xi32> = dense<0>

func.func @extract_and_insert(%a: tensor<3x4xf32>, %i: index, %v: f32) -> (f32, tensor<3x4xf32>) {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %a[%i, %c1] : tensor<3x4xf32>
  %1 = tensor.insert %v into %a[%c1, %i] : tensor<3x4xf32>
  return %0, %1 : f32, tensor<3x4xf32>
}

func.func @slice(%a: tensor<3x4xf32>) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %0 = tensor.extract_slice %a[0, 1] [2, 2] [2, 2] : tensor<3x4xf32> to tensor<2x2xf32>
  %1 = tensor.extract_slice %a[1, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<4xf32>
}

func.func @dynamic_slice(%a: tensor<?x4xf32>, %o: index, %n: index) -> tensor<?x2xf32> {
  %0 = tensor.extract_slice %a[%o, 1] [%n, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// Both read what they were inserted into.
func.func @insert_slice(%a: tensor<2x2xf32>, %b: tensor<3x4xf32>, %r: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = tensor.insert_slice %a into %b[0, 1] [2, 2] [2, 2] : tensor<2x2xf32> into tensor<3x4xf32>
  %1 = tensor.insert_slice %r into %b[2, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}

func.func @reshapes(%a: tensor<2x3x4xf32>, %s: tensor<2xindex>) -> (tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<?x?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %1 = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
  %2 = tensor.reshape %a(%s) : (tensor<2x3x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<?x?xf32>
}

func.func @dynamic_reshapes(%a: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?x2x2xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %1 = tensor.expand_shape %a [[0], [1, 2]] output_shape [%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  return %0, %1 : tensor<?xf32>, tensor<?x2x2xf32>
}

func.func @pad(%a: tensor<3x4xf32>, %v: f32, %n: index) -> (tensor<5x5xf32>, tensor<?x4xf32>) {
  %0 = tensor.pad %a low[1, 0] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x4xf32> to tensor<5x5xf32>
  %1 = tensor.pad %a low[%n, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<3x4xf32> to tensor<?x4xf32>
  return %0, %1 : tensor<5x5xf32>, tensor<?x4xf32>
}

func.func @concat(%a: tensor<3x4xf32>, %b: tensor<3x1xf32>, %c: tensor<?x4xf32>) -> (tensor<3x5xf32>, tensor<?x4xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
  %1 = tensor.concat dim(0) %c, %a : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<?x4xf32>
}

func.func @splat_and_elements(%v: f32, %n: index) -> (tensor<2x2xf32>, tensor<?xf32>, tensor<3xf32>) {
  %0 = tensor.splat %v : tensor<2x2xf32>
  %1 = tensor.splat %v[%n] : tensor<?xf32>
  %w = arith.addf %v, %v : f32
  %2 = tensor.from_elements %v, %w, %v : tensor<3xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<?xf32>, tensor<3xf32>
}

func.func @generate(%n: index, %a: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %x = tensor.extract %a[%j] : tensor<4xf32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %y = arith.mulf %x, %f : f32
    tensor.yield %y : f32
  } : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @gather_and_scatter(%a: tensor<4x3xf32>, %i: tensor<2x1xindex>) -> (tensor<2x3xf32>, tensor<4x3xf32>) {
  %0 = tensor.gather %a[%i] gather_dims([0]) unique : (tensor<4x3xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [2, 1, 3] : tensor<2x3xf32> into tensor<2x1x3xf32>
  %2 = arith.addf %1, %1 : tensor<2x1x3xf32>
  %3 = tensor.scatter %2 into %a[%i] scatter_dims([0]) unique : (tensor<2x1x3xf32>, tensor<4x3xf32>, tensor<2x1xindex>) -> tensor<4x3xf32>
  return %0, %3 : tensor<2x3xf32>, tensor<4x3xf32>
}

func.func @dims_and_casts(%a: tensor<?x4xf32>) -> (index, index, index, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %a, %c0 : tensor<?x4xf32>
  %1 = tensor.dim %a, %c1 : tensor<?x4xf32>
  %2 = tensor.rank %a : tensor<?x4xf32>
  %3 = tensor.cast %a : tensor<?x4xf32> to tensor<3x4xf32>
  %4 = tensor.cast %3 : tensor<3x4xf32> to tensor<?x?xf32>
  return %0, %1, %2, %4 : index, index, index, tensor<?x?xf32>
}

func.func @bitcast(%a: tensor<3xf32>) -> tensor<3xi32> {
  %0 = tensor.bitcast %a : tensor<3xf32> to tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @parallel_insert(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4xf32>) {
    %x = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %y = arith.mulf %x, %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

func.func @for_with_two(%a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %s = %z) -> (tensor<4xf32>, f32) {
    %1 = arith.addf %t, %a : tensor<4xf32>
    %x = tensor.extract %1[%i] : tensor<4xf32>
    %2 = arith.addf %s, %x : f32
    scf.yield %1, %2 : tensor<4xf32>, f32
  }
  return %0#0, %0#1 : tensor<4xf32>, f32
}

func.func @while_below(%a: tensor<2xf32>, %limit: f32) -> (tensor<2xf32>, i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0:2 = scf.while (%t = %a, %n = %zero) : (tensor<2xf32>, i32) -> (tensor<2xf32>, i32) {
    %x = tensor.extract %t[%c0] : tensor<2xf32>
    %c = arith.cmpf olt, %x, %limit : f32
    scf.condition(%c) %t, %n : tensor<2xf32>, i32
  } do {
  ^bb0(%t: tensor<2xf32>, %n: i32):
    %1 = arith.addf %t, %t : tensor<2xf32>
    %2 = arith.addi %n, %one : i32
    scf.yield %1, %2 : tensor<2xf32>, i32
  }
  return %0#0, %0#1 : tensor<2xf32>, i32
}

func.func @if_else(%c: i1, %a: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %k = arith.constant 2.0 : f32
  %0:2 = scf.if %c -> (tensor<4xf32>, f32) {
    %1 = arith.mulf %a, %a : tensor<4xf32>
    scf.yield %1, %k : tensor<4xf32>, f32
  } else {
    %2 = arith.negf %k : f32
    scf.yield %a, %2 : tensor<4xf32>, f32
  }
  return %0#0, %0#1 : tensor<4xf32>, f32
}

func.func @switch(%n: index, %a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = scf.index_switch %n -> tensor<2xf32>
  case 2 {
    %1 = arith.addf %a, %a : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  case 5 {
    %1 = arith.mulf %a, %a : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  default {
    scf.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

func.func @execute_region(%a: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %0 = scf.execute_region -> tensor<2xf32> {
    cf.cond_br %c, ^twice, ^end(%a : tensor<2xf32>)
  ^twice:
    %1 = arith.addf %a, %a : tensor<2xf32>
    cf.br ^end(%1 : tensor<2xf32>)
  ^end(%r: tensor<2xf32>):
    scf.yield %r : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

func.func @parallel_reduce(%a: tensor<3x4xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %0:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c4) step (%c1, %c1) init (%z, %z) -> (f32, f32) {
    %x = tensor.extract %a[%i, %j] : tensor<3x4xf32>
    scf.reduce(%x, %x : f32, f32) {
    ^bb0(%l: f32, %r: f32):
      %1 = arith.addf %l, %r : f32
      scf.reduce.return %1 : f32
    }, {
    ^bb0(%l: f32, %r: f32):
      %1 = arith.maximumf %l, %r : f32
      scf.reduce.return %1 : f32
    }
  }
  return %0#0, %0#1 : f32, f32
}

func.func @affine_for(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = affine.for %i = 0 to 4 step 2 iter_args(%t = %a) -> tensor<4xf32> {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %y = tensor.extract %t[%j] : tensor<4xf32>
    %1 = tensor.insert %y into %t[%i] : tensor<4xf32>
    %2 = tensor.insert %x into %1[%j] : tensor<4xf32>
    affine.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func @affine_if(%a: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %0 = affine.if affine_set<(d0) : (d0 - 3 >= 0, 9 - d0 >= 0)>(%n) -> tensor<2xf32> {
    %1 = arith.addf %a, %a : tensor<2xf32>
    affine.yield %1 : tensor<2xf32>
  } else {
    affine.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

func.func @affine_parallel(%a: tensor<8x3xf32>) -> (f32, f32) {
  %0:2 = affine.parallel (%i, %j) = (0, 0) to (8, 3) step (2, 1) reduce ("addf", "maximumf") -> (f32, f32) {
    %x = tensor.extract %a[%i, %j] : tensor<8x3xf32>
    affine.yield %x, %x : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

func.func @affine_parallel_bounds(%a: tensor<8xi32>, %n: index) -> (i32, i32) {
  %0:2 = affine.parallel (%i) = (max(0, 2)) to (min(8, symbol(%n))) reduce ("muli", "ori") -> (i32, i32) {
    %x = tensor.extract %a[%i] : tensor<8xi32>
    affine.yield %x, %x : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @affine_parallel_memory(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %m = memref.alloc() : memref<3x4xf32>
  affine.parallel (%i, %j) = (0, 0) to (3, 4) {
    %x = tensor.extract %a[%i, %j] : tensor<3x4xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<3x4xf32>
  }
  affine.parallel (%i) = (0) to (3) {
    %x = affine.load %m[%i, 1] : memref<3x4xf32>
    affine.store %x, %m[%i, 3] : memref<3x4xf32>
  }
  %t = bufferization.to_tensor %m restrict : memref<3x4xf32> to tensor<3x4xf32>
  return %t : tensor<3x4xf32>
}

func.func @affine_bounds(%n: index) -> (index, index, index) {
  %0 = affine.min affine_map<(d0) -> (d0 * 2, 10)>(%n)
  %1 = affine.max affine_map<(d0) -> (d0 floordiv 3, d0 mod 4)>(%n)
  %2 = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%n)
  return %0, %1, %2 : index, index, index
}

func.func @affine_linearize(%i: index, %j: index) -> (index, index, index) {
  %0 = affine.linearize_index [%i, %j] by (3, 5) : index
  %1:2 = affine.delinearize_index %0 into (3, 5) : index, index
  return %0, %1#0, %1#1 : index, index, index
}

// The type says how they are compared.
func.func @order_of_signs(%x: tensor<6xsi32>, %y: tensor<6xui8>) -> (si32, si32, ui8, ui8, si32) {
  %0:2 = affine.parallel (%i) = (0) to (6) reduce ("maxs", "mins") -> (si32, si32) {
    %v = tensor.extract %x[%i] : tensor<6xsi32>
    affine.yield %v, %v : si32, si32
  }
  %1:2 = affine.parallel (%i) = (0) to (6) step (2) reduce ("maxu", "minu") -> (ui8, ui8) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %v = tensor.extract %y[%j] : tensor<6xui8>
    affine.yield %v, %v : ui8, ui8
  }
  %2 = affine.parallel (%i) = (0) to (6) reduce ("addi") -> (si32) {
    %v = tensor.extract %x[%i] : tensor<6xsi32>
    affine.yield %v : si32
  }
  return %0#0, %0#1, %1#0, %1#1, %2 : si32, si32, ui8, ui8, si32
}

func.func @blocks(%a: tensor<2xf32>, %n: i32) -> tensor<2xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%a, %n : tensor<2xf32>, i32)
^head(%t: tensor<2xf32>, %k: i32):
  %c = arith.cmpi sgt, %k, %zero : i32
  cf.cond_br %c, ^body, ^end
^body:
  %1 = arith.addf %t, %a : tensor<2xf32>
  %2 = arith.subi %k, %one : i32
  cf.br ^head(%1, %2 : tensor<2xf32>, i32)
^end:
  return %t : tensor<2xf32>
}

func.func @cf_switch(%a: tensor<2xf32>, %n: i32) -> tensor<2xf32> {
  cf.switch %n : i32, [default: ^end(%a : tensor<2xf32>), 4: ^sum, 7: ^product]
^sum:
  %1 = arith.addf %a, %a : tensor<2xf32>
  cf.br ^end(%1 : tensor<2xf32>)
^product:
  %2 = arith.mulf %a, %a : tensor<2xf32>
  cf.br ^end(%2 : tensor<2xf32>)
^end(%r: tensor<2xf32>):
  return %r : tensor<2xf32>
}

// One calls itself.
func.func @calls(%a: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %0 = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @countdown(%0, %c) : (tensor<2xf32>, i1) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @countdown(%a: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %f = arith.constant false
  %0 = scf.if %c -> tensor<2xf32> {
    %1 = func.call @countdown(%a, %f) : (tensor<2xf32>, i1) -> tensor<2xf32>
    %2 = arith.mulf %1, %1 : tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  } else {
    scf.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

func.func @memory(%a: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xf32>
  %s = memref.alloca() : memref<f32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %s[] : memref<f32>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    %o = memref.load %s[] : memref<f32>
    %n = arith.addf %o, %x : f32
    memref.store %n, %s[] : memref<f32>
    memref.store %n, %m[%i] : memref<4xf32>
  }
  %l = memref.load %s[] : memref<f32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %t, %l : tensor<4xf32>, f32
}

func.func @memory_views(%v: f32) -> (tensor<3x4xf32>, f32, index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<3x4xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<3x4xf32>)
  %s = memref.subview %m[1, 1] [2, 2] [1, 2] : memref<3x4xf32> to memref<2x2xf32, strided<[4, 2], offset: 5>>
  linalg.fill ins(%v : f32) outs(%s : memref<2x2xf32, strided<[4, 2], offset: 5>>)
  %c = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %c[%c1] : memref<12xf32>
  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [3, 2, 2] : memref<3x4xf32> into memref<3x2x2xf32>
  %x = memref.load %e[%c1, %c1, %c1] : memref<3x2x2xf32>
  %d = memref.dim %m, %c1 : memref<3x4xf32>
  %t = bufferization.to_tensor %m restrict : memref<3x4xf32> to tensor<3x4xf32>
  return %t, %x, %d : tensor<3x4xf32>, f32, index
}

func.func @memory_copies(%v: f32) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %m = memref.alloc() : memref<2x2xf32>
  %n = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<2x2xf32>)
  memref.copy %m, %n : memref<2x2xf32> to memref<2x2xf32>
  %c0 = arith.constant 0 : index
  %x = memref.atomic_rmw addf %v, %n[%c0, %c0] : (f32, memref<2x2xf32>) -> f32
  %s = bufferization.to_tensor %m restrict : memref<2x2xf32> to tensor<2x2xf32>
  %t = bufferization.to_tensor %n restrict : memref<2x2xf32> to tensor<2x2xf32>
  return %s, %t : tensor<2x2xf32>, tensor<2x2xf32>
}

func.func @memory_global(%i: index) -> (i32, i32) {
  %m = memref.get_global @table : memref<4xi32>
  %x = memref.load %m[%i] : memref<4xi32>
  %n = memref.get_global @counter : memref<1xi32>
  %c0 = arith.constant 0 : index
  %o = memref.load %n[%c0] : memref<1xi32>
  %y = arith.addi %o, %x : i32
  memref.store %y, %n[%c0] : memref<1xi32>
  return %x, %y : i32, i32
}

// In place.
func.func @memory_softmax_f32(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %m = memref.alloc() : memref<3x4xf32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %x = tensor.extract %a[%i, %j] : tensor<3x4xf32>
      memref.store %x, %m[%i, %j] : memref<3x4xf32>
    }
  }
  linalg.softmax dimension(1) ins(%m : memref<3x4xf32>) outs(%m : memref<3x4xf32>)
  %t = bufferization.to_tensor %m restrict : memref<3x4xf32> to tensor<3x4xf32>
  return %t : tensor<3x4xf32>
}

// In place.
func.func @memory_softmax_f16(%a: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %m = memref.alloc() : memref<3x4xf16>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %x = tensor.extract %a[%i, %j] : tensor<3x4xf16>
      memref.store %x, %m[%i, %j] : memref<3x4xf16>
    }
  }
  linalg.softmax dimension(1) ins(%m : memref<3x4xf16>) outs(%m : memref<3x4xf16>)
  %t = bufferization.to_tensor %m restrict : memref<3x4xf16> to tensor<3x4xf16>
  return %t : tensor<3x4xf16>
}

func.func @memory_linalg(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %m = memref.alloc() : memref<2x3xf32>
  %n = memref.alloc() : memref<3x2xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %x = tensor.extract %a[%i, %j] : tensor<2x3xf32>
      %y = tensor.extract %b[%j, %i] : tensor<3x2xf32>
      memref.store %x, %m[%i, %j] : memref<2x3xf32>
      memref.store %y, %n[%j, %i] : memref<3x2xf32>
    }
  }
  %z = arith.constant 0.0 : f32
  %o = memref.alloc() : memref<2x2xf32>
  %s = memref.alloc() : memref<2xf32>
  linalg.fill ins(%z : f32) outs(%o : memref<2x2xf32>)
  linalg.fill ins(%z : f32) outs(%s : memref<2xf32>)
  linalg.matmul ins(%m, %n : memref<2x3xf32>, memref<3x2xf32>) outs(%o : memref<2x2xf32>)
  linalg.reduce { arith.addf } ins(%o : memref<2x2xf32>) outs(%s : memref<2xf32>) dimensions = [1]
  %t = bufferization.to_tensor %o restrict : memref<2x2xf32> to tensor<2x2xf32>
  %u = bufferization.to_tensor %s restrict : memref<2xf32> to tensor<2xf32>
  return %t, %u : tensor<2x2xf32>, tensor<2xf32>
}

func.func @alloc_tensor(%a: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<?xf32>) {
  %0 = bufferization.alloc_tensor() copy(%a) : tensor<2xf32>
  %c0 = arith.constant 0 : index
  %v = arith.constant 9.0 : f32
  %1 = tensor.insert %v into %0[%c0] : tensor<2xf32>
  %2 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %3 = linalg.fill ins(%v : f32) outs(%2 : tensor<?xf32>) -> tensor<?xf32>
  return %1, %3 : tensor<2xf32>, tensor<?xf32>
}
