// The operations of tm_tensor under every placement, with values that follow
// from their definitions.

// RUN: %python %S/every-placement.py --randoms 2 %s
// CASE: sums 2x3xi32=1,2,3,4,5,6 -> 2x3xi32=1,2,3,5,7,9 3xi32=5,7,9
// CASE: products 2x3xf32=1,2,3,4,5,6 2xf32=1,10 -> 2x3xf32=1,1,2,10,40,200 2xf32=2,200
// CASE: differences 4xi64=9,2,3,1 -> 4xi64=9,7,4,3
// CASE: quotients 4xi32=64,4,2,1 -> 4xi32=64,16,8,8
// CASE: scaled 3xf64=1,2,3 f64=2 -> 3xf64=1,4,11
// CASE: halves 3xf16=2048,1,1 -> 3xf16=2048,2048,2050
// CASE: rows 3xf16=2048,1,1 -> 3xf16=2048,2048,2050 40xf16=2050 3xf16=5,2052,2054
// CASE: columns 3xi64=5,3,2 i64=2 -> 3xi64=5,7,9 3xi64=100,90,84
// CASE: sorted 2x5xf32=3,1,2,1,0,5,4,3,2,1 -> 2x5xf32=0,1,1,2,3,1,2,3,4,5 2x5xi64=4,1,3,2,0,4,3,2,1,0
// CASE: falling 5x2xi32=1,9,3,7,3,8,2,5,5,6 -> 5x2xi32=5,9,3,8,3,7,2,6,1,5
// CASE: falling 1x2xi32=1,9 -> 1x2xi32=1,9
// CASE: falling 0x2xi32=0 -> 0x2xi32=0
// CASE: best 2x5xf32=3,1,4,1,5,9,2,6,5,3 -> 2x3xf32=5,4,3,9,6,5 2x3xi32=4,2,0,0,2,3
// CASE: lowest 4x1xi64=7,2,2,5 4x1xi32=10,30,20,40 -> 2x1xi64=2,2 2x1xi32=20,30
// CASE: replaced 6xf32=0 3xf32=1,2,3 3x1xi32=5,1,3 -> 6xf32=0,2,0,3,0,1
// CASE: added 3x2xi32=1 4x2xi32=1,2,3,4,5,6,7,8 4x1xi64=2,0,2,2 -> 3x2xi32=4,5,1,1,14,17
// CASE: window 4x3xf32=0 2x2x3xf32=1,2,3,4,5,6,7,8,9,10,11,12 2x1xi32=2,0 -> 4x3xf32=7,8,9,10,11,12,1,2,3,4,5,6
// CASE: crossed 2x3xi32=0 2xi32=7,8 2x2xi32=2,0,1,1 -> 2x3xi32=0,0,7,0,8,0
// CASE: narrow 2xf16=2048,0 3xf16=1,1,1 3x1xi32=0,0,1 -> 2xf16=2050,1
// CASE: attend 1x2x1xf32=0,0 1x2x1xf32=5,6 1x2x2xf32=1,2,3,4 -> 1x2x2xf32=2,3,2,3
// CASE: masked 1x2x2xf32=0 1x3x2xf32=1 1x3x1xf32=2,4,8 1x2x3xi1=1,0,1,0,0,0 -> 1x2x1xf32=5,0
// CASE: heads 1x2x1x1xf16=0 1x2x2x1xf16=1 1x2x2x1xf16=1,3,5,9 1x2x1x2xf16=0,-inf,0,0 -> 1x2x1x1xf16=1,7

func.func @sums(%x: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>) {
  %y = tensor.empty() : tensor<2x3xi32>
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<2x3xi32>)
      outs(%y, %z : tensor<2x3xi32>, tensor<3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tm_tensor.yield %s : i32
  } -> tensor<2x3xi32>, tensor<3xi32>
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<3xi32>
}

func.func @products(%x: tensor<?x?xf32>, %start: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %y = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<?x?xf32>)
      outs(%y, %start : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    tm_tensor.yield %s : f32
  } -> tensor<?x?xf32>, tensor<?xf32>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?xf32>
}

// What was combined before is the first argument.
func.func @differences(%x: tensor<4xi64>) -> tensor<4xi64> {
  %y = tensor.empty() : tensor<4xi64>
  %z = tensor.empty() : tensor<i64>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xi64>)
      outs(%y, %z : tensor<4xi64>, tensor<i64>) {
  ^bb0(%a: i64, %b: i64):
    %s = arith.subi %a, %b : i64
    tm_tensor.yield %s : i64
  } -> tensor<4xi64>, tensor<i64>
  return %0#0 : tensor<4xi64>
}

// A division is not tried on what is not combined.
func.func @quotients(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = tensor.empty() : tensor<4xi32>
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xi32>)
      outs(%y, %z : tensor<4xi32>, tensor<i32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.divsi %a, %b : i32
    tm_tensor.yield %s : i32
  } -> tensor<4xi32>, tensor<i32>
  return %0#0 : tensor<4xi32>
}

