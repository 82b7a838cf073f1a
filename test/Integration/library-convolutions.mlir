// Convolutions by oneDNN where it is installed, by the runtime where a library
// has no convolutions, and by generated code: the same numbers.

// RUN: hetero-run %s --entry=nchw --input=2x16x15x13xf32=randint:1 --input=24x16x3x3xf32=randint:2 --input=24xf32=randint:3 --input=2x24x8x7xf32=randint:4 --rules="{default: cpu}" > %t.generated
// RUN: hetero-run %s --entry=nchw --input=2x16x15x13xf32=randint:1 --input=24x16x3x3xf32=randint:2 --input=24xf32=randint:3 --input=2x24x8x7xf32=randint:4 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: onednn}]}" > %t.library
// RUN: diff %t.generated %t.library
// RUN: env HETERO_LIBRARIES=onednn=%hetero_lib/libhetero_fake_blas.so hetero-run %s --entry=nchw --input=2x16x15x13xf32=randint:1 --input=24x16x3x3xf32=randint:2 --input=24xf32=randint:3 --input=2x24x8x7xf32=randint:4 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: onednn}]}" --report > %t.plain
// RUN: FileCheck %s --input-file=%t.plain
// RUN: head -n 1 %t.generated > %t.first
// RUN: head -n 1 %t.plain | diff %t.first -
// CHECK: libraries:
// CHECK: onednn {{ *}}1 {{.*}}libhetero_fake_blas.so
func.func @nchw(%x: tensor<2x16x15x13xf32>, %w: tensor<24x16x3x3xf32>, %bias: tensor<24xf32>, %y: tensor<2x24x8x7xf32>) -> tensor<2x24x8x7xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x16x15x13xf32> to tensor<2x16x17x15xf32>
  %e = tensor.empty() : tensor<2x24x8x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x8x7xf32>) -> tensor<2x24x8x7xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<2x16x17x15xf32>, tensor<24x16x3x3xf32>) outs(%z : tensor<2x24x8x7xf32>) -> tensor<2x24x8x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %bias, %y : tensor<2x24x8x7xf32>, tensor<24xf32>, tensor<2x24x8x7xf32>) outs(%e : tensor<2x24x8x7xf32>) {
  ^bb0(%s: f32, %b: f32, %t: f32, %o: f32):
    %0 = arith.addf %s, %b : f32
    %1 = arith.addf %t, %0 : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<2x24x8x7xf32>
  return %r : tensor<2x24x8x7xf32>
}

// Channels last, dilated windows, constant weights, sums onto what is there,
// and called twice: the second time with the weights that are kept.
// RUN: hetero-run %s --entry=nhwc --input=1x9x8x2xf32=randint:1 --input=1x6x4x3xf32=randint:2 --rules="{default: cpu}" > %t.generated
// RUN: hetero-run %s --entry=nhwc --input=1x9x8x2xf32=randint:1 --input=1x6x4x3xf32=randint:2 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: onednn}]}" > %t.library
// RUN: diff %t.generated %t.library
// RUN: env HETERO_LIBRARIES=onednn=%hetero_lib/libhetero_fake_blas.so hetero-run %s --entry=nhwc --input=1x9x8x2xf32=randint:1 --input=1x6x4x3xf32=randint:2 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: onednn}]}" > %t.plain
// RUN: diff %t.generated %t.plain
func.func @nhwc(%x: tensor<1x9x8x2xf32>, %y: tensor<1x6x4x3xf32>) -> (tensor<1x6x4x3xf32>, tensor<1x6x4x3xf32>) {
  %w = arith.constant dense<[[[[1.0, 2.0, 3.0], [-1.0, 0.0, 5.0]], [[2.0, -4.0, 1.0], [7.0, 1.0, -2.0]]], [[[0.0, 3.0, 1.0], [2.0, -6.0, 1.0]], [[4.0, 1.0, 2.0], [-3.0, 1.0, 1.0]]]]> : tensor<2x2x2x3xf32>
  %a = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<[3, 4]> : tensor<2xi64>} ins(%x, %w : tensor<1x9x8x2xf32>, tensor<2x2x2x3xf32>) outs(%y : tensor<1x6x4x3xf32>) -> tensor<1x6x4x3xf32>
  %b = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<[3, 4]> : tensor<2xi64>} ins(%x, %w : tensor<1x9x8x2xf32>, tensor<2x2x2x3xf32>) outs(%a : tensor<1x6x4x3xf32>) -> tensor<1x6x4x3xf32>
  return %a, %b : tensor<1x6x4x3xf32>, tensor<1x6x4x3xf32>
}

// A filter for each channel, and a dimension whose size is not known.
// RUN: hetero-run %s --entry=depthwise --input=1x10x11x5xf32=randint:1 --input=3x3x5xf32=randint:2 --input=1x16x30xf32=randint:3 --input=4x16x3xf32=randint:4 --rules="{default: cpu}" > %t.generated
// RUN: hetero-run %s --entry=depthwise --input=1x10x11x5xf32=randint:1 --input=3x3x5xf32=randint:2 --input=1x16x30xf32=randint:3 --input=4x16x3xf32=randint:4 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: onednn}]}" > %t.library
// RUN: diff %t.generated %t.library
// RUN: env HETERO_LIBRARIES=onednn=%hetero_lib/libhetero_fake_blas.so hetero-run %s --entry=depthwise --input=1x10x11x5xf32=randint:1 --input=3x3x5xf32=randint:2 --input=1x16x30xf32=randint:3 --input=4x16x3xf32=randint:4 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: onednn}]}" > %t.plain
// RUN: diff %t.generated %t.plain
func.func @depthwise(%x: tensor<1x10x11x5xf32>, %w: tensor<3x3x5xf32>, %l: tensor<1x16x?xf32>, %f: tensor<4x16x3xf32>) -> (tensor<1x4x5x5xf32>, tensor<1x4x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x10x11x5xf32>, tensor<3x3x5xf32>) outs(%z : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %two = arith.constant 2 : index
  %d = tensor.dim %l, %two : tensor<1x16x?xf32>
  %n = arith.subi %d, %two : index
  %e1 = tensor.empty(%n) : tensor<1x4x?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %c1 = linalg.conv_1d_ncw_fcw {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>} ins(%l, %f : tensor<1x16x?xf32>, tensor<4x16x3xf32>) outs(%z1 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  return %c, %c1 : tensor<1x4x5x5xf32>, tensor<1x4x?xf32>
}
