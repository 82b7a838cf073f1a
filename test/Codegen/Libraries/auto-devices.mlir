// On a gpu auto is generated code, unless a profile says that a library is
// faster.

// RUN: hetero-opt %s --hetero-codegen | FileCheck %s --check-prefix=UNKNOWN
// RUN: hetero-opt %s --hetero-codegen="profile=%S/Inputs/profile.yaml" | FileCheck %s
// RUN: hetero-opt %s --hetero-explain-codegen="profile=%S/Inputs/profile.yaml" 2>&1 >/dev/null | FileCheck %s --check-prefix=REASONS
// RUN: not hetero-opt %s --hetero-codegen="profile=%S/Inputs/no.yaml" 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: cannot read the profile

// UNKNOWN-NOT: hetero.library_call
// REASONS: remark: "f": product by cublas, measured times: mlir 20.0 us, cublas 10.0 us, cudnn none
// REASONS: remark: "g": product by mlir, no times of it and a library were measured
// CHECK-LABEL: func @f
// CHECK: hetero.library_call "cublas" "gemm"
// CHECK-SAME: parameters = array<i64: 0>
// CHECK-LABEL: func @g
// CHECK-NOT: hetero.library_call
#auto = #hetero.device<gpu:0, codegen = "auto">
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @f(%a: tensor<64x32xf32, #hetero.device<gpu:0>>, %b: tensor<32x64xf32, #hetero.device<gpu:0>>, %c: tensor<64x64xf32, #hetero.device<gpu:0>>) -> tensor<64x64xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "f" on #auto (%x = %a : tensor<64x32xf32, #hetero.device<gpu:0>>, %y = %b : tensor<32x64xf32, #hetero.device<gpu:0>>, %i = %c : tensor<64x64xf32, #hetero.device<gpu:0>>) -> (tensor<64x64xf32, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    hetero.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32, #hetero.device<gpu:0>>
}
func.func @g(%a: tensor<32x32xf32, #hetero.device<gpu:0>>, %c: tensor<32x32xf32, #hetero.device<gpu:0>>) -> tensor<32x32xf32, #hetero.device<gpu:0>> {
  %0 = hetero.execute "g" on #auto (%x = %a : tensor<32x32xf32, #hetero.device<gpu:0>>, %i = %c : tensor<32x32xf32, #hetero.device<gpu:0>>) -> (tensor<32x32xf32, #hetero.device<gpu:0>>) {
    %d = linalg.matmul ins(%x, %x : tensor<32x32xf32>, tensor<32x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
    hetero.yield %d : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32, #hetero.device<gpu:0>>
}
}