// The region captures a scalar.
func.func @scaled(%x: tensor<3xf64>, %factor: f64) -> tensor<3xf64> {
  %y = tensor.empty() : tensor<3xf64>
  %z = tensor.empty() : tensor<f64>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<3xf64>)
      outs(%y, %z : tensor<3xf64>, tensor<f64>) {
  ^bb0(%a: f64, %b: f64):
    %t = arith.mulf %a, %factor : f64
    %s = arith.addf %t, %b : f64
    tm_tensor.yield %s : f64
  } -> tensor<3xf64>, tensor<f64>
  return %0#0 : tensor<3xf64>
}

// Sums are f32: in f16, one is lost beside 2048.
func.func @halves(%x: tensor<3xf16>) -> tensor<3xf16> {
  %y = tensor.empty() : tensor<3xf16>
  %z = tensor.empty() : tensor<f16>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<3xf16>)
      outs(%y, %z : tensor<3xf16>, tensor<f16>) {
  ^bb0(%a: f16, %b: f16):
    %s = arith.addf %a, %b : f16
    tm_tensor.yield %s : f16
  } -> tensor<3xf16>, tensor<f16>
  return %0#0 : tensor<3xf16>
}

// Enough rows for threads: each is a thread of a GPU.
func.func @rows(%x: tensor<3xf16>) -> (tensor<3xf16>, tensor<40xf16>, tensor<3xf16>) {
  %e = tensor.empty() : tensor<40x3xf16>
  %b = linalg.broadcast ins(%x : tensor<3xf16>) outs(%e : tensor<40x3xf16>) dimensions = [0]
  %f = tensor.empty() : tensor<40xf16>
  %five = arith.constant 5.0 : f16
  %z = linalg.fill ins(%five : f16) outs(%f : tensor<40xf16>) -> tensor<40xf16>
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%b : tensor<40x3xf16>)
      outs(%e, %z : tensor<40x3xf16>, tensor<40xf16>) {
  ^bb0(%p: f16, %q: f16):
    %s = arith.addf %p, %q : f16
    tm_tensor.yield %s : f16
  } -> tensor<40x3xf16>, tensor<40xf16>
  %1:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%b : tensor<40x3xf16>)
      outs(%e, %z : tensor<40x3xf16>, tensor<40xf16>) {
  ^bb0(%p: f16, %q: f16):
    %s = arith.addf %p, %q : f16
    tm_tensor.yield %s : f16
  } -> tensor<40x3xf16>, tensor<40xf16>
  %r = tensor.extract_slice %0#0[39, 0] [1, 3] [1, 1] : tensor<40x3xf16> to tensor<3xf16>
  %t = tensor.extract_slice %1#0[7, 0] [1, 3] [1, 1] : tensor<40x3xf16> to tensor<3xf16>
  return %r, %0#1, %t : tensor<3xf16>, tensor<40xf16>, tensor<3xf16>
}

// Along the first dimension of three, with a region that captures a scalar.
func.func @columns(%x: tensor<3xi64>, %k: i64) -> (tensor<3xi64>, tensor<3xi64>) {
  %e = tensor.empty() : tensor<3x8x5xi64>
  %b = linalg.broadcast ins(%x : tensor<3xi64>) outs(%e : tensor<3x8x5xi64>) dimensions = [1, 2]
  %f = tensor.empty() : tensor<8x5xi64>
  %hundred = arith.constant 100 : i64
  %z = linalg.fill ins(%hundred : i64) outs(%f : tensor<8x5xi64>) -> tensor<8x5xi64>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%b : tensor<3x8x5xi64>)
      outs(%e, %z : tensor<3x8x5xi64>, tensor<8x5xi64>) {
  ^bb0(%p: i64, %q: i64):
    %m = arith.minsi %q, %k : i64
    %s = arith.addi %p, %m : i64
    tm_tensor.yield %s : i64
  } -> tensor<3x8x5xi64>, tensor<8x5xi64>
  %1:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%b : tensor<3x8x5xi64>)
      outs(%e, %z : tensor<3x8x5xi64>, tensor<8x5xi64>) {
  ^bb0(%p: i64, %q: i64):
    %m = arith.muli %q, %k : i64
    %s = arith.subi %p, %m : i64
    tm_tensor.yield %s : i64
  } -> tensor<3x8x5xi64>, tensor<8x5xi64>
  %r = tensor.extract_slice %0#0[0, 7, 4] [3, 1, 1] [1, 1, 1] : tensor<3x8x5xi64> to tensor<3xi64>
  %t = tensor.extract_slice %1#0[0, 2, 1] [3, 1, 1] [1, 1, 1] : tensor<3x8x5xi64> to tensor<3xi64>
  return %r, %t : tensor<3xi64>, tensor<3xi64>
}

func.func @sorted(%x: tensor<2x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xi64>) {
  %i = arith.constant dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<2x5xi64>
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<2x5xf32>, tensor<2x5xi64>) {
  ^bb0(%a: f32, %b: f32, %ia: i64, %ib: i64):
    %s = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %s : i1
  } -> tensor<2x5xf32>, tensor<2x5xi64>
  return %0#0, %0#1 : tensor<2x5xf32>, tensor<2x5xi64>
}

