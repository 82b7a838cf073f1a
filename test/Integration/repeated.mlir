// What is made without tensors has the same elements whether it is repeated on
// each device or copied: dear bodies and cheap ones, in loops and branches.

// RUN: %python %S/every-placement.py %s
// CASE: dear 4xf32=0,1,2,3 -> 4xf32=1,2,3,4 4xf32=-1,0,1,2
// CASE: looped 4xf32=0 -> 4xf32=4,8,12,16
// CASE: branched 4xf32=0 i1=1 -> 4xf32=1,2,3,4
// CASE: branched 4xf32=0 i1=0 -> 4xf32=1,1,1,1
// CASE: returned 4xf32=1 -> 4xf32=0,1,2,3 4xf32=1,2,3,4

#id = affine_map<(i) -> (i)>

// The logarithm of an exponential, twice over, is the number itself.
func.func private @numbers() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %x = arith.sitofp %j : i32 to f32
    %a = math.exp %x : f32
    %b = math.log %a : f32
    %c = math.exp %b : f32
    %d = math.log %c : f32
    %n = math.roundeven %d : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @dear(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %n = func.call @numbers() : () -> tensor<4xf32>
  %a = arith.addf %n, %one {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  %b = arith.subf %x, %one {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %c = arith.mulf %n, %n {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %d = arith.subf %c, %c : tensor<4xf32>
  %f = arith.addf %b, %d : tensor<4xf32>
  return %a, %f : tensor<4xf32>, tensor<4xf32>
}

func.func @looped(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %x) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
    ^bb0(%o: f32):
      %p = linalg.index 0 : index
      %j = arith.index_cast %p : index to i32
      %y = arith.sitofp %j : i32 to f32
      %z = math.exp %y : f32
      %w = math.log %z : f32
      %v = math.roundeven %w : f32
      linalg.yield %v : f32
    } -> tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %a = arith.addf %n, %one : tensor<4xf32>
    %next = arith.addf %sum, %a : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func @branched(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %n = func.call @numbers() : () -> tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %a = arith.addf %n, %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = arith.subf %n, %n : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %s = arith.addf %r, %one : tensor<4xf32>
  return %s : tensor<4xf32>
}

func.func @returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %n = func.call @numbers() : () -> tensor<4xf32>
  %a = arith.addf %n, %x : tensor<4xf32>
  return %n, %a : tensor<4xf32>, tensor<4xf32>
}
