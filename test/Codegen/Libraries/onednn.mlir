// What oneDNN computes in regions for it is a call; what it has no function or
// no element type for is generated code.

// RUN: hetero-opt %s --hetero-codegen --hetero-verify | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -

#dnn = #hetero.device<cpu:0, codegen = "onednn">
module attributes {hetero.phase = #hetero.phase<partitioned>} {

// The elementwise operation after a product is in both branches: generated
// code computes it with the product.
// CHECK-LABEL: func @epilogue
// CHECK: %[[HAS:.*]] = hetero.has_library "onednn"
// CHECK: %[[R:.*]] = scf.if %[[HAS]]
// CHECK-NEXT: hetero.library_call "onednn" "gemm"
// CHECK: arith.maximumf
// CHECK: } else {
// CHECK: vector.transfer_read
// CHECK: arith.maximumf
// CHECK: hetero.yield %[[R]]
func.func @epilogue(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %0 = hetero.execute "r" on #dnn (%x = %a : tensor<16x64xf32>, %y = %b : tensor<64x32xf32>) -> (tensor<16x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16x32xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
    %c = linalg.matmul ins(%x, %y : tensor<16x64xf32>, tensor<64x32xf32>) outs(%z : tensor<16x32xf32>) -> tensor<16x32xf32>
    %m = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%c, %z : tensor<16x32xf32>, tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
    hetero.yield %m : tensor<16x32xf32>
  }
  return %0 : tensor<16x32xf32>
}

// Double precision.
// CHECK-LABEL: func @double
// CHECK-NOT: hetero.library_call
// CHECK: return
func.func @double(%a: tensor<16x16xf64>) -> tensor<16x16xf64> {
  %0 = hetero.execute "r" on #dnn (%x = %a : tensor<16x16xf64>) -> (tensor<16x16xf64>) {
    %d = linalg.matmul ins(%x, %x : tensor<16x16xf64>, tensor<16x16xf64>) outs(%x : tensor<16x16xf64>) -> tensor<16x16xf64>
    hetero.yield %d : tensor<16x16xf64>
  }
  return %0 : tensor<16x16xf64>
}
}
