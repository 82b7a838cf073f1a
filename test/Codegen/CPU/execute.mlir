// Each entry point computes something whose result is known for any size; the
// sizes are no multiples of a vector or of a tile.
//
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=identity --input=65x37xf32=iota --expected=65x37xf32=iota
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=identity --input=1x1xf32=iota --expected=1x1xf32=iota
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=identity --input=300x131xf32=iota --expected=300x131xf32=iota
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=identity --input=0x7xf32=iota --expected=0x7xf32=iota
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=twice_transposed --input=301x203xf32=iota --expected=301x203xf32=iota
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=window --input=2x3x21x37xf32=randint:1 --expected=2x17x10x18xf32=0
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=softmax --input=203x1001xf32=3 --expected=203x1001xf32=0.000999001
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=exp --input=37xf32=-100 --expected=37xf32=0
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=exp --input=37xf32=0 --expected=37xf32=1
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=sums --input=203x1001xi32=1 --expected=203xi32=1001 --expected=1001xi32=203 --expected=i32=203203
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=quotient --input=77777xi32=iota --expected=77777xi32=1
// RUN: env HETERO_NUM_THREADS=3 hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=narrow --input=65x33xbf16=2 --expected=65x65xbf16=132
// RUN: hetero-run %s --print-max=1 --rules='{default: cpu}' --entry=infinite_filter --input=1x4x4x2xf32=1 --input=2xf32=inf --expected=1x4x4x2xf32=1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,1,1,0,0,0,0,0,0,1,1,0,0,0,0,0,0 --expected=1x4x4x2xf32=1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,1,1,0,0,0,0,0,0,1,1,0,0,0,0,0,0

// A product with the identity matrix.
func.func @identity(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %square = tensor.empty(%n, %n) : tensor<?x?xf32>
  %eye = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%square : tensor<?x?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %equal = arith.cmpi eq, %i, %j : index
    %value = arith.uitofp %equal : i1 to f32
    linalg.yield %value : f32
  } -> tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %eye : tensor<?x?xf32>, tensor<?x?xf32>) outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @twice_transposed(%a: tensor<301x203xf32>) -> tensor<301x203xf32> {
  %e0 = tensor.empty() : tensor<203x301xf32>
  %0 = linalg.transpose ins(%a : tensor<301x203xf32>) outs(%e0 : tensor<203x301xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<301x203xf32>
  %1 = linalg.transpose ins(%0 : tensor<203x301xf32>) outs(%e1 : tensor<301x203xf32>) permutation = [1, 0]
  return %1 : tensor<301x203xf32>
}

// A convolution whose filters have a single one is a strided slice of a channel.
func.func @window(%a: tensor<2x3x21x37xf32>) -> tensor<2x17x10x18xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %fe = tensor.empty() : tensor<17x3x3x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%fe : tensor<17x3x3x3xf32>) -> tensor<17x3x3x3xf32>
  %pe = tensor.empty() : tensor<17x1x1x1xf32>
  %ones = linalg.fill ins(%one : f32) outs(%pe : tensor<17x1x1x1xf32>) -> tensor<17x1x1x1xf32>
  %filter = tensor.insert_slice %ones into %zeros[0, 1, 2, 1] [17, 1, 1, 1] [1, 1, 1, 1]
      : tensor<17x1x1x1xf32> into tensor<17x3x3x3xf32>
  %e = tensor.empty() : tensor<2x17x10x18xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<2x17x10x18xf32>) -> tensor<2x17x10x18xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%a, %filter : tensor<2x3x21x37xf32>, tensor<17x3x3x3xf32>)
      outs(%fill : tensor<2x17x10x18xf32>) -> tensor<2x17x10x18xf32>
  %slice = tensor.extract_slice %a[0, 1, 2, 1] [2, 1, 10, 18] [1, 1, 2, 2]
      : tensor<2x3x21x37xf32> to tensor<2x10x18xf32>
  %wide = linalg.broadcast ins(%slice : tensor<2x10x18xf32>) outs(%e : tensor<2x17x10x18xf32>) dimensions = [1]
  %difference = linalg.sub ins(%y, %wide : tensor<2x17x10x18xf32>, tensor<2x17x10x18xf32>)
      outs(%e : tensor<2x17x10x18xf32>) -> tensor<2x17x10x18xf32>
  return %difference : tensor<2x17x10x18xf32>
}

