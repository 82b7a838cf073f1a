// Of generated code and the libraries, auto takes what is fastest for a shape.

// RUN: hetero-opt %s --hetero-codegen --hetero-verify | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -
// RUN: hetero-opt %s --hetero-explain-codegen 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN

// Measured times, where there are those of generated code and of a library, come
// before the rule by shape.
// RUN: hetero-opt %s --hetero-codegen="profile=%S/Inputs/profile.yaml" | FileCheck %s --check-prefix=MEASURED
// RUN: hetero-opt %s --hetero-codegen="profile=%S/Inputs/profile.yaml" --mlir-print-debuginfo | FileCheck %s --check-prefix=LOCATIONS
// LOCATIONS-NOT: hetero.times
// RUN: hetero-opt %s --hetero-explain-codegen="profile=%S/Inputs/profile.yaml" 2>&1 >/dev/null | FileCheck %s --check-prefix=REASONS
// REASONS: remark: "large": product by mlir, measured times: mlir 1000.0 us, onednn 1500.0 us, openblas 1200.0 us
// REASONS: remark: "small": product by onednn, measured times: mlir 2.0 us, onednn 1.0 us, openblas none
// REASONS: remark: "double": product by openblas, estimated times: mlir 254.2 us, onednn none, openblas 203.7 us
// REASONS: remark: "image": convolution by mlir, measured times: mlir 10.0 us, onednn 20.0 us, openblas none
// MEASURED-LABEL: func @large
// MEASURED-NOT: hetero.library_call
// MEASURED-LABEL: func @constant
// MEASURED-LABEL: func @small
// MEASURED: hetero.library_call "onednn" "gemm"
// MEASURED-LABEL: func @double
// MEASURED: hetero.library_call "openblas" "gemm"
// MEASURED-LABEL: func @image
// MEASURED-NOT: hetero.library_call

#auto = #hetero.device<cpu:0, codegen = "auto">
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// Half of the second cache does not hold the right matrix.
// EXPLAIN: remark: "large": product by onednn, estimated times: mlir 1284.4 us, onednn 1232.8 us, openblas 1435.8 us
// CHECK-LABEL: func @large
// CHECK: hetero.library_call "onednn" "gemm"
func.func @large(%a: tensor<64x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %0 = hetero.execute "large" on #auto (%x = %a : tensor<64x1024xf32>, %y = %b : tensor<1024x1024xf32>, %i = %c : tensor<64x1024xf32>) -> (tensor<64x1024xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x1024xf32>, tensor<1024x1024xf32>) outs(%i : tensor<64x1024xf32>) -> tensor<64x1024xf32>
    hetero.yield %d : tensor<64x1024xf32>
  }
  return %0 : tensor<64x1024xf32>
}

// Of a constant, panels are made at compile time.
// EXPLAIN: remark: "constant": product by mlir, estimated times: mlir 1220.2 us, onednn 1232.8 us, openblas 1435.8 us
// CHECK-LABEL: func @constant
// CHECK-NOT: hetero.library_call
// CHECK: return
func.func @constant(%a: tensor<64x1024xf32>, %c: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %0 = hetero.execute "constant" on #auto (%x = %a : tensor<64x1024xf32>, %i = %c : tensor<64x1024xf32>) -> (tensor<64x1024xf32>) {
    %y = arith.constant dense<0.5> : tensor<1024x1024xf32>
    %d = linalg.matmul ins(%x, %y : tensor<64x1024xf32>, tensor<1024x1024xf32>) outs(%i : tensor<64x1024xf32>) -> tensor<64x1024xf32>
    hetero.yield %d : tensor<64x1024xf32>
  }
  return %0 : tensor<64x1024xf32>
}

