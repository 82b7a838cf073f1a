// RUN: hetero-opt %s --hetero-codegen | FileCheck %s --enable-var-scope

module attributes {hetero.vector_bits = 512 : i64} {

// Six rows of four vectors stay in registers over the whole reduction, which
// starts from the value of the fill, and the epilogue works in the buffer of the
// product, tile by tile. The first rows fill the panel.
// CHECK-LABEL: @matmul
// CHECK: scf.forall
// CHECK:   scf.for {{.*}} -> ({{(vector<16xf32>, ){24}tensor<128x64xf32>}})
// CHECK:   scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK:     arith.mulf {{.*}} fastmath<contract> : vector<16xf32>
// CHECK:     arith.addf {{.*}} fastmath<contract> : vector<16xf32>
// CHECK:   arith.maximumf {{.*}} : vector<16xf32>
// CHECK: scf.forall.in_parallel
// CHECK-NOT: scf.forall (
func.func @matmul(%x: tensor<256x128xf32>, %y: tensor<128x256xf32>) -> tensor<256x256xf32> {
  %r = hetero.execute "matmul" on #hetero.device<cpu:0>
      (%a = %x : tensor<256x128xf32>, %b = %y : tensor<128x256xf32>) -> (tensor<256x256xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<256x256xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
    %product = linalg.matmul ins(%a, %b : tensor<256x128xf32>, tensor<128x256xf32>)
        outs(%fill : tensor<256x256xf32>) -> tensor<256x256xf32>
    %relu = linalg.max ins(%product, %fill : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
    hetero.yield %relu : tensor<256x256xf32>
  }
  return %r : tensor<256x256xf32>
}

// Both operands are contiguous along the reduction, and a few rows sum up in lanes:
// eight columns of all three rows.
// CHECK-LABEL: @transposed
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK-COUNT-24: vector.reduction <add>
func.func @transposed(%x: tensor<3x64xf32>, %y: tensor<48x64xf32>) -> tensor<3x48xf32> {
  %r = hetero.execute "transposed" on #hetero.device<cpu:0>
      (%a = %x : tensor<3x64xf32>, %b = %y : tensor<48x64xf32>) -> (tensor<3x48xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<3x48xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x48xf32>) -> tensor<3x48xf32>
    %product = linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %b : tensor<3x64xf32>, tensor<48x64xf32>)
        outs(%fill : tensor<3x48xf32>) -> tensor<3x48xf32>
    hetero.yield %product : tensor<3x48xf32>
  }
  return %r : tensor<3x48xf32>
}

// Many rows share a panel, of which blocks are transposed: quarters of vectors are put
// together, and exchanged within 128 bits.
// CHECK-LABEL: @transposed_panel
// CHECK: tensor.empty() : tensor<64x48xf32>
// CHECK: vector.transfer_read {{.*}} : tensor<48x64xf32>, vector<4xf32>
// CHECK: vector.shuffle {{.*}} : vector<8xi32>, vector<8xi32>
// CHECK: vector.shuffle {{.*}} [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<64x48xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK-NOT: vector.reduction
func.func @transposed_panel(%x: tensor<40x64xf32>, %y: tensor<48x64xf32>) -> tensor<40x48xf32> {
  %r = hetero.execute "transposed_panel" on #hetero.device<cpu:0>
      (%a = %x : tensor<40x64xf32>, %b = %y : tensor<48x64xf32>) -> (tensor<40x48xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<40x48xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x48xf32>) -> tensor<40x48xf32>
    %product = linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %b : tensor<40x64xf32>, tensor<48x64xf32>)
        outs(%fill : tensor<40x48xf32>) -> tensor<40x48xf32>
    hetero.yield %product : tensor<40x48xf32>
  }
  return %r : tensor<40x48xf32>
}

// If there are enough rows is known when it runs.
// CHECK-LABEL: @transposed_unknown
// CHECK: arith.cmpi sge, %{{.*}}, %c5
// CHECK: scf.if
// CHECK:   tensor.empty() : tensor<64x48xf32>
// CHECK-NOT: vector.reduction
// CHECK: } else {
// CHECK-NOT: tensor.empty() : tensor<64x48xf32>
// CHECK:   vector.reduction <add>
func.func @transposed_unknown(%x: tensor<?x64xf32>, %y: tensor<48x64xf32>) -> tensor<?x48xf32> {
  %r = hetero.execute "transposed_unknown" on #hetero.device<cpu:0>
      (%a = %x : tensor<?x64xf32>, %b = %y : tensor<48x64xf32>) -> (tensor<?x48xf32>) {
    %zero = arith.constant 0.0 : f32
    %first = arith.constant 0 : index
    %rows = tensor.dim %a, %first : tensor<?x64xf32>
    %empty = tensor.empty(%rows) : tensor<?x48xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x48xf32>) -> tensor<?x48xf32>
    %product = linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %b : tensor<?x64xf32>, tensor<48x64xf32>)
        outs(%fill : tensor<?x48xf32>) -> tensor<?x48xf32>
    hetero.yield %product : tensor<?x48xf32>
  }
  return %r : tensor<?x48xf32>
}

