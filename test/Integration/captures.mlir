// What the region of a producer captures goes where the producer is repeated:
// scalars, constants, tensors, and chains of such producers.

// RUN: %python %S/every-placement.py %s
// CASE: range 6xf32=1 -> 6xf32=1,1.5,2,2.5,3,3.5
// CASE: identity 4x4xf32=iota -> 4x4xf32=iota
// CASE: scaled 4xf32=iota f32=3 -> 4xf32=3,4,5,6
// CASE: generated 4xf32=1,2,3,4 f32=-3 -> 4xf32=4,5,6,7
// CASE: inserted 2xf32=1 f32=4 -> 4xf32=4,1,1,4
// CASE: table 8xf32=iota -> 4xf32=7,6,5,4
// CASE: constants 4xf32=1 -> 4xf32=5,4,3,2
// CASE: padded 4xf32=9 f32=0.5 -> 6xf32=0.5,9,9,9,9,5.5
// CASE: causal 3x3xf32=1 -> 3x3xf32=1,-9,-9,1,1,-9,1,1,1
// CASE: chain 4xf32=1 i32=2 -> 4xf32=3,4,5,6
// CASE: loop 4xf32=0 f32=2 -> 4xf32=6,6,6,6
// CASE: branch 4xf32=0 f32=2 i1=1 -> 4xf32=2,3,4,5
// CASE: branch 4xf32=0 f32=2 i1=0 -> 4xf32=0,0,0,0
// CASE: reduced 4xf32=1,2,3,4 -> 4xf32=0.25,0.5,0.75,1

#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>

func.func @range(%x: tensor<6xf32>) -> tensor<6xf32> {
  %step = arith.constant 0.5 : f32
  %start = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<6xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f32
    %m = arith.mulf %f, %step : f32
    %s = arith.addf %m, %start : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %y = linalg.mul ins(%x, %p : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

func.func @identity(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %eye = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = arith.cmpi eq, %i, %j : index
    %v = arith.select %d, %one, %zero : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%x, %eye : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// The captured scalar is computed, not an argument.
func.func @scaled(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1.0 : f32
  %t = arith.subf %s, %c1 : f32
  %e = tensor.empty() : tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %u = arith.addf %t, %c1 : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  %y = linalg.add ins(%x, %p : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @generated(%x: tensor<4xf32>, %z: f32) -> tensor<4xf32> {
  %r = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32>
  %n = math.absf %r : tensor<4xf32>
  %y = arith.addf %n, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @inserted(%x: tensor<2xf32>, %s: f32) -> tensor<4xf32> {
  %g = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } : tensor<4xf32>
  %r = tensor.insert_slice %x into %g[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @table(%t: tensor<8xf32>) -> tensor<4xf32> {
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<4xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c7, %i : index
    %v = tensor.extract %t[%j] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %r = linalg.abs ins(%g : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The captured tensor is a constant, which every device has.
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c3, %i : index
    %v = tensor.extract %t[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %y = linalg.add ins(%x, %g : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @padded(%x: tensor<4xf32>, %s: f32) -> tensor<6xf32> {
  %r = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %t = arith.addf %f, %s : f32
    tensor.yield %t : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

// A mask that two users want, on devices of their own.
func.func @causal(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -10.0 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %mask = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %above = arith.cmpi ugt, %j, %i : index
    %v = arith.select %above, %low, %zero : f32
    linalg.yield %v : f32
  } -> tensor<3x3xf32>
  %a = linalg.add ins(%x, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = linalg.min ins(%a, %x : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = linalg.sub ins(%b, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %d = linalg.add ins(%c, %mask : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %d : tensor<3x3xf32>
}

// A repeated producer captures what another one makes.
func.func @chain(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %ei = tensor.empty() : tensor<4xi32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%n : i32) outs(%ei : tensor<4xi32>) -> tensor<4xi32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %f[%i] : tensor<4xi32>
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %v, %k : i32
    %w = arith.sitofp %s : i32 to f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %y = linalg.add ins(%x, %g : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @loop(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %y = linalg.add ins(%a, %p : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func @branch(%x: tensor<4xf32>, %s: f32, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %p = tensor.generate {
    ^bb0(%i: index):
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %t = arith.addf %f, %s : f32
      tensor.yield %t : f32
    } : tensor<4xf32>
    %y = arith.addf %x, %p : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The captured scalar comes from a tensor.
func.func @reduced(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xf32>
  %s = tensor.extract %x[%c3] : tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %y = linalg.div ins(%x, %p : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
