// RUN: hetero-opt %s --hetero-codegen | FileCheck %s
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -

module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// With a dilation, the channels of each place are a loop of their own. The border is
// not in memory there, either: of 14 pixels, the first two have no left place, and the
// last two no right one.
// CHECK-LABEL: func.func @dilated(
// CHECK-NOT:   tensor.collapse_shape
// CHECK-NOT:   tensor<1x18x18x4xf32>
// CHECK:       scf.for %[[Y:.+]] = %c0 to %c14
// CHECK:       scf.for %[[I:.+]] = %{{.+}} to %{{.+}} step
// CHECK:       :24 = scf.for %{{.+}} = %c0 to %c4 step
// CHECK-COUNT-12: tensor.extract {{.*}} : tensor<1x14x14x4xf32>
// CHECK:       :28 = scf.for %{{.+}} = %c0 to %c4 step
// CHECK-COUNT-14: tensor.extract {{.*}} : tensor<1x14x14x4xf32>
// CHECK:       :24 = scf.for %{{.+}} = %c0 to %c4 step
// CHECK-COUNT-12: tensor.extract {{.*}} : tensor<1x14x14x4xf32>
// CHECK-NOT:   tensor.extract
func.func @dilated(%x: tensor<1x14x14x4xf32>) -> tensor<1x14x14x32xf32> {
  %r = hetero.execute "dilated" on #hetero.device<cpu:0> (%a = %x : tensor<1x14x14x4xf32>) -> (tensor<1x14x14x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %f = arith.constant dense<0.5> : tensor<3x3x4x32xf32>
    %padded = tensor.pad %a low[0, 2, 2, 0] high[0, 2, 2, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x14x14x4xf32> to tensor<1x18x18x4xf32>
    %empty = tensor.empty() : tensor<1x14x14x32xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
    %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%padded, %f : tensor<1x18x18x4xf32>, tensor<3x3x4x32xf32>) outs(%init : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
    hetero.yield %y : tensor<1x14x14x32xf32>
  }
  return %r : tensor<1x14x14x32xf32>
}

// Filters that are not known may be infinite, and infinity times the border is no number:
// the border is in memory.
// CHECK-LABEL: func.func @unknown(
// CHECK:       %[[X:.+]] = tensor.collapse_shape {{.*}} : tensor<1x14x14x4xf32> into tensor<1x14x56xf32>
// CHECK:       %[[P:.+]] = tensor.insert_slice %[[X]] into %{{.+}}[0, 1, 4] [1, 14, 56]
// CHECK:       %[[F:.+]] = tensor.collapse_shape {{.*}} : tensor<3x3x4x32xf32> into tensor<3x12x32xf32>
// CHECK:       :28 = scf.for %{{.+}} = %c0 to %c12 step
// CHECK:       tensor.extract %[[P]][
// CHECK:       vector.transfer_read %[[F]][
func.func @unknown(%x: tensor<1x14x14x4xf32>, %w: tensor<3x3x4x32xf32>) -> tensor<1x14x14x32xf32> {
  %r = hetero.execute "unknown" on #hetero.device<cpu:0> (%a = %x : tensor<1x14x14x4xf32>, %f = %w : tensor<3x3x4x32xf32>) -> (tensor<1x14x14x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x14x14x4xf32> to tensor<1x16x16x4xf32>
    %empty = tensor.empty() : tensor<1x14x14x32xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
    %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>} ins(%padded, %f : tensor<1x16x16x4xf32>, tensor<3x3x4x32xf32>) outs(%init : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
    hetero.yield %y : tensor<1x14x14x32xf32>
  }
  return %r : tensor<1x14x14x32xf32>
}
}
