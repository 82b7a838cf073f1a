// Complex numbers, floats of 8 bits, and integers with a sign as arguments and
// results: on the host, on a gpu, and where the cost wants them.

// DEFINE: %{rules} = default: cpu
// DEFINE: %{run} = hetero-run %s --rules="%{rules}" --entry
// DEFINE: %{all} = %{run}=magnitude '--input=4xcomplex<f32>=3+4j,1,(0,-2),-5-12i' --expected=4xf32=5,1,2,13 \
// DEFINE:   && %{run}=polynomial '--input=2x3xcomplex<f64>=1,1j,1+1j,-1,2-1j,0' '--input=complex<f64>=1-2j' '--expected=2x3xcomplex<f64>=1-2j,-1-2j,0,1-2j,3-6j,-2j' '--expected=complex<f64>=-3-4j' \
// DEFINE:   && %{run}=product '--input=2x2xcomplex<f32>=1,1j,2,1+1j' '--input=2x2xcomplex<f32>=1j,2,3,4' '--expected=2x2xcomplex<f32>=0+4j,2+4j,3+5j,8+4j' \
// DEFINE:   && %{run}=sums '--input=2x70xcomplex<f32>=1-2j' '--expected=2xcomplex<f32>=71-139j' \
// DEFINE:   && %{run}=halves '--input=3xcomplex<f16>=1+2j,0.5,-1j' '--expected=3xcomplex<f16>=2+4j,1,-2j' \
// DEFINE:   && %{run}=scale --input=5xf8E5M2=1,2,-3,0.5,57344 --input=f8E5M2=1.5 --expected=5xf8E5M2=1.5,3,-4.5,0.75,inf --expected=f8E5M2=3 \
// DEFINE:   && %{run}=eighths --input=17x33xf8E4M3FN=0.5 --input=33x19xf8E4M3FN=2 --expected=17x19xf32=33 \
// DEFINE:   && %{run}=increment --input=4xui8=250,1,6,255 --expected=4xui8=251,3,0,3 --expected=4xf32=251,3,0,3 \
// DEFINE:   && %{run}=pass --input=3xsi16=-1,2,-32768 --input=ui64=18446744073709551615 --input=2x2xui32=4294967295 --expected=3xsi16=-1,2,-32768 --expected=ui64=18446744073709551615 --expected=2x2xui32=4294967295
// RUN: %{all}
// REDEFINE: %{rules} = {default: 'gpu:0'}
// RUN: %{all}
// REDEFINE: %{rules} = {}
// RUN: %{all}

// What comes out reads back as what went in, and says its type.
// RUN: hetero-run %s --entry=pass --input=3xsi16=-1,2,3 --input=ui64=7 --input=2x2xui32=4294967295 --output=%t.0.npy --output=%t.1.npy --output=%t.2.npy | FileCheck %s --check-prefix=PASS
// PASS: result[0]: tensor<3xsi16>
// PASS-NEXT: 3xsi16=-1 2 3
// PASS-NEXT: result[1]: ui64
// PASS-NEXT: ui64=7
// PASS-NEXT: result[2]: tensor<2x2xui32>
// PASS-NEXT: 2x2xui32=[4294967295 4294967295][4294967295 4294967295]
// RUN: hetero-run %s --entry=pass --input=@%t.0.npy --input=@%t.1.npy --input=@%t.2.npy --expected=3xsi16=-1,2,3 --expected=ui64=7 --expected=2x2xui32=4294967295
// RUN: hetero-run %s --entry=magnitude '--input=4xcomplex<f32>=3+4j' --output=%t.npy && FileCheck %s --check-prefix=NPY < %t.npy
// NPY: '<f4'
// RUN: hetero-run %s --entry=product '--input=2x2xcomplex<f32>=1' '--input=2x2xcomplex<f32>=1j' --output=%t.npy && FileCheck %s --check-prefix=COMPLEX < %t.npy
// COMPLEX: '<c8'
// RUN: hetero-run %s --entry=product --input=@%t.npy '--input=2x2xcomplex<f32>=1' '--expected=2x2xcomplex<f32>=4j'
// RUN: hetero-run %s --entry=scale --input=5xf8E5M2=1 --input=f8E5M2=1 --output=%t.npy && FileCheck %s --check-prefix=FLOAT8 < %t.npy
// FLOAT8: '<V1'

// A sign that is not the argument's is an error.
// RUN: not hetero-run %s --entry=increment --input=4xsi8=1 2>&1 | FileCheck %s --check-prefix=SIGN
// SIGN: error: --input 0: expected tensor<4xui8>, got tensor<4xsi8>

