// RUN: hetero-opt %s --hetero-codegen --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-codegen --split-input-file -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen --split-input-file | diff %t.once -
// RUN: hetero-opt %s --hetero-explain-codegen --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Already done: what has no pads any more stays as it is.

// A depthwise convolution of an image with channels last. Rows of the register
// tile are neighbouring pixels: of 28, four times seven, of which the first and
// the last have code that knows what is outside of the image. What is above or
// below it is no step of the loop. No element is loaded twice for neighbouring
// windows: of nine pixels two vectors, and three of the filters. Nothing is
// padded in memory.
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: tensor<1x30x30x
// CHECK: scf.for %{{.+}} = %c0 to %c28 step %c1 iter_args
// CHECK: scf.for %{{.+}} = %c0 to %c64 step %c32
// CHECK: %[[FIRST:.+]] = affine.min
// CHECK: %[[END:.+]] = affine.min
// CHECK: %{{.+}}:14 = scf.for %{{.+}} = %[[FIRST]] to %[[END]] step %c1
// CHECK-COUNT-40: arith.addf
// CHECK-NOT: arith.addf
// CHECK: scf.for %{{.+}} = %c7 to %c21 step %c7
// CHECK: scf.for %{{.+}} = %c0 to %c64 step %c32
// CHECK: %{{.+}}:14 = scf.for
// CHECK-COUNT-42: arith.addf {{.*}} fastmath<contract>
// CHECK-NOT: arith.addf
// CHECK: scf.for %{{.+}} = %c0 to %c64 step %c32
// CHECK: %{{.+}}:14 = scf.for
// CHECK-COUNT-40: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return
// EXPLAIN: remark: "depthwise": contraction of 1 x 28 x 28 x 64 x 3 x 3 in one piece: vectors of 16 along loop 3, register tile of 8 rows along loop 2 by 2 vectors, because windows next to each other share what is loaded, operand 0 read without its border
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
func.func @depthwise(%x: tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32> {
  %r = hetero.execute "depthwise" on #hetero.device<cpu:0> (%a = %x : tensor<1x28x28x64xf32>) -> (tensor<1x28x28x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %w = arith.constant dense<0.5> : tensor<3x3x64xf32>
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x28x28x64xf32> to tensor<1x30x30x64xf32>
    %empty = tensor.empty() : tensor<1x28x28x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
    %y = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x30x30x64xf32>, tensor<3x3x64xf32>) outs(%init : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
    hetero.yield %y : tensor<1x28x28x64xf32>
  }
  return %r : tensor<1x28x28x64xf32>
}
}

// -----

// Filters that may hold infinities are multiplied with the zeros of the border,
// too: rows above and below the image are loops of their own. Bias and ReLU are on
// the accumulators.
// CHECK-LABEL: func.func @arguments(
// CHECK-NOT: tensor<1x9x9x
// CHECK: %[[FIRST:.+]] = affine.min
// CHECK: %[[END:.+]] = affine.min
// CHECK: %[[ABOVE:.+]]:7 = scf.for %{{.+}} = %c0 to %[[FIRST]] step %c1
// CHECK-NOT: vector.transfer_read %arg{{.+}} : tensor<1x7x7x16xf32>
// CHECK: %[[INSIDE:.+]]:7 = scf.for %{{.+}} = %[[FIRST]] to %[[END]] step %c1 iter_args(%{{.+}} = %[[ABOVE]]#0
// CHECK-COUNT-21: arith.addf
// CHECK: %[[SUMS:.+]]:7 = scf.for %{{.+}} = %[[END]] to %c3 step %c1 iter_args(%{{.+}} = %[[INSIDE]]#0
// CHECK: %[[BIASED:.+]] = arith.addf %[[SUMS]]#0
// CHECK: arith.maximumf %[[BIASED]]
// CHECK: return
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
func.func @arguments(%x: tensor<1x7x7x16xf32>, %w: tensor<3x3x16xf32>, %b: tensor<16xf32>) -> tensor<1x7x7x16xf32> {
  %r = hetero.execute "arguments" on #hetero.device<cpu:0> (%a = %x : tensor<1x7x7x16xf32>, %v = %w : tensor<3x3x16xf32>, %bias = %b : tensor<16xf32>) -> (tensor<1x7x7x16xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x7x7x16xf32> to tensor<1x9x9x16xf32>
    %empty = tensor.empty() : tensor<1x7x7x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
    %y = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %v : tensor<1x9x9x16xf32>, tensor<3x3x16xf32>) outs(%init : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
    %z = linalg.generic {
        indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%y, %bias : tensor<1x7x7x16xf32>, tensor<16xf32>) outs(%empty : tensor<1x7x7x16xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      %m = arith.maximumf %s, %zero : f32
      linalg.yield %m : f32
    } -> tensor<1x7x7x16xf32>
    hetero.yield %z : tensor<1x7x7x16xf32>
  }
  return %r : tensor<1x7x7x16xf32>
}
}

