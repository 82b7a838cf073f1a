// A division of integers that has no result is an error with a place, on every
// device, and not a crash or some number.

// DEFINE: %{entry} = none
// DEFINE: %{run} = hetero-run %s --entry=%{entry}

// REDEFINE: %{entry} = elementwise
// RUN: %{run} --rules='default: cpu' --input=37xi32=-7 --input=37xi32=2 --expected=37xi32=-3
// RUN: %{run} --rules='{default: "gpu:0"}' --input=37xi32=-7 --input=37xi32=2 --expected=37xi32=-3
// RUN: %{run} --input=37xi32=-7 --input=37xi32=2 --expected=37xi32=-3
// RUN: %{run} --rules='default: cpu' --input=37xi32=-2147483648 --input=37xi32=1 --expected=37xi32=-2147483648
// RUN: not %{run} --rules='default: cpu' --input=37xi32=7 --input=37xi32=iota 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=37xi32=7 --input=37xi32=iota 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not %{run} --input=37xi32=7 --input=37xi32=iota 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: expected the divisor of arith.divsi at divisions.mlir:[[# @LINE + 5]]:8 to be another number than 0; pass one that is
// RUN: not %{run} --rules='default: cpu' --input=37xi32=-2147483648 --input=37xi32=-1 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=37xi32=-2147483648 --input=37xi32=-1 2>&1 | FileCheck %s --check-prefix=LEAST
// LEAST: expected the quotient of arith.divsi at divisions.mlir:[[# @LINE + 2]]:8 to fit its type, but the least number is divided by -1; pass other numbers, or a wider type
func.func @elementwise(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.divsi %a, %b : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// The last lanes count, and no lanes after them.
// REDEFINE: %{entry} = last
// RUN: %{run} --rules='default: cpu' --input=37xi64=-7 --input=37xi64=-2 --expected=37xi64=-1,-1,-3,-2,-1,0,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7
// RUN: not %{run} --rules='default: cpu' --input=37xi64=7 --input=37xi64=36 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=37xi64=7 --input=37xi64=36 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: expected the divisor of arith.remsi at divisions.mlir:[[# @LINE + 7]]:10 to be another number than 0
func.func @last(%a: tensor<37xi64>, %b: tensor<37xi64>) -> tensor<37xi64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<37xi64>) outs(%b : tensor<37xi64>) {
  ^bb0(%x: i64, %y: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %d = arith.subi %y, %n : i64
    %q = arith.remsi %x, %d : i64
    linalg.yield %q : i64
  } -> tensor<37xi64>
  return %0 : tensor<37xi64>
}

// REDEFINE: %{entry} = named
// RUN: %{run} --rules='default: cpu' --input=21xi16=9 --input=21xi16=2 --expected=21xi16=4 --expected=21xi16=4
// RUN: %{run} --rules='{default: "gpu:0"}' --input=21xi16=9 --input=21xi16=2 --expected=21xi16=4 --expected=21xi16=4
// RUN: not %{run} --rules='default: cpu' --input=21xi16=9 --input=21xi16=0 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=21xi16=9 --input=21xi16=0 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: expected the divisor of linalg.div{{(_unsigned)?}} at divisions.mlir:{{[0-9]+}}:8 to be another number than 0
func.func @named(%a: tensor<21xi16>, %b: tensor<21xi16>) -> (tensor<21xi16>, tensor<21xi16>) {
  %e = tensor.empty() : tensor<21xi16>
  %0 = linalg.div ins(%a, %b : tensor<21xi16>, tensor<21xi16>) outs(%e : tensor<21xi16>) -> tensor<21xi16>
  %1 = linalg.div_unsigned ins(%a, %b : tensor<21xi16>, tensor<21xi16>) outs(%e : tensor<21xi16>) -> tensor<21xi16>
  return %0, %1 : tensor<21xi16>, tensor<21xi16>
}

