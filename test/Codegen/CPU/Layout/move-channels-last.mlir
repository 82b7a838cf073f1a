// RUN: hetero-opt-test-passes %s --test-hetero-move-channels-last --mlir-print-local-scope | FileCheck %s --enable-var-scope
// RUN: hetero-opt-test-passes %s --test-hetero-move-channels-last --canonicalize -o %t.once
// RUN: hetero-opt-test-passes %t.once --test-hetero-move-channels-last --canonicalize | diff %t.once -
// RUN: hetero-opt-test-passes %s --test-hetero-move-channels-last --remarks-filter=hetero-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {hetero.vector_bits = 512 : i64} {

// What is between two convolutions has the order of their images, and filters
// that are constants are put in theirs by the compiler: of all tensors, only the
// argument and the result are transposed.
// REMARK: remark: [Passed] channels-last
// REMARK-SAME: 0.{{[0-9]+}} of the time of what depends on it, by estimate
// REMARK-SAME: 6 operations have the channels of images last, 2 images are transposed
// CHECK-LABEL: func.func @acts
// CHECK-DAG: arith.constant dense<5.000000e-01> : tensor<3x3x64x64xf32>
// CHECK: %[[X:.*]] = linalg.generic {{.*}} (d0, d3, d1, d2)>, {{.*}} ins(%arg0 : tensor<1x64x56x56xf32>) outs({{.*}} : tensor<1x56x56x64xf32>)
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
// CHECK-SAME: ins(%[[P]], %{{.*}} : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>)
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} affine_map<(d0, d1, d2, d3) -> (d3)>{{.*}} ins(%[[Y]], %arg1 : tensor<1x56x56x64xf32>, tensor<64xf32>)
// CHECK: %[[Q:.*]] = tensor.pad %[[Z]] low[0, 1, 1, 0]
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[Q]], %{{.*}} : tensor<1x58x58x64xf32>, tensor<64x3x3xf32>)
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[D]], %{{.*}} : tensor<1x56x56x64xf32>, tensor<2x2xf32>) outs(%{{.*}} : tensor<1x28x28x64xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} (d0, d2, d3, d1)>, {{.*}} ins(%[[M]] : tensor<1x28x28x64xf32>) outs({{.*}} : tensor<1x64x28x28xf32>)
// CHECK: return %[[R]]
func.func @acts(%x: tensor<1x64x56x56xf32>, %b: tensor<64xf32>) -> tensor<1x64x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %v = arith.constant dense<0.5> : tensor<64x3x3xf32>
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b : tensor<1x64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<1x64x56x56xf32>) {
  ^bb0(%a: f32, %bias: f32, %o: f32):
    %s = arith.addf %a, %bias : f32
    linalg.yield %s : f32
  } -> tensor<1x64x56x56xf32>
  %q = tensor.pad %z low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %d = linalg.depthwise_conv_2d_nchw_chw ins(%q, %v : tensor<1x64x58x58xf32>, tensor<64x3x3xf32>) outs(%f : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %g = tensor.empty() : tensor<1x64x28x28xf32>
  %lows = linalg.fill ins(%least : f32) outs(%g : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %m = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%d, %window : tensor<1x64x56x56xf32>, tensor<2x2xf32>) outs(%lows : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  return %m : tensor<1x64x28x28xf32>
}

// A scalar has no channels: it stays what it is, a constant or not.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME: %{{[^,]*}}: tensor<1x64x58x58xf32>, %[[S:[a-z0-9]+]]: tensor<f32>)
// CHECK: %[[T:.*]] = arith.constant dense<3.000000e+00> : tensor<f32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[S]], %[[T]] : tensor<1x56x56x64xf32>, tensor<f32>, tensor<f32>)
func.func @scalars(%x: tensor<1x64x58x58xf32>, %s: tensor<f32>) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant dense<3.0> : tensor<f32>
  %w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %s, %three : tensor<1x64x56x56xf32>, tensor<f32>, tensor<f32>) outs(%e : tensor<1x64x56x56xf32>) {
  ^bb0(%a: f32, %b: f32, %t: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x64x56x56xf32>
  %g = tensor.empty() : tensor<1x64x54x54xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%z, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%h : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  return %r : tensor<1x64x54x54xf32>
}

// Two convolutions read the same filters in different orders: each gets its own.
// CHECK-LABEL: func.func @shared_filters
// CHECK-SAME: %{{[^,]*}}, %[[W:[a-z0-9]+]]: tensor<64x64x3x3xf32>)
// CHECK: %[[FIRST:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, {{.*}} ins(%[[W]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[FIRST]] :
// CHECK: %[[SECOND:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3, d0, d1)>, {{.*}} ins(%[[W]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SECOND]] :
func.func @shared_filters(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %g = tensor.empty() : tensor<1x64x54x54xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<1x64x54x54xf32>) -> tensor<1x64x54x54xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w, c, p, q) -> (n, c, h + p, w + q)>, affine_map<(n, f, h, w, c, p, q) -> (c, f, p, q)>, affine_map<(n, f, h, w, c, p, q) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%y, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%h : tensor<1x64x54x54xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x64x54x54xf32>
  return %z : tensor<1x64x54x54xf32>
}

// Two filters leave most lanes without work.
// CHECK-LABEL: func.func @few_filters
// CHECK-NOT: tensor<1x56x56x
// CHECK: return
func.func @few_filters(%x: tensor<1x64x58x58xf32>) -> tensor<1x2x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<2x64x3x3xf32>
  %e = tensor.empty() : tensor<1x2x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x56x56xf32>) -> tensor<1x2x56x56xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<2x64x3x3xf32>) outs(%f : tensor<1x2x56x56xf32>) -> tensor<1x2x56x56xf32>
  return %y : tensor<1x2x56x56xf32>
}

