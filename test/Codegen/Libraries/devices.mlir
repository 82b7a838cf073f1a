// Libraries of devices: what becomes a call, and what stays generated code.

// RUN: hetero-opt %s --hetero-codegen --hetero-verify | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -
// RUN: hetero-opt %s --hetero-explain-codegen 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN
// RUN: hetero-opt %s --hetero-codegen --hetero-bufferize --hetero-schedule --hetero-plan-memory --convert-hetero-to-gpu | FileCheck %s --check-prefix=GPU

#cublas = #hetero.device<gpu:0, codegen = "cublas">
#rounding = #hetero.device<gpu:0, codegen = "cublas:tf32">
#cudnn = #hetero.device<gpu:0, codegen = "cudnn">
module attributes {hetero.phase = #hetero.phase<partitioned>} {

// EXPLAIN: remark: "product": product by cublas
// CHECK-LABEL: func @product
// CHECK: %[[HAS:.*]] = hetero.has_library "cublas"
// CHECK: scf.if %[[HAS]]
// CHECK: hetero.library_call "cublas" "gemm"
// CHECK-SAME: accumulate
// CHECK-SAME: parameters = array<i64: 0>
// CHECK: else
// CHECK: linalg.generic
// GPU-LABEL: func @product
// GPU: scf.if
// GPU: hetero.library_call "cublas" "gemm" ins(%{{.*}}, %{{.*}} : memref<64x32xf32>, memref<32x64xf32>) outs(%{{.*}} : memref<64x64xf32>)
// GPU-SAME: hetero.device = #hetero.device<gpu:0>
// GPU: else
// GPU: gpu.launch_func
func.func @product(%a: tensor<64x32xf32, #hetero.device<gpu:0>>, %b: tensor<32x64xf32, #hetero.device<gpu:0>>, %c: tensor<64x64xf32, #hetero.device<gpu:0>>) -> tensor<64x64xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "product" on #cublas (%x = %a : tensor<64x32xf32, #hetero.device<gpu:0>>, %y = %b : tensor<32x64xf32, #hetero.device<gpu:0>>, %i = %c : tensor<64x64xf32, #hetero.device<gpu:0>>) -> (tensor<64x64xf32, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32, #hetero.device<gpu:0>>
}

// CHECK-LABEL: func @rounds
// CHECK: hetero.has_library "cublas"
// CHECK: hetero.library_call "cublas" "gemm"
// CHECK-SAME: parameters = array<i64: 1>
func.func @rounds(%a: tensor<64x32xf32, #hetero.device<gpu:0>>, %b: tensor<32x64xf32, #hetero.device<gpu:0>>, %c: tensor<64x64xf32, #hetero.device<gpu:0>>) -> tensor<64x64xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "rounds" on #rounding (%x = %a : tensor<64x32xf32, #hetero.device<gpu:0>>, %y = %b : tensor<32x64xf32, #hetero.device<gpu:0>>, %i = %c : tensor<64x64xf32, #hetero.device<gpu:0>>) -> (tensor<64x64xf32, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32, #hetero.device<gpu:0>>
}

// Elements of 16 bits, with sums of 32.
// EXPLAIN: remark: "halves": product by cublas
// CHECK-LABEL: func @halves
// CHECK: hetero.library_call "cublas" "gemm" ins(%{{.*}}, %{{.*}} : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%{{.*}} : tensor<64x64xf32>)
func.func @halves(%a: tensor<64x32xbf16, #hetero.device<gpu:0>>, %b: tensor<32x64xbf16, #hetero.device<gpu:0>>, %c: tensor<64x64xf32, #hetero.device<gpu:0>>) -> tensor<64x64xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "halves" on #cublas (%x = %a : tensor<64x32xbf16, #hetero.device<gpu:0>>, %y = %b : tensor<32x64xbf16, #hetero.device<gpu:0>>, %i = %c : tensor<64x64xf32, #hetero.device<gpu:0>>) -> (tensor<64x64xf32, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32, #hetero.device<gpu:0>>
}

// cuBLAS has no mixed products of f32 and f64, and no function of elements.
// EXPLAIN: remark: "mixed": product by mlir, cublas has no function for it
// EXPLAIN-NOT: remark: "absolute"
// CHECK-LABEL: func @mixed
// CHECK-NOT: hetero.library_call
// CHECK-LABEL: func @absolute
// CHECK-NOT: hetero.library_call
// CHECK: return
func.func @mixed(%a: tensor<64x32xf32, #hetero.device<gpu:0>>, %b: tensor<32x64xf32, #hetero.device<gpu:0>>, %c: tensor<64x64xf64, #hetero.device<gpu:0>>) -> tensor<64x64xf64, #hetero.device<gpu:0>> {
  %0 = hetero.execute "mixed" on #cublas (%x = %a : tensor<64x32xf32, #hetero.device<gpu:0>>, %y = %b : tensor<32x64xf32, #hetero.device<gpu:0>>, %i = %c : tensor<64x64xf64, #hetero.device<gpu:0>>) -> (tensor<64x64xf64, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf64>) -> tensor<64x64xf64>
    hetero.yield %d : tensor<64x64xf64>
  }
  return %0 : tensor<64x64xf64, #hetero.device<gpu:0>>
}
func.func @absolute(%a: tensor<64x32xf32, #hetero.device<gpu:0>>, %b: tensor<32x64xf32, #hetero.device<gpu:0>>, %c: tensor<64x64xf32, #hetero.device<gpu:0>>) -> tensor<64x64xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "absolute" on #cublas (%x = %a : tensor<64x32xf32, #hetero.device<gpu:0>>, %y = %b : tensor<32x64xf32, #hetero.device<gpu:0>>, %i = %c : tensor<64x64xf32, #hetero.device<gpu:0>>) -> (tensor<64x64xf32, #hetero.device<gpu:0>>) {
    %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %0 = math.absf %p : f32
      %1 = arith.mulf %0, %q : f32
      %2 = arith.addf %s, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32, #hetero.device<gpu:0>>
}