// The header and the executable have the types of the source.
// RUN: hetero-compile %s -o %t.exe --header=%t.h && FileCheck %s --check-prefix=HEADER < %t.h
// HEADER: arguments[0]: tensor<4xcomplex<f32>>
// HEADER: arguments[0]: tensor<4xui8>
// RUN: %t.exe --entry=polynomial '--input=2x3xcomplex<f64>=1j' '--input=complex<f64>=1-2j' '--expected=2x3xcomplex<f64>=-1-2j' '--expected=complex<f64>=-3-4j'
// RUN: %t.exe --entry=increment --input=4xui8=250,1,6,255 --expected=4xui8=251,3,0,3

#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

func.func @magnitude(%a: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%a : tensor<4xcomplex<f32>>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %1 = complex.abs %in : complex<f32>
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

/// x * x + s with a scalar from outside, and s * s on the host.
func.func @polynomial(%x: tensor<2x3xcomplex<f64>>, %s: complex<f64>)
    -> (tensor<2x3xcomplex<f64>>, complex<f64>) {
  %e = tensor.empty() : tensor<2x3xcomplex<f64>>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xcomplex<f64>>) outs(%e : tensor<2x3xcomplex<f64>>) {
  ^bb0(%in: complex<f64>, %out: complex<f64>):
    %1 = complex.mul %in, %in : complex<f64>
    %2 = complex.add %1, %s : complex<f64>
    %3 = complex.constant [1.0, 0.0] : complex<f64>
    %4 = complex.sub %2, %3 : complex<f64>
    linalg.yield %4 : complex<f64>
  } -> tensor<2x3xcomplex<f64>>
  %1 = complex.mul %s, %s : complex<f64>
  return %0, %1 : tensor<2x3xcomplex<f64>>, complex<f64>
}

func.func @product(%a: tensor<2x2xcomplex<f32>>, %b: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<2x2xcomplex<f32>>
  %f = linalg.fill ins(%z : complex<f32>) outs(%e : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %0 = linalg.matmul ins(%a, %b : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>)
      outs(%f : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}

func.func @sums(%a: tensor<2x70xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %c = arith.constant dense<(1.0, 1.0)> : tensor<2xcomplex<f32>>
  %0 = linalg.reduce ins(%a : tensor<2x70xcomplex<f32>>) outs(%c : tensor<2xcomplex<f32>>) dimensions = [1]
    (%in: complex<f32>, %acc: complex<f32>) {
      %1 = complex.add %in, %acc : complex<f32>
      linalg.yield %1 : complex<f32>
    }
  return %0 : tensor<2xcomplex<f32>>
}

func.func @halves(%a: tensor<3xcomplex<f16>>) -> tensor<3xcomplex<f16>> {
  %e = tensor.empty() : tensor<3xcomplex<f16>>
  %0 = linalg.add ins(%a, %a : tensor<3xcomplex<f16>>, tensor<3xcomplex<f16>>)
      outs(%e : tensor<3xcomplex<f16>>) -> tensor<3xcomplex<f16>>
  return %0 : tensor<3xcomplex<f16>>
}

func.func @scale(%x: tensor<5xf8E5M2>, %s: f8E5M2) -> (tensor<5xf8E5M2>, f8E5M2) {
  %k = arith.constant dense<1.5> : tensor<5xf8E5M2>
  %0 = arith.mulf %x, %k : tensor<5xf8E5M2>
  %1 = arith.addf %s, %s : f8E5M2
  return %0, %1 : tensor<5xf8E5M2>, f8E5M2
}

func.func @eighths(%a: tensor<17x33xf8E4M3FN>, %b: tensor<33x19xf8E4M3FN>) -> tensor<17x19xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x19xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<17x19xf32>) -> tensor<17x19xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<17x33xf8E4M3FN>, tensor<33x19xf8E4M3FN>)
      outs(%f : tensor<17x19xf32>) -> tensor<17x19xf32>
  return %0 : tensor<17x19xf32>
}

func.func private @same(%x: tensor<4xui8>) -> tensor<4xui8> {
  return %x : tensor<4xui8>
}
func.func @increment(%x: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xf32>) {
  %0 = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %k = arith.constant dense<[1, 2, 250, 4]> : tensor<4xui8>
  %1 = tensor.bitcast %k : tensor<4xui8> to tensor<4xi8>
  %2 = arith.addi %0, %1 : tensor<4xi8>
  %3 = tensor.bitcast %2 : tensor<4xi8> to tensor<4xui8>
  %4 = call @same(%3) : (tensor<4xui8>) -> tensor<4xui8>
  %5 = arith.uitofp %2 : tensor<4xi8> to tensor<4xf32>
  return %4, %5 : tensor<4xui8>, tensor<4xf32>
}

func.func @pass(%a: tensor<3xsi16>, %b: ui64, %c: tensor<?x2xui32>) -> (tensor<3xsi16>, ui64, tensor<?x2xui32>) {
  return %a, %b, %c : tensor<3xsi16>, ui64, tensor<?x2xui32>
}