// -----

// A pooling by threads: each tile reads the image, whose border is what the maxima
// start from. The steps that are in it are left out.
// CHECK-LABEL: func.func @pool(
// CHECK-NOT: tensor.empty() : tensor<1x{{57|58}}x
// CHECK: scf.forall (%{{.+}}) = (0) to (28)
// CHECK-NOT: tensor.pad
// CHECK: %[[FIRST:.+]] = affine.min
// CHECK: %[[END:.+]] = affine.min
// CHECK: %{{.+}}:14 = scf.for %{{.+}} = %[[FIRST]] to %[[END]] step %c1
// CHECK-COUNT-40: arith.maximumf
// CHECK-NOT: arith.maximumf
// CHECK: %{{.+}}:14 = scf.for
// CHECK-COUNT-42: arith.maximumf
// CHECK-NOT: arith.maximumf
// CHECK: return
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
func.func @pool(%x: tensor<1x56x56x32xf32>) -> tensor<1x28x28x32xf32> {
  %r = hetero.execute "pool" on #hetero.device<cpu:0> (%a = %x : tensor<1x56x56x32xf32>) -> (tensor<1x28x28x32xf32>) {
    %least = arith.constant 0xFF800000 : f32
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %least : f32
    } : tensor<1x56x56x32xf32> to tensor<1x58x58x32xf32>
    %window = tensor.empty() : tensor<3x3xf32>
    %empty = tensor.empty() : tensor<1x28x28x32xf32>
    %init = linalg.fill ins(%least : f32) outs(%empty : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
    %most = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %window : tensor<1x58x58x32xf32>, tensor<3x3xf32>) outs(%init : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
    hetero.yield %most : tensor<1x28x28x32xf32>
  }
  return %r : tensor<1x28x28x32xf32>
}
}

// -----

// Of an image whose size is known only when the program runs, pixels at the ends
// are done one by one, with as many steps as are inside, and the others four at a
// time and so on.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: tensor.insert_slice
// CHECK: scf.forall
// CHECK: tensor.dim
// CHECK: %[[BEGIN:.+]] = affine.min
// CHECK: %[[END:.+]] = affine.min
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %[[BEGIN]] step %c1
// CHECK: %{{.+}}:2 = scf.for
// CHECK: %{{.+}}:2 = scf.for
// CHECK: scf.for %{{.+}} = %[[BEGIN]] to %{{.+}} step %c8
// CHECK: %{{.+}}:16 = scf.for
// CHECK-COUNT-48: arith.addf
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %c4
// CHECK: %{{.+}}:8 = scf.for
// CHECK: return
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
func.func @dynamic(%x: tensor<1x?x?x32xf32>, %height: index, %width: index) -> tensor<1x?x?x32xf32> {
  %r = hetero.execute "dynamic" on #hetero.device<cpu:0> (%a = %x : tensor<1x?x?x32xf32>, %h = %height : index, %w = %width : index) -> (tensor<1x?x?x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x?x?x32xf32> to tensor<1x?x?x32xf32>
    %window = tensor.empty() : tensor<3x3xf32>
    %empty = tensor.empty(%h, %w) : tensor<1x?x?x32xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x32xf32>) -> tensor<1x?x?x32xf32>
    %sum = linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %window : tensor<1x?x?x32xf32>, tensor<3x3xf32>) outs(%init : tensor<1x?x?x32xf32>) -> tensor<1x?x?x32xf32>
    hetero.yield %sum : tensor<1x?x?x32xf32>
  }
  return %r : tensor<1x?x?x32xf32>
}
}