func.func @falling(%x: tensor<?x2xi32>) -> tensor<?x2xi32> {
  %0 = "tm_tensor.sort"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.cmpi sgt, %a, %b : i32
    "tm_tensor.yield"(%s) : (i1) -> ()
  }) : (tensor<?x2xi32>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

func.func @best(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %v = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %i = arith.constant dense<0> : tensor<2x3xi32>
  %0:2 = tm_tensor.topk dimension(1) ins(%x : tensor<2x5xf32>)
      outs(%v, %i : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %s : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// Of equal values the lower index comes first.
func.func @lowest(%x: tensor<?x1xi64>, %p: tensor<?x1xi32>) -> (tensor<2x1xi64>, tensor<2x1xi32>) {
  %v = arith.constant dense<9223372036854775807> : tensor<2x1xi64>
  %i = arith.constant dense<0> : tensor<2x1xi32>
  %0:2 = tm_tensor.topk dimension(0) ins(%x, %p : tensor<?x1xi64>, tensor<?x1xi32>)
      outs(%v, %i : tensor<2x1xi64>, tensor<2x1xi32>) {
  ^bb0(%a: i64, %b: i64):
    %s = arith.cmpi slt, %a, %b : i64
    tm_tensor.yield %s : i1
  } -> tensor<2x1xi64>, tensor<2x1xi32>
  return %0#0, %0#1 : tensor<2x1xi64>, tensor<2x1xi32>
}

func.func @replaced(%x: tensor<6xf32>, %u: tensor<3xf32>, %i: tensor<3x1xi32>) -> tensor<6xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true)
      ins(%u, %i : tensor<3xf32>, tensor<3x1xi32>) outs(%x : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @added(%x: tensor<?x2xi32>, %u: tensor<?x2xi32>, %i: tensor<?x1xi64>) -> tensor<?x2xi32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%u, %i : tensor<?x2xi32>, tensor<?x1xi64>) outs(%x : tensor<?x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %b, %a : i32
    tm_tensor.yield %s : i32
  } -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// An update of two rows starts at the indexed one.
func.func @window(%x: tensor<4x3xf32>, %u: tensor<2x2x3xf32>, %i: tensor<2x1xi32>) -> tensor<4x3xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true)
      ins(%u, %i : tensor<2x2x3xf32>, tensor<2x1xi32>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// The first index is along the second dimension.
func.func @crossed(%x: tensor<2x3xi32>, %u: tensor<2xi32>, %i: tensor<2x2xi32>) -> tensor<2x3xi32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true)
      ins(%u, %i : tensor<2xi32>, tensor<2x2xi32>) outs(%x : tensor<2x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    tm_tensor.yield %a : i32
  } -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// Sums of several updates are f32: in f16, one is lost beside 2048.
func.func @narrow(%x: tensor<2xf16>, %u: tensor<3xf16>, %i: tensor<3x1xi32>) -> tensor<2xf16> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%u, %i : tensor<3xf16>, tensor<3x1xi32>) outs(%x : tensor<2xf16>) {
  ^bb0(%a: f16, %b: f16):
    %s = arith.addf %b, %a : f16
    tm_tensor.yield %s : f16
  } -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

func.func @attend(%q: tensor<1x2x1xf32>, %k: tensor<1x?x1xf32>, %v: tensor<1x?x2xf32>) -> tensor<1x2x2xf32> {
  %e = tensor.empty() : tensor<1x2x2xf32>
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<1x2x1xf32>, tensor<1x?x1xf32>, tensor<1x?x2xf32>)
      outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// The second query has no keys.
func.func @masked(%q: tensor<1x2x2xf32>, %k: tensor<1x3x2xf32>, %v: tensor<1x3x1xf32>, %m: tensor<1x2x3xi1>) -> tensor<1x2x1xf32> {
  %e = tensor.empty() : tensor<1x2x1xf32>
  %0 = tm_tensor.attention {scale = 2.0 : f64}
      ins(%q, %k, %v, %m : tensor<1x2x2xf32>, tensor<1x3x2xf32>, tensor<1x3x1xf32>, tensor<1x2x3xi1>)
      outs(%e : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return %0 : tensor<1x2x1xf32>
}

func.func @heads(%q: tensor<1x2x1x1xf16>, %k: tensor<1x2x2x1xf16>, %v: tensor<1x2x2x1xf16>, %m: tensor<1x2x1x2xf16>) -> tensor<1x2x1x1xf16> {
  %e = tensor.empty() : tensor<1x2x1x1xf16>
  %0 = tm_tensor.attention
      ins(%q, %k, %v, %m : tensor<1x2x1x1xf16>, tensor<1x2x2x1xf16>, tensor<1x2x2x1xf16>, tensor<1x2x1x2xf16>)
      outs(%e : tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16>
  return %0 : tensor<1x2x1x1xf16>
}
