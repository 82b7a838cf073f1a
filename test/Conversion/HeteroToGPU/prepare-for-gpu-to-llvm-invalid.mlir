// RUN: hetero-opt %s --hetero-prepare-for-gpu-to-llvm --verify-diagnostics

// Upstream copies contiguous memory only, so rows are an error, not bytes that
// go astray.
func.func @rows(%x: memref<4x4xf32, strided<[8, 1]>>, %d: memref<4x4xf32>) {
  // expected-error @below {{'gpu.memcpy' op expected contiguous memory, got 'memref<4x4xf32, strided<[8, 1]>>'; run --convert-hetero-to-gpu=pack-copies}}
  gpu.memcpy %d, %x : memref<4x4xf32>, memref<4x4xf32, strided<[8, 1]>> {hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:0>}
  return
}
