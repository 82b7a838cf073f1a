// RUN: hetero-opt %s --hetero-codegen | FileCheck %s

module attributes {hetero.vector_bits = 512 : i64} {

// The matrix of which elements are broadcast is f32 before the product; vectors of
// the other are converted when they are loaded.
// CHECK-LABEL: @product
// CHECK: %[[WIDE:.*]] = {{.*}} -> (tensor<128x64xf32>) {
// CHECK: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: scf.for
// CHECK: tensor.extract {{.*}} : tensor<128x64xf32>
// CHECK-NOT: tensor<128x64xf16>
// CHECK: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: hetero.yield
func.func @product(%x: tensor<128x64xf16>, %w: tensor<64x128xf16>) -> tensor<128x128xf16> {
  %r = hetero.execute "product" on #hetero.device<cpu:0>
      (%a = %x : tensor<128x64xf16>, %b = %w : tensor<64x128xf16>) -> (tensor<128x128xf16>) {
    %zero = arith.constant 0.0 : f16
    %empty = tensor.empty() : tensor<128x128xf16>
    %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<128x128xf16>) -> tensor<128x128xf16>
    %y = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x128xf16>) outs(%fill : tensor<128x128xf16>) -> tensor<128x128xf16>
    hetero.yield %y : tensor<128x128xf16>
  }
  return %r : tensor<128x128xf16>
}

// Not where few vectors use an element.
// CHECK-LABEL: @few
// CHECK-NOT: tensor<128x64xf32>
// CHECK: hetero.yield
func.func @few(%x: tensor<128x64xf16>, %w: tensor<64x32xf16>) -> tensor<128x32xf16> {
  %r = hetero.execute "few" on #hetero.device<cpu:0>
      (%a = %x : tensor<128x64xf16>, %b = %w : tensor<64x32xf16>) -> (tensor<128x32xf16>) {
    %zero = arith.constant 0.0 : f16
    %empty = tensor.empty() : tensor<128x32xf16>
    %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<128x32xf16>) -> tensor<128x32xf16>
    %y = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x32xf16>) outs(%fill : tensor<128x32xf16>) -> tensor<128x32xf16>
    hetero.yield %y : tensor<128x32xf16>
  }
  return %r : tensor<128x32xf16>
}
}