func.func @softmax(%a: tensor<203x1001xf32>) -> tensor<203x1001xf32> {
  %e = tensor.empty() : tensor<203x1001xf32>
  %y = linalg.softmax dimension(1) ins(%a : tensor<203x1001xf32>) outs(%e : tensor<203x1001xf32>) -> tensor<203x1001xf32>
  return %y : tensor<203x1001xf32>
}

// Along rows, along columns, and all.
func.func @sums(%a: tensor<203x1001xi32>) -> (tensor<203xi32>, tensor<1001xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<203xi32>
  %f0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<203xi32>) -> tensor<203xi32>
  %rows = linalg.reduce {arith.addi} ins(%a : tensor<203x1001xi32>) outs(%f0 : tensor<203xi32>) dimensions = [1]
  %e1 = tensor.empty() : tensor<1001xi32>
  %f1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<1001xi32>) -> tensor<1001xi32>
  %columns = linalg.reduce {arith.addi} ins(%a : tensor<203x1001xi32>) outs(%f1 : tensor<1001xi32>) dimensions = [0]
  %e2 = tensor.empty() : tensor<i32>
  %f2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<i32>) -> tensor<i32>
  %all = linalg.reduce {arith.addi} ins(%a : tensor<203x1001xi32>) outs(%f2 : tensor<i32>) dimensions = [0, 1]
  return %rows, %columns, %all : tensor<203xi32>, tensor<1001xi32>, tensor<i32>
}

// Lanes past the end must not divide: they hold zeros.
func.func @quotient(%a: tensor<77777xi32>) -> tensor<77777xi32> {
  %one = arith.constant dense<1> : tensor<77777xi32>
  %0 = arith.addi %a, %one : tensor<77777xi32>
  %1 = arith.divsi %0, %0 : tensor<77777xi32>
  return %1 : tensor<77777xi32>
}

// The other operand is transposed: sums in the lanes of vectors.
func.func @narrow(%a: tensor<65x33xbf16>) -> tensor<65x65xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<65x65xbf16>
  %fill = linalg.fill ins(%zero : bf16) outs(%e : tensor<65x65xbf16>) -> tensor<65x65xbf16>
  %y = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<65x33xbf16>, tensor<65x33xbf16>)
      outs(%fill : tensor<65x65xbf16>) -> tensor<65x65xbf16>
  return %y : tensor<65x65xbf16>
}

func.func @exp(%a: tensor<37xf32>) -> tensor<37xf32> {
  %e = tensor.empty() : tensor<37xf32>
  %r = linalg.exp ins(%a : tensor<37xf32>) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  return %r : tensor<37xf32>
}

// Zeros around an image times infinity are no numbers, and show where the window's
// first element is outside: of filters that are constants, and of others.
func.func @infinite_filter(%x: tensor<1x4x4x2xf32>, %most: tensor<2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %constant = arith.constant dense<[[[0x7F800000, 0xFF800000], [1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]]> : tensor<3x3x2xf32>
  %ones = arith.constant dense<1.0> : tensor<3x3x2xf32>
  %filter = tensor.insert_slice %most into %ones[0, 0, 0] [1, 1, 2] [1, 1, 1] : tensor<2xf32> into tensor<3x3x2xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x2xf32> to tensor<1x6x6x2xf32>
  %empty = tensor.empty() : tensor<1x4x4x2xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %y0 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %constant : tensor<1x6x6x2xf32>, tensor<3x3x2xf32>) outs(%fill : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %y1 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %filter : tensor<1x6x6x2xf32>, tensor<3x3x2xf32>) outs(%fill : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y0, %y1 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) outs(%empty, %empty : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %first = arith.cmpf uno, %a, %a : f32
    %second = arith.cmpf uno, %b, %b : f32
    %u = arith.uitofp %first : i1 to f32
    %v = arith.uitofp %second : i1 to f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>)
  return %r#0, %r#1 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}
