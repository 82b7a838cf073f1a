// Elements of a destination that the operation does not write keep their values,
// and a destination that the body reads is read.

// RUN: %python %S/every-placement.py %s
// CASE: map 4xf32=1,2,3,4 4xf32=10 -> 4xf32=11,12,13,14
// CASE: map_after_product 4x4xf32=1 4x4xf32=2 4x4xf32=7 -> 4x4xf32=15
// CASE: diagonal 3xf32=1 3x3xf32=5 -> 3x3xf32=1,5,5,5,1,5,5,5,1
// CASE: row 3xf32=1 4x3xf32=5 -> 4x3xf32=5,5,5,5,5,5,1,1,1,5,5,5
// CASE: element f32=1 4xf32=5 -> 4xf32=5,5,1,5
// CASE: strided 3xf32=1 6xf32=5 -> 6xf32=1,5,1,5,1,5
// CASE: filled 3xf32=1 -> 3x3xf32=2,4,4,4,2,4,4,4,2
// CASE: two 3xf32=1,2,3 3xf32=0 3x3xf32=5 -> 3xf32=2,3,4 3x3xf32=1,5,5,5,2,5,5,5,3
// CASE: both_kept 3xf32=1,2,3 3x3xf32=0 -> 3x3xf32=1,0,0,0,2,0,0,0,3 3x3xf32=0
// CASE: in_loop 3xf32=1 3x3xf32=0 -> 3x3xf32=4,3,3,3,4,3,3,3,4
// CASE: no_iterations 4x0xf32=0 4xf32=5 -> 4xf32=5
// CASE: no_iterations 4x2xf32=3 4xf32=5 -> 4xf32=3
// CASE: dynamic 3xf32=1 3x3xf32=5 -> 3x3xf32=1,5,5,5,1,5,5,5,1

#id = affine_map<(i) -> (i)>
#diagonal = affine_map<(i) -> (i, i)>

func.func @map(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = linalg.map ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>)
    (%in: f32, %out: f32) {
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
  return %s : tensor<4xf32>
}

func.func @map_after_product(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.map ins(%m : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>)
    (%in: f32, %out: f32) {
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
  return %s : tensor<4x4xf32>
}

func.func @diagonal(%x: tensor<3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %d = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<3x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  return %d : tensor<3x3xf32>
}

func.func @row(%x: tensor<3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %d = linalg.generic {indexing_maps = [#id, affine_map<(i) -> (2, i)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x3xf32>
  return %d : tensor<4x3xf32>
}

func.func @element(%s: f32, %y: tensor<4xf32>) -> tensor<4xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> (2)>], iterator_types = []} ins(%s : f32) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %d : tensor<4xf32>
}

func.func @strided(%x: tensor<3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %d = linalg.generic {indexing_maps = [#id, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %d : tensor<6xf32>
}

// What fills the destination is not dead, and the users see all of it.
func.func @filled(%x: tensor<3xf32>) -> tensor<3x3xf32> {
  %c2 = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%c2 : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %d = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%f : tensor<3x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  %r = linalg.mul ins(%d, %f : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// One destination is overwritten, the other is not.
func.func @two(%x: tensor<3xf32>, %y: tensor<3xf32>, %z: tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3x3xf32>) {
  %one = arith.constant 1.0 : f32
  %d:2 = linalg.generic {indexing_maps = [#id, #id, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y, %z : tensor<3xf32>, tensor<3x3xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %b = arith.addf %a, %one : f32
    linalg.yield %b, %a : f32, f32
  } -> (tensor<3xf32>, tensor<3x3xf32>)
  return %d#0, %d#1 : tensor<3xf32>, tensor<3x3xf32>
}

// The old value is still needed.
func.func @both_kept(%x: tensor<3xf32>, %y: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %n = math.absf %y : tensor<3x3xf32>
  %d = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%n : tensor<3x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  return %d, %n : tensor<3x3xf32>, tensor<3x3xf32>
}

func.func @in_loop(%x: tensor<3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %y) -> tensor<3x3xf32> {
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
    ^bb0(%p: f32, %o: f32):
      %q = arith.addf %p, %one : f32
      linalg.yield %q : f32
    } -> tensor<3x3xf32>
    %d = linalg.generic {indexing_maps = [#id, #id, #diagonal], iterator_types = ["parallel"]} ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%s : tensor<3x3xf32>) {
    ^bb0(%p: f32, %t: f32, %o: f32):
      %i = arith.index_cast %k : index to i32
      %f = arith.sitofp %i : i32 to f32
      %q = arith.addf %p, %f : f32
      %u = arith.addf %q, %t : f32
      linalg.yield %u : f32
    } -> tensor<3x3xf32>
    scf.yield %d : tensor<3x3xf32>
  }
  return %r : tensor<3x3xf32>
}

// The body does not read its destination, and a loop that the map does not have
// may be without iterations.
func.func @no_iterations(%x: tensor<4x?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %d : tensor<4xf32>
}

func.func @dynamic(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %d = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}
