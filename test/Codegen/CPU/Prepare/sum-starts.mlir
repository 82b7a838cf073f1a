// RUN: hetero-opt %s --hetero-explain-codegen -o /dev/null 2>&1 | FileCheck %s

module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// A bias that sums start from is added to the accumulators, with what comes next;
// no tile is filled with it before.
// CHECK: "bias": contraction of 128 x 64 x 32
// CHECK: "bias": elementwise over 128 x 64 {{.*}} on the accumulators of the contraction before
func.func @bias(%x: tensor<128x32xf32>, %w: tensor<32x64xf32>, %b: tensor<64xf32>) -> tensor<128x64xf32> {
  %r = hetero.execute "bias" on #hetero.device<cpu:0>
      (%a = %x : tensor<128x32xf32>, %f = %w : tensor<32x64xf32>, %c = %b : tensor<64xf32>) -> (tensor<128x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<128x64xf32>
    %start = linalg.broadcast ins(%c : tensor<64xf32>) outs(%empty : tensor<128x64xf32>) dimensions = [0]
    %y = linalg.matmul ins(%a, %f : tensor<128x32xf32>, tensor<32x64xf32>) outs(%start : tensor<128x64xf32>) -> tensor<128x64xf32>
    %z = linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%y : tensor<128x64xf32>) outs(%empty : tensor<128x64xf32>) {
    ^bb0(%in: f32, %o: f32):
      %relu = arith.maximumf %in, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<128x64xf32>
    hetero.yield %z : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// Sums that share a fill have one each, which is in their registers.
// CHECK-COUNT-2: "shared": elementwise over 16 x 32
// CHECK-COUNT-2: "shared": contraction of 16 x 32 x 32
func.func @shared(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>, %v: tensor<32x32xf32>) -> tensor<16x32xf32> {
  %r = hetero.execute "shared" on #hetero.device<cpu:0>
      (%a = %x : tensor<16x32xf32>, %f = %w : tensor<32x32xf32>, %g = %v : tensor<32x32xf32>) -> (tensor<16x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<16x32xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x32xf32>) -> tensor<16x32xf32>
    %y = linalg.matmul ins(%a, %f : tensor<16x32xf32>, tensor<32x32xf32>) outs(%fill : tensor<16x32xf32>) -> tensor<16x32xf32>
    %z = linalg.matmul ins(%y, %g : tensor<16x32xf32>, tensor<32x32xf32>) outs(%fill : tensor<16x32xf32>) -> tensor<16x32xf32>
    hetero.yield %z : tensor<16x32xf32>
  }
  return %r : tensor<16x32xf32>
}

// What sums of integers start from stays.
// CHECK: "kept": elementwise over 64 x 32
// CHECK: "kept": contraction of 64 x 32 x 32
// CHECK-NOT: on the accumulators
func.func @kept(%x: tensor<64x32xi32>, %w: tensor<32x32xi32>, %b: tensor<32xi32>) -> tensor<64x32xi32> {
  %r = hetero.execute "kept" on #hetero.device<cpu:0>
      (%a = %x : tensor<64x32xi32>, %f = %w : tensor<32x32xi32>, %c = %b : tensor<32xi32>) -> (tensor<64x32xi32>) {
    %empty = tensor.empty() : tensor<64x32xi32>
    %start = linalg.broadcast ins(%c : tensor<32xi32>) outs(%empty : tensor<64x32xi32>) dimensions = [0]
    %y = linalg.matmul ins(%a, %f : tensor<64x32xi32>, tensor<32x32xi32>) outs(%start : tensor<64x32xi32>) -> tensor<64x32xi32>
    hetero.yield %y : tensor<64x32xi32>
  }
  return %r : tensor<64x32xi32>
}
}