// Sums over divisions, of sizes that no tile divides.
// REDEFINE: %{entry} = contraction
// RUN: %{run} --rules='default: cpu' --input=5x7xi32=7 --input=7x9xi32=2 --expected=5x9xi32=21
// RUN: %{run} --rules='{default: "gpu:0"}' --input=5x7xi32=7 --input=7x9xi32=2 --expected=5x9xi32=21
// RUN: not %{run} --rules='default: cpu' --input=5x7xi32=7 --input=7x9xi32=iota 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=5x7xi32=7 --input=7x9xi32=iota 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: expected the divisor of arith.divui at divisions.mlir:[[# @LINE + 7]]:10 to be another number than 0
func.func @contraction(%a: tensor<5x7xi32>, %b: tensor<7x9xi32>) -> tensor<5x9xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x9xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x9xi32>) -> tensor<5x9xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<5x7xi32>, tensor<7x9xi32>) outs(%f : tensor<5x9xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %1 = arith.divui %x, %y : i32
    %2 = arith.addi %o, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x9xi32>
  return %0 : tensor<5x9xi32>
}

// No iterations, no divisions.
// REDEFINE: %{entry} = rows
// RUN: %{run} --rules='default: cpu' --input=3x5xi64=7 --input=5xi64=-2 --expected=3x5xi64=-4
// RUN: %{run} --rules='default: cpu' --input=0x5xi64=7 --input=5xi64=0
// RUN: %{run} --rules='{default: "gpu:0"}' --input=0x5xi64=7 --input=5xi64=0
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=1x5xi64=7 --input=5xi64=0 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: expected the divisor of arith.floordivsi at divisions.mlir:[[# @LINE + 9]]:10 to be another number than 0
func.func @rows(%a: tensor<?x?xi64>, %b: tensor<?xi64>) -> tensor<?x?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xi64>
  %n = tensor.dim %a, %c1 : tensor<?x?xi64>
  %e = tensor.empty(%m, %n) : tensor<?x?xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x?xi64>, tensor<?xi64>) outs(%e : tensor<?x?xi64>) {
  ^bb0(%x: i64, %y: i64, %o: i64):
    %1 = arith.floordivsi %x, %y : i64
    linalg.yield %1 : i64
  } -> tensor<?x?xi64>
  return %0 : tensor<?x?xi64>
}

// What does not run is not checked, and stays where it does not run.
// REDEFINE: %{entry} = branches
// RUN: %{run} --rules='default: cpu' --input=8xi32=7 --input=8xi32=0 --input=i1=0 --input=i32=0 --expected=8xi32=7 --expected=i32=0
// RUN: %{run} --rules='{default: "gpu:0"}' --input=8xi32=7 --input=8xi32=0 --input=i1=0 --input=i32=0 --expected=8xi32=7 --expected=i32=0
// RUN: %{run} --input=8xi32=7 --input=8xi32=2 --input=i1=1 --input=i32=3 --expected=8xi32=3 --expected=i32=33
// RUN: not %{run} --rules='default: cpu' --input=8xi32=7 --input=8xi32=2 --input=i1=1 --input=i32=0 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=8xi32=7 --input=8xi32=2 --input=i1=1 --input=i32=0 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: error: expected the divisor of arith.divsi at divisions.mlir:[[# @LINE + 5]]:10 to be another number than 0
func.func @branches(%a: tensor<8xi32>, %b: tensor<8xi32>, %p: i1, %s: i32) -> (tensor<8xi32>, i32) {
  %0:2 = scf.if %p -> (tensor<8xi32>, i32) {
    %1 = arith.divsi %a, %b : tensor<8xi32>
    %c = arith.constant 100 : i32
    %2 = arith.divsi %c, %s : i32
    scf.yield %1, %2 : tensor<8xi32>, i32
  } else {
    scf.yield %a, %s : tensor<8xi32>, i32
  }
  return %0#0, %0#1 : tensor<8xi32>, i32
}

// REDEFINE: %{entry} = conditional
// RUN: %{run} --rules='default: cpu' --input=5xi16=12 --input=5xi16=iota --expected=5xi16=0,12,6,4,3
// RUN: %{run} --rules='{default: "gpu:0"}' --input=5xi16=12 --input=5xi16=iota --expected=5xi16=0,12,6,4,3
func.func @conditional(%a: tensor<5xi16>, %b: tensor<5xi16>) -> tensor<5xi16> {
  %zero = arith.constant 0 : i16
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<5xi16>) outs(%b : tensor<5xi16>) {
  ^bb0(%x: i16, %y: i16):
    %p = arith.cmpi ne, %y, %zero : i16
    %q = scf.if %p -> i16 {
      %1 = arith.divui %x, %y : i16
      scf.yield %1 : i16
    } else {
      scf.yield %zero : i16
    }
    linalg.yield %q : i16
  } -> tensor<5xi16>
  return %0 : tensor<5xi16>
}

