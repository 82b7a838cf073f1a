// Constants of complex numbers of each type, and of booleans, may be resources, as
// weights of files are, on every device; so may what a memory reference starts
// from.

// DEFINE: %{values} = --expected=2xf32=3,5 --expected=2xf64=3,5 --expected=2xf16=3,5 --expected=2xbf16=3,5 '--expected=2xcomplex<f32>=1+2j,3+4j' --expected=5xi1=1,0,1,1,0
// RUN: hetero-run %s --default=cpu %{values}
// RUN: hetero-run %s --default=gpu:0 %{values}

memref.global "private" @state : memref<2xcomplex<f32>> = dense_resource<f32>
memref.global "private" constant @integers : memref<2xcomplex<i32>> = dense_resource<i32>

func.func @main() -> (tensor<2xf32>, tensor<2xf64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<5xi1>) {
  %c_f32 = arith.constant dense_resource<f32> : tensor<2xcomplex<f32>>
  %e_f32 = tensor.empty() : tensor<2xf32>
  %r_f32 = linalg.map ins(%c_f32 : tensor<2xcomplex<f32>>) outs(%e_f32 : tensor<2xf32>)
    (%a: complex<f32>, %old: f32) {
      %re = complex.re %a : complex<f32>
      %im = complex.im %a : complex<f32>
      %1 = arith.subf %im, %re : f32
      %2 = arith.addf %1, %im : f32
      linalg.yield %2 : f32
    }
  %c_f64 = arith.constant dense_resource<f64> : tensor<2xcomplex<f64>>
  %e_f64 = tensor.empty() : tensor<2xf64>
  %r_f64 = linalg.map ins(%c_f64 : tensor<2xcomplex<f64>>) outs(%e_f64 : tensor<2xf64>)
    (%a: complex<f64>, %old: f64) {
      %re = complex.re %a : complex<f64>
      %im = complex.im %a : complex<f64>
      %1 = arith.subf %im, %re : f64
      %2 = arith.addf %1, %im : f64
      linalg.yield %2 : f64
    }
  %c_f16 = arith.constant dense_resource<f16> : tensor<2xcomplex<f16>>
  %e_f16 = tensor.empty() : tensor<2xf16>
  %r_f16 = linalg.map ins(%c_f16 : tensor<2xcomplex<f16>>) outs(%e_f16 : tensor<2xf16>)
    (%a: complex<f16>, %old: f16) {
      %re = complex.re %a : complex<f16>
      %im = complex.im %a : complex<f16>
      %1 = arith.subf %im, %re : f16
      %2 = arith.addf %1, %im : f16
      linalg.yield %2 : f16
    }
  %c_bf16 = arith.constant dense_resource<bf16> : tensor<2xcomplex<bf16>>
  %e_bf16 = tensor.empty() : tensor<2xbf16>
  %r_bf16 = linalg.map ins(%c_bf16 : tensor<2xcomplex<bf16>>) outs(%e_bf16 : tensor<2xbf16>)
    (%a: complex<bf16>, %old: bf16) {
      %re = complex.re %a : complex<bf16>
      %im = complex.im %a : complex<bf16>
      %1 = arith.subf %im, %re : bf16
      %2 = arith.addf %1, %im : bf16
      linalg.yield %2 : bf16
    }
  %bools = arith.constant dense_resource<i1> : tensor<5xi1>
  %m = memref.get_global @state : memref<2xcomplex<f32>>
  %state = bufferization.to_tensor %m restrict writable : memref<2xcomplex<f32>> to tensor<2xcomplex<f32>>
  return %r_f32, %r_f64, %r_f16, %r_bf16, %state, %bools : tensor<2xf32>, tensor<2xf64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<5xi1>
}

{-#
  dialect_resources: {
    builtin: {
      f32: "0x040000000000803F000000400000404000008040",
      f64: "0x08000000000000000000F03F000000000000004000000000000008400000000000001040",
      f16: "0x02000000003C004000420044",
      bf16: "0x02000000803F004040408040",
      i1: "0x010000000100010100",
      i32: "0x0400000000000000010000000200000003000000"
    }
  }
#-}
