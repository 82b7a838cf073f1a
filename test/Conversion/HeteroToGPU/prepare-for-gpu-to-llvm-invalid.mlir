// RUN: hetero-opt %s --hetero-prepare-for-gpu-to-llvm --split-input-file --verify-diagnostics

// Upstream copies contiguous memory only, so rows are an error, not bytes that
// go astray.
func.func @rows(%x: memref<4x4xf32, strided<[8, 1]>>, %d: memref<4x4xf32>) {
  // expected-error @below {{'gpu.memcpy' op expected contiguous memory, got 'memref<4x4xf32, strided<[8, 1]>>'; run --convert-hetero-to-gpu=pack-copies}}
  gpu.memcpy %d, %x : memref<4x4xf32>, memref<4x4xf32, strided<[8, 1]>> {hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:0>}
  return
}

// -----

// Nor do its launches know arguments of 128 bytes.
func.func @maps(%base: !llvm.ptr, %size: index) {
  // expected-error @below {{'hetero.tensor_map' op has no lowering upstream; use --hetero-to-llvm, or another chip than sm_90a}}
  %0 = hetero.tensor_map %base : !llvm.ptr [%size, %size] by [%size] of f16 box [64, 128] swizzle 128 on #hetero.device<gpu:0>
  return
}