// To transpose the image and the result takes longer than a product saves.
// CHECK-LABEL: func.func @small_product
// CHECK-NOT: tensor<1x28x28x
// CHECK: return
func.func @small_product(%x: tensor<1x16x28x28xf32>) -> tensor<1x16x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<16x16x1x1xf32>
  %e = tensor.empty() : tensor<1x16x28x28xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x28x28xf32>) -> tensor<1x16x28x28xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x28x28xf32>, tensor<16x16x1x1xf32>) outs(%f : tensor<1x16x28x28xf32>) -> tensor<1x16x28x28xf32>
  return %y : tensor<1x16x28x28xf32>
}

// Already so: channels are last.
// CHECK-LABEL: func.func @already
// CHECK-NOT: (d0, d3, d1, d2)
// CHECK: return
func.func @already(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<3x3x64x64xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%f : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// Who reads a value in the order of the program, here what no one knows, gets a
// copy in that order; one is enough for all.
// CHECK-LABEL: func.func @conflict
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x56x256xf32>)
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} (d0, d2, d3, d1)>, {{.*}} ins(%{{.*}} : tensor<1x56x56x256xf32>) outs(%{{.*}} : tensor<1x256x56x56xf32>)
// CHECK-NOT: (d0, d2, d3, d1)
// CHECK: tensor.collapse_shape %[[Z]]
// CHECK: return %{{.*}}, %[[Z]]
func.func @conflict(%x: tensor<1x256x58x58xf32>) -> (tensor<256x3136xf32>, tensor<1x256x56x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %e = tensor.empty() : tensor<1x256x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x256x58x58xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2, 3]] : tensor<1x256x56x56xf32> into tensor<256x3136xf32>
  return %c, %y : tensor<256x3136xf32>, tensor<1x256x56x56xf32>
}

// In a loop, what is carried has the order of the program.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for {{.*}} -> (tensor<1x256x58x58xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x56x56x256xf32>)
// CHECK: scf.yield %{{.*}} : tensor<1x256x58x58xf32>
func.func @control_flow(%x: tensor<1x256x58x58xf32>) -> tensor<1x256x58x58xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %w = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<1x256x58x58xf32>) {
    %e = tensor.empty() : tensor<1x256x56x56xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %y = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x256x58x58xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %p = tensor.pad %y low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%j: index, %k: index, %l: index, %m: index):
      tensor.yield %zero : f32
    } : tensor<1x256x56x56xf32> to tensor<1x256x58x58xf32>
    scf.yield %p : tensor<1x256x58x58xf32>
  }
  return %r : tensor<1x256x58x58xf32>
}

// What a call takes and returns has the order of the program.
// CHECK-LABEL: func.func @caller
// CHECK: call @acts(%{{.*}}) : (tensor<1x64x56x56xf32>, tensor<64xf32>) -> tensor<1x64x28x28xf32>
func.func @caller(%x: tensor<1x64x56x56xf32>, %b: tensor<64xf32>) -> tensor<1x64x28x28xf32> {
  %y = call @acts(%x, %b) : (tensor<1x64x56x56xf32>, tensor<64xf32>) -> tensor<1x64x28x28xf32>
  return %y : tensor<1x64x28x28xf32>
}

// Several images, of sizes that the program knows when it runs.
// CHECK-LABEL: func.func @dynamic
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1, 1, 0] [%{{.*}}, %{{.*}}, %{{.*}}, 256] [1, 1, 1, 1] : tensor<?x?x?x256xf32> into tensor<?x?x?x256xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x?x?x256xf32>)
func.func @dynamic(%x: tensor<?x256x?x?xf32>, %n: index, %h: index, %v: index) -> tensor<?x256x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %e = tensor.empty(%n, %h, %v) : tensor<?x256x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256x?x?xf32>) -> tensor<?x256x?x?xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%j: index, %k: index, %l: index, %m: index):
    tensor.yield %zero : f32
  } : tensor<?x256x?x?xf32> to tensor<?x256x?x?xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<?x256x?x?xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<?x256x?x?xf32>) -> tensor<?x256x?x?xf32>
  return %y : tensor<?x256x?x?xf32>
}

// The halves of a concatenation are put together in the order of both.
// CHECK-LABEL: func.func @concatenation
// CHECK: tensor.insert_slice {{.*}} into %{{.*}}[0, 0, 0, 0] [1, 56, 56, 256] [1, 1, 1, 1] : tensor<1x56x56x256xf32> into tensor<1x56x56x512xf32>
// CHECK: tensor.insert_slice {{.*}} into %{{.*}}[0, 0, 0, 256] [1, 56, 56, 256] [1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x54x54x256xf32>)
func.func @concatenation(%x: tensor<1x256x58x58xf32>) -> tensor<1x256x54x54xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %u = arith.constant dense<0.25> : tensor<256x256x3x3xf32>
  %v = arith.constant dense<0.5> : tensor<256x512x3x3xf32>
  %e = tensor.empty() : tensor<1x256x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
  %y0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x256x58x58xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
  %y1 = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x256x58x58xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
  %both = tensor.concat dim(1) %y0, %y1 : (tensor<1x256x56x56xf32>, tensor<1x256x56x56xf32>) -> tensor<1x512x56x56xf32>
  %g = tensor.empty() : tensor<1x256x54x54xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<1x256x54x54xf32>) -> tensor<1x256x54x54xf32>
  %z = linalg.conv_2d_nchw_fchw ins(%both, %v : tensor<1x512x56x56xf32>, tensor<256x512x3x3xf32>) outs(%h : tensor<1x256x54x54xf32>) -> tensor<1x256x54x54xf32>
  return %z : tensor<1x256x54x54xf32>
}
}
