// Operations of arith, math and complex, on tensors and scalars, have the
// numbers of their definition on every device: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 1

// CASE: integers 4xi32=7,-7,9,-1 4xi32=2,2,-4,5 -> 4xi32=9,-5,5,4 4xi32=5,-9,13,-6 4xi32=14,-14,-36,-5 4xi32=3,-3,-2,0 4xi32=1,-1,1,-1 4xi32=3,-4,-3,-1 4xi32=4,-3,-2,0
// CASE: unsigned_integers 4xi32=7,-7,9,200 4xi32=2,3,-4,5 -> 4xi32=3,1431655763,0,40 4xi32=1,0,9,0 4xi32=4,1431655763,1,40 4xi32=7,-7,-4,200 4xi32=2,3,9,5 4xi32=7,3,9,200 4xi32=2,-7,-4,5
// CASE: bits 4xi32=12,-1,7,1 4xi32=3,4,1,31 -> 4xi32=0,4,1,1 4xi32=15,-1,7,31 4xi32=15,-5,6,30 4xi32=96,-16,14,-2147483648 4xi32=1,-1,3,0 4xi32=1,268435455,3,0
// CASE: narrow_integers 3xi8=100,-100,127 3xi8=100,-100,1 -> 3xi8=-56,56,-128 3xi8=0,0,126 3xi8=16,16,127 3xi8=100,-100,127 3xi8=100,-100,127
// CASE: wide_integers 3xi64=1099511627776,-5,4611686018427387904 3xi64=3,7,4 -> 3xi64=1099511627779,2,4611686018427387908 3xi64=3298534883328,-35,0 3xi64=366503875925,0,1152921504606846976
// CASE: floats 4xf32=2.5,7.5,0.25,9 4xf32=2,2,-0.5,5 -> 4xf32=4.5,9.5,-0.25,14 4xf32=0.5,5.5,0.75,4 4xf32=5,15,-0.125,45 4xf32=1.25,3.75,-0.5,1.8 4xf32=0.5,1.5,0.25,4 4xf32=2.5,7.5,0.25,9 4xf32=2,2,-0.5,5 4xf32=2.5,7.5,0.25,9 4xf32=2,2,-0.5,5 4xf32=6.25,56.25,2,59049 4xf32=2.5,7.5,-0.25,9 4xf32=0.8960554,1.310194,2.6779451,1.0636978
// CASE: not_a_number 3xf32=nan,1,nan 3xf32=1,nan,nan -> 3xf32=nan,nan,nan 3xf32=nan,nan,nan 3xf32=1,1,nan 3xf32=1,1,nan
// CASE: doubles 3xf64=1e+300,0.1,3 3xf64=0.5,0.2,0.5 -> 3xf64=1e+300,0.30000000000000004,3.5 3xf64=2e+300,0.5,6 3xf64=1e+150,0.6309573444801932,1.7320508075688772
// CASE: rounding 5xf32=-2.5,-0.5,0.25,1.5,2.5 -> 5xf32=-2,-0,1,2,3 5xf32=-3,-1,0,1,2 5xf32=-3,-1,0,2,3 5xf32=-2,-0,0,2,2 5xf32=-2,-0,0,1,2 5xf32=2.5,0.5,0.25,1.5,2.5 5xf32=2.5,0.5,-0.25,-1.5,-2.5
// CASE: exponentials 5xf32=-2.5,-0.5,0.25,1.5,2.5 -> 5xf32=0.082085,0.60653067,1.2840254,4.481689,12.182494 5xf32=0.17677669,0.70710677,1.1892071,2.828427,5.656854 5xf32=-0.917915,-0.39346933,0.28402543,3.481689,11.182494 5xf32=-0.9866143,-0.46211717,0.24491866,0.90514827,0.9866143 5xf32=-6.0502043,-0.5210953,0.25261232,2.1292794,6.0502043 5xf32=6.1322894,1.127626,1.0314131,2.3524096,6.1322894 5xf32=-0.999593,-0.5204999,0.2763264,0.96610516,0.999593 5xf32=1.999593,1.5204998,0.7236736,0.03389485,0.00040695202
// CASE: logarithms 5xf32=0.25,0.5,1,2,9 -> 5xf32=-1.3862944,-0.6931472,0,0.6931472,2.1972246 5xf32=-2,-1,0,1,3.169925 5xf32=-0.60206,-0.30103,0,0.30103,0.9542425 5xf32=0.22314355,0.4054651,0.6931472,1.0986123,2.3025851 5xf32=0.5,0.70710677,1,1.4142135,3 5xf32=2,1.4142135,1,0.70710677,0.33333334 5xf32=0.62996054,0.7937005,1,1.2599211,2.0800838
// CASE: angles 5xf32=-2.5,-0.5,0.25,1.5,2.5 -> 5xf32=-0.5984721,-0.47942555,0.24740396,0.997495,0.5984721 5xf32=-0.8011436,0.87758255,0.9689124,0.0707372,-0.8011436 5xf32=0.7470223,-0.5463025,0.25534192,14.10142,-0.7470223 5xf32=-1.19029,-0.4636476,0.24497867,0.98279375,1.19029
// CASE: inverse_angles 5xf32=-1,-0.5,0,0.25,0.75 -> 5xf32=-1.5707964,-0.5235988,0,0.25268024,0.8480621 5xf32=3.1415927,2.0943952,1.5707964,1.3181161,0.7227343 5xf32=-0.8813736,-0.4812118,0,0.24746646,0.6931472
// CASE: inverse_hyperbolic 5xf32=1.25,1.5,2,3,10 -> 5xf32=0.6931472,0.9624236,1.316958,1.7627472,2.993223
// CASE: inverse_tangent 5xf32=-0.5,-0.25,0,0.125,0.375 -> 5xf32=-0.54930615,-0.25541282,0,0.12565722,0.39422867
// CASE: counts_of_bits 5xi32=0,1,-1,40,255 -> 5xi32=0,1,32,2,8 5xi32=32,31,0,26,24 5xi32=32,0,0,3,0 5xi32=0,1,1,40,255
// CASE: fused 3xf32=1,2,3 3xf32=4,5,6 3xf32=0.5,-0.5,1 -> 3xf32=4.5,9.5,19
// CASE: compared_integers 4xi32=1,-1,5,5 4xi32=2,1,5,-5 -> 4xi1=0,0,1,0 4xi1=1,1,0,1 4xi1=1,1,0,0 4xi1=1,1,1,0 4xi1=0,0,0,1 4xi1=0,0,1,1 4xi1=1,0,0,1 4xi1=1,0,1,1 4xi1=0,1,0,0 4xi1=0,1,1,0
// CASE: compared_floats 4xf32=1,nan,2,3 4xf32=1,1,3,2 -> 4xi1=1,0,0,0 4xi1=0,0,0,1 4xi1=1,0,0,1 4xi1=0,0,1,0 4xi1=1,0,1,0 4xi1=0,0,1,1 4xi1=1,0,1,1 4xi1=1,1,0,0 4xi1=0,1,0,1 4xi1=1,1,0,1 4xi1=0,1,1,0 4xi1=1,1,1,0 4xi1=0,1,1,1 4xi1=0,1,0,0
// CASE: extended 4xi8=-128,-1,0,127 -> 4xi32=-128,-1,0,127 4xi32=128,255,0,127 4xf32=-128,-1,0,127 4xf32=128,255,0,127
// CASE: truncated 3xi32=255,256,-129 4xf32=-2.75,0.5,100.25,200.5 -> 3xi8=-1,0,127 3xi1=1,0,1 4xi32=-2,0,100,200 4xi8=2,0,100,-56 4xf16=-2.75,0.5,100.25,200.5
// CASE: half_formats 3xf16=1.5,-2,0.25 3xbf16=1.5,-2,96 -> 3xf32=1.5,-2,0.25 3xf64=1.5,-2,96 3xf16=2.25,4,0.0625 3xbf16=3,-4,192
// CASE: selected 3xi1=1,0,1 3xf32=iota 3xf32=7,8,9 i1=0 -> 3xf32=0,8,2 3xf32=7,8,9
// CASE: wide_products 3xi32=100000,-1,-5 3xi32=100000,-1,3 -> 3xi32=1410065408,1,-15 3xi32=2,0,-1 3xi32=2,-2,2 3xi1=0,1,0
// CASE: powers_of_integers 3xf32=2,0.5,-3 3xi32=3,2,0 3xi32=3,-4,7 -> 3xf32=8,0.25,1 3xi32=27,16,1
// CASE: classes 4xf32=nan,1,inf,-inf -> 4xi1=1,0,0,0 4xi1=0,0,1,1 4xi1=0,1,0,0
// CASE: scalars i32=-10 f64=2.25 index=23 -> i32=-3 f64=1.5 index=2 i64=-230
// CASE: complex_numbers 3xf32=3,1,-2 3xf32=4,-1,0.5 -> 3xf32=-4,1,1.75 3xf32=28,-3,-1.5 3xf32=5,1.4142135623730951,2.0615528128088303