// After a call, what is done with each element is a pass over memory.
// EXPLAIN: remark: "followed": product by mlir, estimated times: mlir 2568.8 us, onednn 2517.7 us
// EXPLAIN: remark: "alone": product by onednn, estimated times: mlir 2568.8 us, onednn 2465.3 us
// CHECK-LABEL: func @followed
// CHECK-NOT: hetero.library_call
// CHECK: return
func.func @followed(%a: tensor<256x512xf32>, %b: tensor<512x1024xf32>, %c: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %0 = hetero.execute "followed" on #auto (%x = %a : tensor<256x512xf32>, %y = %b : tensor<512x1024xf32>, %i = %c : tensor<256x1024xf32>) -> (tensor<256x1024xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<256x512xf32>, tensor<512x1024xf32>) outs(%i : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %e = tensor.empty() : tensor<256x1024xf32>
    %t = linalg.tanh ins(%d : tensor<256x1024xf32>) outs(%e : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    hetero.yield %t : tensor<256x1024xf32>
  }
  return %0 : tensor<256x1024xf32>
}
func.func @alone(%a: tensor<256x512xf32>, %b: tensor<512x1024xf32>, %c: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %0 = hetero.execute "alone" on #auto (%x = %a : tensor<256x512xf32>, %y = %b : tensor<512x1024xf32>, %i = %c : tensor<256x1024xf32>) -> (tensor<256x1024xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<256x512xf32>, tensor<512x1024xf32>) outs(%i : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    hetero.yield %d : tensor<256x1024xf32>
  }
  return %0 : tensor<256x1024xf32>
}

// What no library computes is as without one: one division for each row.
// CHECK-LABEL: func @softmax
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @softmax(%a: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = hetero.execute "softmax" on #auto (%x = %a : tensor<64x96xf32>) -> (tensor<64x96xf32>) {
    %e = tensor.empty() : tensor<64x96xf32>
    %s = linalg.softmax dimension(1) ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
    hetero.yield %s : tensor<64x96xf32>
  }
  return %0 : tensor<64x96xf32>
}

// A call costs more than it saves.
// EXPLAIN: remark: "small": product by mlir, estimated times: mlir 0.3 us, onednn 0.6 us, openblas 0.6 us
// EXPLAIN: remark: "small": contraction of 32 x 32 x 16 in one piece
// CHECK-LABEL: func @small
// CHECK-NOT: hetero.library_call
// CHECK: return
func.func @small(%a: tensor<32x16xf32>, %b: tensor<16x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = hetero.execute "small" on #auto (%x = %a : tensor<32x16xf32>, %y = %b : tensor<16x32xf32>, %i = %c : tensor<32x32xf32>) -> (tensor<32x32xf32>) {
    %d = linalg.matmul ins(%x, %y : tensor<32x16xf32>, tensor<16x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
    hetero.yield %d : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// What only a BLAS has an element type for.
// EXPLAIN: remark: "double": product by openblas, estimated times: mlir 254.2 us, onednn none, openblas 203.7 us
// CHECK-LABEL: func @double
// CHECK: hetero.library_call "openblas" "gemm"
func.func @double(%a: tensor<256x1024xf64>, %b: tensor<1024x16xf64>, %c: tensor<256x16xf64>) -> tensor<256x16xf64> {
  %0 = hetero.execute "double" on #auto (%x = %a : tensor<256x1024xf64>, %y = %b : tensor<1024x16xf64>, %i = %c : tensor<256x16xf64>) -> (tensor<256x16xf64>) {
    %d = linalg.matmul ins(%x, %y : tensor<256x1024xf64>, tensor<1024x16xf64>) outs(%i : tensor<256x16xf64>) -> tensor<256x16xf64>
    hetero.yield %d : tensor<256x16xf64>
  }
  return %0 : tensor<256x16xf64>
}

// Of a small image the rows share few vectors.
// EXPLAIN: remark: "image": convolution by onednn
// CHECK-LABEL: func @image
// CHECK: hetero.library_call "onednn" "convolution" ins(%{{.*}}, %{{.*}} : tensor<1x256x7x7xf32>, tensor<256x256x3x3xf32>)
// CHECK-SAME: parameters = array<i64: 0, 0, 1, 1, 1, 1, 1, 1>
func.func @image(%a: tensor<1x256x7x7xf32>, %b: tensor<256x256x3x3xf32>, %c: tensor<1x256x7x7xf32>) -> tensor<1x256x7x7xf32> {
  %0 = hetero.execute "image" on #auto (%x = %a : tensor<1x256x7x7xf32>, %y = %b : tensor<256x256x3x3xf32>, %i = %c : tensor<1x256x7x7xf32>) -> (tensor<1x256x7x7xf32>) {
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%q: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x256x7x7xf32> to tensor<1x256x9x9xf32>
    %d = linalg.conv_2d_nchw_fchw ins(%p, %y : tensor<1x256x9x9xf32>, tensor<256x256x3x3xf32>) outs(%i : tensor<1x256x7x7xf32>) -> tensor<1x256x7x7xf32>
    hetero.yield %d : tensor<1x256x7x7xf32>
  }
  return %0 : tensor<1x256x7x7xf32>
}
}
