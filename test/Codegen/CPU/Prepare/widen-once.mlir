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

// An element of an image counts once for each window that it is in: of 16 filters
// of 3 x 3, 144 times. What is converted is the image, to which the border is
// added afterwards.
// CHECK-LABEL: @windows
// CHECK: %[[ROWS:[0-9]+]] = scf.for {{.*}} -> (tensor<1x16x256xf32>) {
// CHECK: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: tensor.insert_slice %[[ROWS]] into {{.*}}[0, 1, 16] [1, 16, 256]
// CHECK: tensor.extract {{.*}}xf32>
// CHECK-NOT: tensor.extract {{.*}}xf16>
// CHECK: hetero.yield
func.func @windows(%x: tensor<1x16x16x16xf16>) -> tensor<1x16x16x16xf16> {
  %w = arith.constant dense<0.5> : tensor<3x3x16x16xf16>
  %r = hetero.execute "windows" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x16x16x16xf16>, %b = %w : tensor<3x3x16x16xf16>) -> (tensor<1x16x16x16xf16>) {
    %zero = arith.constant 0.0 : f16
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %i: index, %j: index, %c: index):
      tensor.yield %zero : f16
    } : tensor<1x16x16x16xf16> to tensor<1x18x18x16xf16>
    %empty = tensor.empty() : tensor<1x16x16x16xf16>
    %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<1x16x16x16xf16>) -> tensor<1x16x16x16xf16>
    %y = linalg.conv_2d_nhwc_hwcf ins(%padded, %b : tensor<1x18x18x16xf16>, tensor<3x3x16x16xf16>) outs(%fill : tensor<1x16x16x16xf16>) -> tensor<1x16x16x16xf16>
    hetero.yield %y : tensor<1x16x16x16xf16>
  }
  return %r : tensor<1x16x16x16xf16>
}
}