func.func @integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %0 = arith.addi %a, %b : tensor<4xi32>
  %1 = arith.subi %a, %b : tensor<4xi32>
  %2 = arith.muli %a, %b : tensor<4xi32>
  %3 = arith.divsi %a, %b : tensor<4xi32>
  %4 = arith.remsi %a, %b : tensor<4xi32>
  %5 = arith.floordivsi %a, %b : tensor<4xi32>
  %6 = arith.ceildivsi %a, %b : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

func.func @unsigned_integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %0 = arith.divui %a, %b : tensor<4xi32>
  %1 = arith.remui %a, %b : tensor<4xi32>
  %2 = arith.ceildivui %a, %b : tensor<4xi32>
  %3 = arith.maxui %a, %b : tensor<4xi32>
  %4 = arith.minui %a, %b : tensor<4xi32>
  %5 = arith.maxsi %a, %b : tensor<4xi32>
  %6 = arith.minsi %a, %b : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

func.func @bits(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %0 = arith.andi %a, %b : tensor<4xi32>
  %1 = arith.ori %a, %b : tensor<4xi32>
  %2 = arith.xori %a, %b : tensor<4xi32>
  %3 = arith.shli %a, %b : tensor<4xi32>
  %4 = arith.shrsi %a, %b : tensor<4xi32>
  %5 = arith.shrui %a, %b : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// They wrap.
func.func @narrow_integers(%a: tensor<3xi8>, %b: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %0 = arith.addi %a, %b : tensor<3xi8>
  %1 = arith.subi %a, %b : tensor<3xi8>
  %2 = arith.muli %a, %b : tensor<3xi8>
  %3 = arith.maxsi %a, %b : tensor<3xi8>
  %4 = arith.maxui %a, %b : tensor<3xi8>
  return %0, %1, %2, %3, %4 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

func.func @wide_integers(%a: tensor<3xi64>, %b: tensor<3xi64>) -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %0 = arith.addi %a, %b : tensor<3xi64>
  %1 = arith.muli %a, %b : tensor<3xi64>
  %2 = arith.divsi %a, %b : tensor<3xi64>
  return %0, %1, %2 : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}

func.func @floats(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.addf %a, %b : tensor<4xf32>
  %1 = arith.subf %a, %b : tensor<4xf32>
  %2 = arith.mulf %a, %b : tensor<4xf32>
  %3 = arith.divf %a, %b : tensor<4xf32>
  %4 = arith.remf %a, %b : tensor<4xf32>
  %5 = arith.maximumf %a, %b : tensor<4xf32>
  %6 = arith.minimumf %a, %b : tensor<4xf32>
  %7 = arith.maxnumf %a, %b : tensor<4xf32>
  %8 = arith.minnumf %a, %b : tensor<4xf32>
  %9 = math.powf %a, %b : tensor<4xf32>
  %10 = math.copysign %a, %b : tensor<4xf32>
  %11 = math.atan2 %a, %b : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The first two pass it on, the others drop it.
func.func @not_a_number(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.maximumf %a, %b : tensor<3xf32>
  %1 = arith.minimumf %a, %b : tensor<3xf32>
  %2 = arith.maxnumf %a, %b : tensor<3xf32>
  %3 = arith.minnumf %a, %b : tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @doubles(%a: tensor<3xf64>, %b: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0 = arith.addf %a, %b : tensor<3xf64>
  %1 = arith.divf %a, %b : tensor<3xf64>
  %2 = math.powf %a, %b : tensor<3xf64>
  return %0, %1, %2 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

func.func @rounding(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.ceil %a : tensor<5xf32>
  %1 = math.floor %a : tensor<5xf32>
  %2 = math.round %a : tensor<5xf32>
  %3 = math.roundeven %a : tensor<5xf32>
  %4 = math.trunc %a : tensor<5xf32>
  %5 = math.absf %a : tensor<5xf32>
  %6 = arith.negf %a : tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @exponentials(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.exp %a : tensor<5xf32>
  %1 = math.exp2 %a : tensor<5xf32>
  %2 = math.expm1 %a : tensor<5xf32>
  %3 = math.tanh %a : tensor<5xf32>
  %4 = math.sinh %a : tensor<5xf32>
  %5 = math.cosh %a : tensor<5xf32>
  %6 = math.erf %a : tensor<5xf32>
  %7 = math.erfc %a : tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @logarithms(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.log %a : tensor<5xf32>
  %1 = math.log2 %a : tensor<5xf32>
  %2 = math.log10 %a : tensor<5xf32>
  %3 = math.log1p %a : tensor<5xf32>
  %4 = math.sqrt %a : tensor<5xf32>
  %5 = math.rsqrt %a : tensor<5xf32>
  %6 = math.cbrt %a : tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @angles(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.sin %a : tensor<5xf32>
  %1 = math.cos %a : tensor<5xf32>
  %2 = math.tan %a : tensor<5xf32>
  %3 = math.atan %a : tensor<5xf32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @inverse_angles(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.asin %a : tensor<5xf32>
  %1 = math.acos %a : tensor<5xf32>
  %2 = math.asinh %a : tensor<5xf32>
  return %0, %1, %2 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @inverse_hyperbolic(%a: tensor<5xf32>) -> (tensor<5xf32>) {
  %0 = math.acosh %a : tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @inverse_tangent(%a: tensor<5xf32>) -> (tensor<5xf32>) {
  %0 = math.atanh %a : tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @counts_of_bits(%a: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %0 = math.ctpop %a : tensor<5xi32>
  %1 = math.ctlz %a : tensor<5xi32>
  %2 = math.cttz %a : tensor<5xi32>
  %3 = math.absi %a : tensor<5xi32>
  return %0, %1, %2, %3 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}

func.func @fused(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> (tensor<3xf32>) {
  %0 = math.fma %a, %b, %c : tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @compared_integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = arith.cmpi eq, %a, %b : tensor<4xi32>
  %1 = arith.cmpi ne, %a, %b : tensor<4xi32>
  %2 = arith.cmpi slt, %a, %b : tensor<4xi32>
  %3 = arith.cmpi sle, %a, %b : tensor<4xi32>
  %4 = arith.cmpi sgt, %a, %b : tensor<4xi32>
  %5 = arith.cmpi sge, %a, %b : tensor<4xi32>
  %6 = arith.cmpi ult, %a, %b : tensor<4xi32>
  %7 = arith.cmpi ule, %a, %b : tensor<4xi32>
  %8 = arith.cmpi ugt, %a, %b : tensor<4xi32>
  %9 = arith.cmpi uge, %a, %b : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

func.func @compared_floats(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = arith.cmpf oeq, %a, %b : tensor<4xf32>
  %1 = arith.cmpf ogt, %a, %b : tensor<4xf32>
  %2 = arith.cmpf oge, %a, %b : tensor<4xf32>
  %3 = arith.cmpf olt, %a, %b : tensor<4xf32>
  %4 = arith.cmpf ole, %a, %b : tensor<4xf32>
  %5 = arith.cmpf one, %a, %b : tensor<4xf32>
  %6 = arith.cmpf ord, %a, %b : tensor<4xf32>
  %7 = arith.cmpf ueq, %a, %b : tensor<4xf32>
  %8 = arith.cmpf ugt, %a, %b : tensor<4xf32>
  %9 = arith.cmpf uge, %a, %b : tensor<4xf32>
  %10 = arith.cmpf ult, %a, %b : tensor<4xf32>
  %11 = arith.cmpf ule, %a, %b : tensor<4xf32>
  %12 = arith.cmpf une, %a, %b : tensor<4xf32>
  %13 = arith.cmpf uno, %a, %b : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

func.func @extended(%a: tensor<4xi8>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.extsi %a : tensor<4xi8> to tensor<4xi32>
  %1 = arith.extui %a : tensor<4xi8> to tensor<4xi32>
  %2 = arith.sitofp %a : tensor<4xi8> to tensor<4xf32>
  %3 = arith.uitofp %a : tensor<4xi8> to tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

func.func @truncated(%a: tensor<3xi32>, %x: tensor<4xf32>) -> (tensor<3xi8>, tensor<3xi1>, tensor<4xi32>, tensor<4xi8>, tensor<4xf16>) {
  %0 = arith.trunci %a : tensor<3xi32> to tensor<3xi8>
  %1 = arith.trunci %a : tensor<3xi32> to tensor<3xi1>
  %2 = arith.fptosi %x : tensor<4xf32> to tensor<4xi32>
  %y = math.absf %x : tensor<4xf32>
  %3 = arith.fptoui %y : tensor<4xf32> to tensor<4xi8>
  %4 = arith.truncf %x : tensor<4xf32> to tensor<4xf16>
  return %0, %1, %2, %3, %4 : tensor<3xi8>, tensor<3xi1>, tensor<4xi32>, tensor<4xi8>, tensor<4xf16>
}

func.func @half_formats(%a: tensor<3xf16>, %b: tensor<3xbf16>) -> (tensor<3xf32>, tensor<3xf64>, tensor<3xf16>, tensor<3xbf16>) {
  %0 = arith.extf %a : tensor<3xf16> to tensor<3xf32>
  %1 = arith.extf %b : tensor<3xbf16> to tensor<3xf64>
  %2 = arith.mulf %a, %a : tensor<3xf16>
  %3 = arith.addf %b, %b : tensor<3xbf16>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf64>, tensor<3xf16>, tensor<3xbf16>
}

func.func @selected(%c: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<3xf32>, %d: i1) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.select %c, %a, %b : tensor<3xi1>, tensor<3xf32>
  %1 = arith.select %d, %a, %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

func.func @wide_products(%a: tensor<3xi32>, %b: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi1>) {
  %0:2 = arith.mulsi_extended %a, %b : tensor<3xi32>
  %1:2 = arith.mului_extended %a, %b : tensor<3xi32>
  %2, %3 = arith.addui_extended %a, %b : tensor<3xi32>, tensor<3xi1>
  return %0#0, %0#1, %1#1, %3 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi1>
}

func.func @powers_of_integers(%x: tensor<3xf32>, %n: tensor<3xi32>, %b: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0 = math.fpowi %x, %n : tensor<3xf32>, tensor<3xi32>
  %1 = math.ipowi %b, %n : tensor<3xi32>
  return %0, %1 : tensor<3xf32>, tensor<3xi32>
}

func.func @classes(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = math.isnan %x : tensor<4xf32>
  %1 = math.isinf %x : tensor<4xf32>
  %2 = math.isfinite %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

func.func @scalars(%a: i32, %x: f64, %i: index) -> (i32, f64, index, i64) {
  %c = arith.constant 3 : i32
  %0 = arith.divsi %a, %c : i32
  %1 = math.sqrt %x : f64
  %k = arith.constant 7 : index
  %2 = arith.remui %i, %k : index
  %3 = arith.index_cast %i : index to i64
  %4 = arith.extsi %a : i32 to i64
  %5 = arith.muli %3, %4 : i64
  return %0, %1, %2, %5 : i32, f64, index, i64
}

func.func @complex_numbers(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %0:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%e, %e, %e : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%x: f32, %y: f32, %o0: f32, %o1: f32, %o2: f32):
    %z = complex.create %x, %y : complex<f32>
    %s = complex.mul %z, %z : complex<f32>
    %d = complex.div %s, %z : complex<f32>
    %t = complex.add %s, %d : complex<f32>
    %re = complex.re %t : complex<f32>
    %im = complex.im %t : complex<f32>
    %m = complex.abs %z : complex<f32>
    linalg.yield %re, %im, %m : f32, f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