// A pad before a convolution is part of the call, and a pad again for generated
// code.
// EXPLAIN: remark: "image": convolution by cudnn
// CHECK-LABEL: func @image
// CHECK: hetero.library_call "cudnn" "convolution" ins(%{{.*}}, %{{.*}} : tensor<1x8x7x7xf16>, tensor<16x8x3x3xf16>)
// CHECK-SAME: parameters = array<i64: 0, 0, 1, 1, 1, 1, 1, 1>
// CHECK: else
// CHECK: tensor.insert_slice
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @image(%a: tensor<1x8x7x7xf16, #hetero.device<gpu:0>>, %b: tensor<16x8x3x3xf16, #hetero.device<gpu:0>>, %c: tensor<1x16x7x7xf16, #hetero.device<gpu:0>>) -> tensor<1x16x7x7xf16, #hetero.device<gpu:0>> {
  %0 = hetero.execute "image" on #cudnn (%x = %a : tensor<1x8x7x7xf16, #hetero.device<gpu:0>>, %y = %b : tensor<16x8x3x3xf16, #hetero.device<gpu:0>>, %i = %c : tensor<1x16x7x7xf16, #hetero.device<gpu:0>>) -> (tensor<1x16x7x7xf16, #hetero.device<gpu:0>>) {
    %zero = arith.constant 0.0 : f16
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%q: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f16
    } : tensor<1x8x7x7xf16> to tensor<1x8x9x9xf16>
    %d = linalg.conv_2d_nchw_fchw ins(%p, %y : tensor<1x8x9x9xf16>, tensor<16x8x3x3xf16>) outs(%i : tensor<1x16x7x7xf16>) -> tensor<1x16x7x7xf16>
    hetero.yield %d : tensor<1x16x7x7xf16>
  }
  return %0 : tensor<1x16x7x7xf16, #hetero.device<gpu:0>>
}
}