// What all rows read is copied into a panel where its rows are far apart: here
// each of the 300 is in pages of its own. The first rows copy what they read.
// CHECK-LABEL: @packed
// CHECK: %[[PART:.+]] = tensor.extract_slice {{.*}} : tensor<300x2048xf32> to tensor<300x64xf32>
// CHECK: tensor.empty() : tensor<300x64xf32>
// CHECK: %[[PANEL:.+]]:25 = scf.for {{.*}} -> ({{(vector<16xf32>, ){24}tensor<300x64xf32>}})
// CHECK:   vector.transfer_read %[[PART]]{{.*}} : tensor<300x64xf32>, vector<16xf32>
// CHECK:   vector.transfer_write {{.*}} : vector<16xf32>, tensor<300x64xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK:   vector.transfer_read %[[PANEL]]#24{{.*}} : tensor<300x64xf32>, vector<16xf32>
func.func @packed(%x: tensor<96x300xf32>, %y: tensor<300x2048xf32>, %o: tensor<96x2048xf32>) -> tensor<96x2048xf32> {
  %r = hetero.execute "packed" on #hetero.device<cpu:0>
      (%a = %x : tensor<96x300xf32>, %b = %y : tensor<300x2048xf32>, %c = %o : tensor<96x2048xf32>) -> (tensor<96x2048xf32>) {
    %product = linalg.matmul ins(%a, %b : tensor<96x300xf32>, tensor<300x2048xf32>)
        outs(%c : tensor<96x2048xf32>) -> tensor<96x2048xf32>
    hetero.yield %product : tensor<96x2048xf32>
  }
  return %r : tensor<96x2048xf32>
}

// Of a window of seven, vectors along the pixels do more than sums in lanes; the
// strided pixels are next to each other in the panel.
// CHECK-LABEL: @stem
// CHECK: tensor.empty() : tensor<{{(1x)?}}7x7x48xf32>
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @stem(%x: tensor<1x1x101x101xf32>, %w: tensor<64x1x7x7xf32>, %o: tensor<1x64x48x48xf32>) -> tensor<1x64x48x48xf32> {
  %r = hetero.execute "stem" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x1x101x101xf32>, %b = %w : tensor<64x1x7x7xf32>, %c = %o : tensor<1x64x48x48xf32>) -> (tensor<1x64x48x48xf32>) {
    %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
        ins(%a, %b : tensor<1x1x101x101xf32>, tensor<64x1x7x7xf32>)
        outs(%c : tensor<1x64x48x48xf32>) -> tensor<1x64x48x48xf32>
    hetero.yield %y : tensor<1x64x48x48xf32>
  }
  return %r : tensor<1x64x48x48xf32>
}

// A direct convolution: vectors along the row of the image, rows of the
// register tile along the filters, no im2col.
// CHECK-LABEL: @conv
// CHECK-NOT: linalg.
// CHECK: scf.for
// CHECK: vector.transfer_read {{.*}} : tensor<1x4x18x18xf32>, vector<16xf32>
// CHECK: arith.mulf {{.*}} : vector<16xf32>
func.func @conv(%x: tensor<1x4x18x18xf32>, %w: tensor<8x4x3x3xf32>, %o: tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> {
  %r = hetero.execute "conv" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x4x18x18xf32>, %b = %w : tensor<8x4x3x3xf32>, %c = %o : tensor<1x8x16x16xf32>) -> (tensor<1x8x16x16xf32>) {
    %y = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x4x18x18xf32>, tensor<8x4x3x3xf32>)
        outs(%c : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
    hetero.yield %y : tensor<1x8x16x16xf32>
  }
  return %r : tensor<1x8x16x16xf32>
}

// One row reads the matrix once and in its order: eight of its rows at a time,
// from their beginnings to their ends, and the sums are in memory, in f64. The
// first pass begins with the results, and the last one writes them.
// CHECK-LABEL: @one_row
// CHECK-NOT: linalg.
// CHECK: scf.for %[[K:.*]] = %c8{{.*}} to %c2040{{.*}} step %c8
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %c960{{.*}} step %c64
// CHECK-COUNT-4: vector.transfer_read {{.*}} : tensor<1000xf64>, vector<16xf64>
// CHECK-COUNT-32: vector.transfer_read {{.*}} : tensor<2048x1000xf32>, vector<16xf32>
// CHECK-COUNT-4: vector.transfer_write {{.*}} : vector<16xf64>, tensor<1000xf64>
func.func @one_row(%x: tensor<1x2048xf32>, %w: tensor<2048x1000xf32>, %o: tensor<1x1000xf32>) -> tensor<1x1000xf32> {
  %r = hetero.execute "row" on #hetero.device<cpu:0>
      (%a = %x : tensor<1x2048xf32>, %b = %w : tensor<2048x1000xf32>, %c = %o : tensor<1x1000xf32>) -> (tensor<1x1000xf32>) {
    %y = linalg.matmul ins(%a, %b : tensor<1x2048xf32>, tensor<2048x1000xf32>)
        outs(%c : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    hetero.yield %y : tensor<1x1000xf32>
  }
  return %r : tensor<1x1000xf32>
}

}
