// Reductions of complex numbers, or of what is computed of them, have the same
// numbers on every device: along rows and columns, of all elements, of padded
// ones and of products.

// DEFINE: %{values} = \
// DEFINE:   '--input=8xcomplex<f32>=3+4j' '--expected=f32=40' \
// DEFINE:   '--input=3x70xcomplex<f32>=3-4j' '--expected=3xf32=350' \
// DEFINE:   '--input=70x3xcomplex<f32>=3-4j' '--expected=3xf32=350' \
// DEFINE:   '--input=2x67xcomplex<f64>=iota' '--expected=2xf64=66,133' \
// DEFINE:   '--input=3x40xcomplex<f32>=1j' '--expected=3xi1=0' \
// DEFINE:   '--input=50xcomplex<f16>=0.5-1j' '--expected=complex<f16>=25-50j' \
// DEFINE:   '--input=3x130xcomplex<f64>=1-2j' '--expected=3xcomplex<f64>=130-260j' \
// DEFINE:   '--input=3x40xcomplex<f32>=1-2j' '--input=3x40xf32=2' '--expected=3xf32=-160' \
// DEFINE:   '--input=33xcomplex<f32>=1-2j' '--input=33xcomplex<f32>=1-2j' '--expected=complex<f32>=165' \
// DEFINE:   '--input=5x40xcomplex<f32>=1-2j' '--input=40x6xcomplex<f32>=3+1j' '--expected=5x6xf32=200' \
// DEFINE:   '--input=2x35xcomplex<f32>=3+4j' '--expected=2xf32=175' \
// DEFINE:   '--input=2x48xcomplex<f32>=3+4j' '--expected=2x48xf32=0.020833334'
// RUN: hetero-run %s --default=cpu %{values}
// RUN: hetero-run %s --default=gpu:0 %{values}

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i) -> ()>
#one = affine_map<(i) -> (i)>