// The usual way to divide by what may be zero.
// REDEFINE: %{entry} = selected
// RUN: %{run} --rules='default: cpu' --input=19xi8=0 --input=19xi8=iota --expected=19xi8=0
// RUN: %{run} --rules='{default: "gpu:0"}' --input=19xi8=0 --input=19xi8=iota --expected=19xi8=0
func.func @selected(%a: tensor<19xi8>, %b: tensor<19xi8>) -> tensor<19xi8> {
  %zero = arith.constant dense<0> : tensor<19xi8>
  %one = arith.constant dense<1> : tensor<19xi8>
  %p = arith.cmpi eq, %b, %zero : tensor<19xi8>
  %d = arith.select %p, %one, %b : tensor<19xi1>, tensor<19xi8>
  %q = arith.divsi %a, %d : tensor<19xi8>
  return %q : tensor<19xi8>
}

// Scalars, vectors and loops of the host.
// REDEFINE: %{entry} = host
// RUN: %{run} --input=index=7 --input=index=2 --expected=index=4 --expected=index=1
// RUN: not %{run} --input=index=7 --input=index=0 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: expected the divisor of index.ceildivs at divisions.mlir:[[# @LINE + 2]]:8 to be another number than 0
func.func @host(%a: index, %b: index) -> (index, index) {
  %0 = index.ceildivs %a, %b
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%a)[%b]
  return %0, %1 : index, index
}

// REDEFINE: %{entry} = vectors
// RUN: %{run} --input=8xi32=7 --input=8xi32=2 --expected=8xi32=4
// RUN: not %{run} --input=8xi32=7 --input=8xi32=iota 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: expected the divisor of arith.ceildivsi at divisions.mlir:[[# @LINE + 8]]:8 to be another number than 0
func.func @vectors(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %x = vector.transfer_read %a[%c0], %zero : tensor<8xi32>, vector<8xi32>
  %y = vector.transfer_read %b[%c0], %zero : tensor<8xi32>, vector<8xi32>
  %x2 = vector.shape_cast %x : vector<8xi32> to vector<2x4xi32>
  %y2 = vector.shape_cast %y : vector<8xi32> to vector<2x4xi32>
  %q = arith.ceildivsi %x2, %y2 : vector<2x4xi32>
  %q1 = vector.shape_cast %q : vector<2x4xi32> to vector<8xi32>
  %w = vector.transfer_write %q1, %a[%c0] : vector<8xi32>, tensor<8xi32>
  return %w : tensor<8xi32>
}

// REDEFINE: %{entry} = parallel
// RUN: %{run} --input=index=8 --input=index=2 --expected=index=3
// RUN: not %{run} --input=index=8 --input=index=0 2>&1 | FileCheck %s --check-prefix=PARALLEL
// PARALLEL: error: expected the divisor of arith.divui at divisions.mlir:[[# @LINE + 6]]:10 to be another number than 0
func.func @parallel(%n: index, %d: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %q = arith.divui %i, %d : index
    memref.store %q, %m[%i] : memref<8xindex>
  }
  %c7 = arith.constant 7 : index
  %r = memref.load %m[%c7] : memref<8xindex>
  return %r : index
}

// REDEFINE: %{entry} = powers
// RUN: %{run} --rules='default: cpu' --input=9xi32=0 --input=9xi32=3 --expected=9xi32=0
// RUN: not %{run} --rules='default: cpu' --input=9xi32=0 --input=9xi32=-1 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=9xi32=0 --input=9xi32=-1 2>&1 | FileCheck %s --check-prefix=POWER
// POWER: expected the exponent of math.ipowi at divisions.mlir:[[# @LINE + 2]]:8 to be 0 or more where its base is 0; pass another one
func.func @powers(%a: tensor<9xi32>, %b: tensor<9xi32>) -> tensor<9xi32> {
  %0 = math.ipowi %a, %b : tensor<9xi32>
  return %0 : tensor<9xi32>
}
