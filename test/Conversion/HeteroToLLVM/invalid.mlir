// RUN: hetero-opt %s --hetero-to-llvm --split-input-file --verify-diagnostics

// Types without a place in the ABI are named, with what to write instead.

// expected-error @below {{type 'i7' of argument 1 cannot cross an entry point; use i1, i8, i16, i32, i64, f16, bf16, f32, f64, index, si8, si16, si32, si64, ui8, ui16, ui32, ui64, f8E4M3FN, f8E5M2, complex<f16>, complex<f32> or complex<f64>, or make the function private}}
func.func @scalar(%x: i32, %y: i7) {
  return
}

// -----

func.func private @callee() -> memref<2xcomplex<i32>>

// expected-error @below {{type 'complex<i32>' of result 0 cannot cross an entry point; use i1, i8,}}
func.func @element() -> memref<2xcomplex<i32>> {
  %0 = call @callee() : () -> memref<2xcomplex<i32>>
  return %0 : memref<2xcomplex<i32>>
}

// -----

// expected-error @below {{expected argument 0 of at most rank 16, got rank 17; collapse dimensions before the boundary}}
func.func @rank(%x: memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  return
}

// -----

// A gpu.binary without PTX could not be embedded.
// expected-error @below {{'gpu.binary' op has no PTX; serialize it with format=isa}}
gpu.binary @kernels [#gpu.object<#nvvm.target, bin = "cubin">]

// -----

// Only constants stay on a device.
func.func private @no_constant(%x: memref<4xf32>) -> memref<4xf32> {
  // expected-error @below {{expected a memref.get_global as its source; only constants stay on a device}}
  %0 = hetero.resident of %x : memref<4xf32> on #hetero.device<gpu:0>
  return %0 : memref<4xf32>
}

// -----

// A library gets values as an entry point does.
func.func private @library(%x: memref<4xcomplex<i32>>) {
  // expected-error @below {{'hetero.library_call' op expected operand 0 with elements of the C ABI and at most 16 dimensions, got 'memref<4xcomplex<i32>>'; generate code for it instead}}
  // expected-error @below {{failed to legalize}}
  hetero.library_call "openblas" "gemm" ins(%x, %x : memref<4xcomplex<i32>>, memref<4xcomplex<i32>>)
      outs(%x : memref<4xcomplex<i32>>) {orders = [array<i64: 0>, array<i64: 0>, array<i64: 0>]}
  return
}

// -----

// LLVM calls sinf for the operation, which must not be the program's own.
// expected-error @below {{expected a name that the compiled code needs for nothing else, got 'sinf'; rename the function}}
func.func @sinf(%x: f32) -> f32 {
  %0 = math.sin %x : f32
  return %0 : f32
}

// -----

// expected-error @below {{expected a name that the compiled code needs for nothing else, got 'heteroWait'; rename the function}}
func.func @heteroWait(%x: i32) -> i32 {
  return %x : i32
}