func.func @main(%a0: tensor<8xcomplex<f32>>,
    %a1: tensor<3x70xcomplex<f32>>,
    %a2: tensor<70x3xcomplex<f32>>,
    %a3: tensor<2x67xcomplex<f64>>,
    %a4: tensor<3x40xcomplex<f32>>,
    %a5: tensor<50xcomplex<f16>>,
    %a6: tensor<3x130xcomplex<f64>>,
    %a7: tensor<3x40xcomplex<f32>>,
    %a8: tensor<3x40xf32>,
    %a9: tensor<33xcomplex<f32>>,
    %a10: tensor<33xcomplex<f32>>,
    %a11: tensor<5x40xcomplex<f32>>,
    %a12: tensor<40x6xcomplex<f32>>,
    %a13: tensor<2x35xcomplex<f32>>,
    %a14: tensor<2x48xcomplex<f32>>) -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf64>, tensor<3xi1>, tensor<complex<f16>>, tensor<3xcomplex<f64>>, tensor<3xf32>, tensor<complex<f32>>, tensor<5x6xf32>, tensor<2xf32>, tensor<2x48xf32>) {
  %norm = func.call @norm(%a0) : (tensor<8xcomplex<f32>>) -> tensor<f32>
  %norms_of_rows = func.call @norms_of_rows(%a1) : (tensor<3x70xcomplex<f32>>) -> tensor<3xf32>
  %norms_of_columns = func.call @norms_of_columns(%a2) : (tensor<70x3xcomplex<f32>>) -> tensor<3xf32>
  %largest_part = func.call @largest_part(%a3) : (tensor<2x67xcomplex<f64>>) -> tensor<2xf64>
  %any_zero = func.call @any_zero(%a4) : (tensor<3x40xcomplex<f32>>) -> tensor<3xi1>
  %sum_of_halves = func.call @sum_of_halves(%a5) : (tensor<50xcomplex<f16>>) -> tensor<complex<f16>>
  %sums_of_rows = func.call @sums_of_rows(%a6) : (tensor<3x130xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %weighted = func.call @weighted(%a7, %a8) : (tensor<3x40xcomplex<f32>>, tensor<3x40xf32>) -> tensor<3xf32>
  %inner_product = func.call @inner_product(%a9, %a10) : (tensor<33xcomplex<f32>>, tensor<33xcomplex<f32>>) -> tensor<complex<f32>>
  %real_product = func.call @real_product(%a11, %a12) : (tensor<5x40xcomplex<f32>>, tensor<40x6xcomplex<f32>>) -> tensor<5x6xf32>
  %padded = func.call @padded(%a13) : (tensor<2x35xcomplex<f32>>) -> tensor<2xf32>
  %softmax_of_norms = func.call @softmax_of_norms(%a14) : (tensor<2x48xcomplex<f32>>) -> tensor<2x48xf32>
  return %norm, %norms_of_rows, %norms_of_columns, %largest_part, %any_zero, %sum_of_halves, %sums_of_rows, %weighted, %inner_product, %real_product, %padded, %softmax_of_norms : tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf64>, tensor<3xi1>, tensor<complex<f16>>, tensor<3xcomplex<f64>>, tensor<3xf32>, tensor<complex<f32>>, tensor<5x6xf32>, tensor<2xf32>, tensor<2x48xf32>
}
func.func private @norm(%x: tensor<8xcomplex<f32>>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%x : tensor<8xcomplex<f32>>) outs(%zero : tensor<f32>) {
  ^bb0(%a: complex<f32>, %sum: f32):
    %1 = complex.abs %a : complex<f32>
    %2 = arith.addf %1, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @norms_of_rows(%x: tensor<3x70xcomplex<f32>>) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x70xcomplex<f32>>) outs(%zero : tensor<3xf32>) {
  ^bb0(%a: complex<f32>, %sum: f32):
    %1 = complex.abs %a : complex<f32>
    %2 = arith.addf %1, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @norms_of_columns(%x: tensor<70x3xcomplex<f32>>) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<70x3xcomplex<f32>>) outs(%zero : tensor<3xf32>) {
  ^bb0(%a: complex<f32>, %sum: f32):
    %1 = complex.abs %a : complex<f32>
    %2 = arith.addf %1, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @largest_part(%x: tensor<2x67xcomplex<f64>>) -> tensor<2xf64> {
  %least = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x67xcomplex<f64>>) outs(%least : tensor<2xf64>) {
  ^bb0(%a: complex<f64>, %most: f64):
    %1 = complex.re %a : complex<f64>
    %2 = arith.maximumf %1, %most : f64
    linalg.yield %2 : f64
  } -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
func.func private @any_zero(%x: tensor<3x40xcomplex<f32>>) -> tensor<3xi1> {
  %no = arith.constant dense<false> : tensor<3xi1>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x40xcomplex<f32>>) outs(%no : tensor<3xi1>) {
  ^bb0(%a: complex<f32>, %any: i1):
    %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
    %1 = complex.eq %a, %zero : complex<f32>
    %2 = arith.ori %1, %any : i1
    linalg.yield %2 : i1
  } -> tensor<3xi1>
  return %0 : tensor<3xi1>
}
func.func private @sum_of_halves(%x: tensor<50xcomplex<f16>>) -> tensor<complex<f16>> {
  %zero = arith.constant dense<(0.0, 0.0)> : tensor<complex<f16>>
  %0 = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%x : tensor<50xcomplex<f16>>) outs(%zero : tensor<complex<f16>>) {
  ^bb0(%a: complex<f16>, %sum: complex<f16>):
    %1 = complex.add %a, %sum : complex<f16>
    linalg.yield %1 : complex<f16>
  } -> tensor<complex<f16>>
  return %0 : tensor<complex<f16>>
}
func.func private @sums_of_rows(%x: tensor<3x130xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %e = tensor.empty() : tensor<3xcomplex<f64>>
  %start = linalg.fill ins(%zero : complex<f64>) outs(%e : tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x130xcomplex<f64>>) outs(%start : tensor<3xcomplex<f64>>) {
  ^bb0(%a: complex<f64>, %sum: complex<f64>):
    %1 = complex.add %a, %sum : complex<f64>
    linalg.yield %1 : complex<f64>
  } -> tensor<3xcomplex<f64>>
  return %0 : tensor<3xcomplex<f64>>
}
func.func private @weighted(%x: tensor<3x40xcomplex<f32>>, %w: tensor<3x40xf32>) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<3x40xcomplex<f32>>, tensor<3x40xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%a: complex<f32>, %b: f32, %sum: f32):
    %1 = complex.im %a : complex<f32>
    %2 = arith.mulf %1, %b : f32
    %3 = arith.addf %2, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @inner_product(%x: tensor<33xcomplex<f32>>, %y: tensor<33xcomplex<f32>>) -> tensor<complex<f32>> {
  %zero = arith.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = linalg.generic {indexing_maps = [#one, #one, #all], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<33xcomplex<f32>>, tensor<33xcomplex<f32>>) outs(%zero : tensor<complex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %sum: complex<f32>):
    %1 = complex.conj %a : complex<f32>
    %2 = complex.mul %1, %b : complex<f32>
    %3 = complex.add %2, %sum : complex<f32>
    linalg.yield %3 : complex<f32>
  } -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
func.func private @real_product(%x: tensor<5x40xcomplex<f32>>, %y: tensor<40x6xcomplex<f32>>) -> tensor<5x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<5x40xcomplex<f32>>, tensor<40x6xcomplex<f32>>) outs(%zero : tensor<5x6xf32>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %sum: f32):
    %1 = complex.mul %a, %b : complex<f32>
    %2 = complex.re %1 : complex<f32>
    %3 = arith.addf %2, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func private @padded(%x: tensor<2x35xcomplex<f32>>) -> tensor<2xf32> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : complex<f32>
  } : tensor<2x35xcomplex<f32>> to tensor<2x37xcomplex<f32>>
  %start = arith.constant dense<0.0> : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<2x37xcomplex<f32>>) outs(%start : tensor<2xf32>) {
  ^bb0(%a: complex<f32>, %sum: f32):
    %1 = complex.abs %a : complex<f32>
    %2 = arith.addf %1, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @softmax_of_norms(%x: tensor<2x48xcomplex<f32>>) -> tensor<2x48xf32> {
  %e = tensor.empty() : tensor<2x48xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x48xcomplex<f32>>) outs(%e : tensor<2x48xf32>) {
  ^bb0(%a: complex<f32>, %old: f32):
    %1 = complex.abs %a : complex<f32>
    linalg.yield %1 : f32
  } -> tensor<2x48xf32>
  %2 = linalg.softmax dimension(1) ins(%0 : tensor<2x48xf32>) outs(%e : tensor<2x48xf32>) -> tensor<2x48xf32>
  return %2 : tensor<2x48xf32>
}