// -----

// Must not act: what is along the vectors is padded, and a reader that is no
// window, such as the elementwise one, needs the border in memory. The other
// reader of the pad does without.
// CHECK-LABEL: func.func @others(
// CHECK: tensor.insert_slice %{{.+}} into %{{.+}}[0, 0, 0, 1] [1, 9, 9, 16]
// CHECK: tensor.insert_slice %{{.+}} into %{{.+}}[0, 1, 1, 0] [1, 7, 7, 16]
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %c1
// CHECK: vector.transfer_read %arg{{.+}} : tensor<1x7x7x16xf32>, vector<16xf32>
// CHECK: return
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
func.func @others(%x: tensor<1x7x7x16xf32>, %y: tensor<1x9x9x16xf32>) -> (tensor<1x7x7x16xf32>, tensor<1x9x9x16xf32>, tensor<1x7x7x18xf32>) {
  %r:3 = hetero.execute "others" on #hetero.device<cpu:0> (%a = %x : tensor<1x7x7x16xf32>, %b = %y : tensor<1x9x9x16xf32>) -> (tensor<1x7x7x16xf32>, tensor<1x9x9x16xf32>, tensor<1x7x7x18xf32>) {
    %zero = arith.constant 0.0 : f32
    %window = tensor.empty() : tensor<3x3xf32>
    %wide = tensor.pad %b low[0, 0, 0, 1] high[0, 0, 0, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x9x9x16xf32> to tensor<1x9x9x18xf32>
    %e0 = tensor.empty() : tensor<1x7x7x18xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x7x7x18xf32>) -> tensor<1x7x7x18xf32>
    %0 = linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%wide, %window : tensor<1x9x9x18xf32>, tensor<3x3xf32>) outs(%f0 : tensor<1x7x7x18xf32>) -> tensor<1x7x7x18xf32>
    %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x7x7x16xf32> to tensor<1x9x9x16xf32>
    %e1 = tensor.empty() : tensor<1x9x9x16xf32>
    %1 = linalg.generic {
        indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%padded : tensor<1x9x9x16xf32>) outs(%e1 : tensor<1x9x9x16xf32>) {
    ^bb0(%p: f32, %o: f32):
      %s = math.exp %p : f32
      linalg.yield %s : f32
    } -> tensor<1x9x9x16xf32>
    %e2 = tensor.empty() : tensor<1x7x7x16xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
    %2 = linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %window : tensor<1x9x9x16xf32>, tensor<3x3xf32>) outs(%f2 : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
    hetero.yield %2, %1, %0 : tensor<1x7x7x16xf32>, tensor<1x9x9x16xf32>, tensor<1x7x7x18xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<1x7x7x16xf32>, tensor<1x9x9x16xf32>, tensor<1x7x7x18xf32>
}
}

// -----

// Layers of one shape are one kernel, and its pad is part of it.
// CHECK-LABEL: func.func @layers(
// CHECK-COUNT-2: hetero.invoke @[[KERNEL:.+]] ins(
// CHECK: func.func private @{{.+}}(%{{.+}}: tensor<1x14x14x16xf32>, %{{.+}}: tensor<3x3x16xf32>, %{{.+}}: tensor<1x14x14x16xf32>)
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor.insert_slice
// CHECK: return
module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {
func.func @layers(%x: tensor<1x14x14x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<1x14x14x16xf32> {
  %r = hetero.execute "layers" on #hetero.device<cpu:0> (%a = %x : tensor<1x14x14x16xf32>, %v = %w : tensor<3x3x16xf32>) -> (tensor<1x14x14x16xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x14x14x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
    %p0 = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x14x14x16xf32> to tensor<1x16x16x16xf32>
    %y0 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p0, %v : tensor<1x16x16x16xf32>, tensor<3x3x16xf32>) outs(%init : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
    %p1 = tensor.pad %y0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x14x14x16xf32> to tensor<1x16x16x16xf32>
    %y1 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p1, %v : tensor<1x16x16x16xf32>, tensor<3x3x16xf32>) outs(%init : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
    hetero.yield %y1 : tensor<1x14x14x16xf32>
  }
  return %r : tensor<1x14x14x16xf32>
}
}
