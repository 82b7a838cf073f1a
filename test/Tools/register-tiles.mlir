// RUN: hetero-compile %s --rules="{default: cpu}" --processors=avx512 -o %t.ll && FileCheck %s < %t.ll

// Acts: the sums of a window of 3 x 3 x 3 for six pixels and 64 filters fill the
// registers, and LLVM leaves each step of the window as it is: 24 sums, and not
// those of three steps.
// CHECK-LABEL: define {{.*}}impl_stem(
// CHECK: fmul contract <16 x float>
// CHECK-COUNT-24: fadd contract <16 x float>
// CHECK-NOT: contract
// CHECK: br i1 {{.*}}, !llvm.loop ![[INNER:[0-9]+]]
func.func @stem(%x: tensor<1x33x33x3xf32>, %w: tensor<3x3x3x64xf32>) -> tensor<1x16x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x16x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x33x33x3xf32>, tensor<3x3x3x64xf32>) outs(%fill : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  return %y : tensor<1x16x16x64xf32>
}

// Must not act: eight sums leave room for what windows share, and LLVM unrolls
// the three steps of a row.
// CHECK-LABEL: define {{.*}}impl_depthwise(
// CHECK-NOT: !llvm.loop ![[INNER]]
// CHECK: ret
func.func @depthwise(%x: tensor<1x64x16x16xf32>, %w: tensor<64x3x3xf32>) -> tensor<1x64x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x14x14xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x64x16x16xf32>, tensor<64x3x3xf32>) outs(%fill : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %y : tensor<1x64x14x14xf32>
}
