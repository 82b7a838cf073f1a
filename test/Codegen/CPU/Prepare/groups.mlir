// RUN: hetero-opt %s --hetero-codegen | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen --hetero-codegen | FileCheck %s --enable-var-scope

module attributes {hetero.vector_bits = 512 : i64} {

// All parts of a softmax share a tile of rows; there is one division per row.
// CHECK-LABEL: @softmax
// CHECK-COUNT-1: scf.forall (
// CHECK: vector.reduction <maximumf>
// CHECK: math.exp
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @softmax(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %r = hetero.execute "softmax" on #hetero.device<cpu:0>
      (%a = %x : tensor<512x1024xf32>) -> (tensor<512x1024xf32>) {
    %empty = tensor.empty() : tensor<512x1024xf32>
    %y = linalg.softmax dimension(1) ins(%a : tensor<512x1024xf32>)
        outs(%empty : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    hetero.yield %y : tensor<512x1024xf32>
  }
  return %r : tensor<512x1024xf32>
}

// The maxima and the exponentials read the product: a tile computes it once,
// with one panel.
// CHECK-LABEL: @product_with_two_readers
// CHECK: scf.forall (
// CHECK: -> ({{(vector<16xf32>, ){24}tensor<64x64xf32>}})
// CHECK-NOT: tensor<64x64xf32>)
// CHECK: vector.reduction <maximumf>
// CHECK-NOT: tensor<64x64xf32>)
// CHECK: return
func.func @product_with_two_readers(%x: tensor<8x96x64xf32>, %y: tensor<8x64x512xf32>) -> tensor<8x96x512xf32> {
  %r = hetero.execute "product" on #hetero.device<cpu:0>
      (%a = %x : tensor<8x96x64xf32>, %b = %y : tensor<8x64x512xf32>) -> (tensor<8x96x512xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8x96x512xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x96x512xf32>) -> tensor<8x96x512xf32>
    %scores = linalg.batch_matmul ins(%a, %b : tensor<8x96x64xf32>, tensor<8x64x512xf32>)
        outs(%fill : tensor<8x96x512xf32>) -> tensor<8x96x512xf32>
    %weights = linalg.softmax dimension(2) ins(%scores : tensor<8x96x512xf32>)
        outs(%empty : tensor<8x96x512xf32>) -> tensor<8x96x512xf32>
    hetero.yield %weights : tensor<8x96x512xf32>
  }
  return %r : tensor<8x96x512xf32>
}

// Attention is one loop. Each row of the result is multiplied by the reciprocal of
// its sum, on the accumulators of the second product, and not the weights; one
// instruction compares exponents, since a NaN makes the sum one anyway.
// CHECK-LABEL: @attention
// CHECK: scf.forall (
// CHECK: arith.maximumf {{.*}} fastmath<nnan,nsz> : vector<16xf32>
// CHECK: vector.reduction <maximumf>, {{.*}} fastmath<reassoc,nnan,nsz>
// CHECK: math.exp
// CHECK-NOT: arith.mulf
// CHECK: arith.divf
// CHECK: %[[SUMS:.+]]:24 = scf.for
// CHECK-NOT: scf.for
// CHECK: arith.mulf %[[SUMS]]#0, {{.*}} : vector<16xf32>
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @attention(%q: tensor<8x60x32xf32>, %k: tensor<8x32x96xf32>, %v: tensor<8x96x64xf32>) -> tensor<8x60x64xf32> {
  %r = hetero.execute "attention" on #hetero.device<cpu:0>
      (%a = %q : tensor<8x60x32xf32>, %b = %k : tensor<8x32x96xf32>, %c = %v : tensor<8x96x64xf32>) -> (tensor<8x60x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %square = tensor.empty() : tensor<8x60x96xf32>
    %empty = tensor.empty() : tensor<8x60x64xf32>
    %fill0 = linalg.fill ins(%zero : f32) outs(%square : tensor<8x60x96xf32>) -> tensor<8x60x96xf32>
    %fill1 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x60x64xf32>) -> tensor<8x60x64xf32>
    %scores = linalg.batch_matmul ins(%a, %b : tensor<8x60x32xf32>, tensor<8x32x96xf32>)
        outs(%fill0 : tensor<8x60x96xf32>) -> tensor<8x60x96xf32>
    %weights = linalg.softmax dimension(2) ins(%scores : tensor<8x60x96xf32>)
        outs(%square : tensor<8x60x96xf32>) -> tensor<8x60x96xf32>
    %y = linalg.batch_matmul ins(%weights, %c : tensor<8x60x96xf32>, tensor<8x96x64xf32>)
        outs(%fill1 : tensor<8x60x64xf32>) -> tensor<8x60x64xf32>
    hetero.yield %y : tensor<8x60x64xf32>
  }
  return %r : tensor<8x60x64xf32>
}

// Must not act: the result has more elements than the weights, which are divided.
// CHECK-LABEL: @wide_values
// CHECK: arith.divf
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK-NOT: arith.mulf {{[^f]*}} : vector<16xf32>
// CHECK: return
func.func @wide_values(%w: tensor<600x8xf32>, %v: tensor<8x64xf32>) -> tensor<600x64xf32> {
  %r = hetero.execute "wide" on #hetero.device<cpu:0>
      (%a = %w : tensor<600x8xf32>, %c = %v : tensor<8x64xf32>) -> (tensor<600x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %narrow = tensor.empty() : tensor<600x8xf32>
    %empty = tensor.empty() : tensor<600x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<600x64xf32>) -> tensor<600x64xf32>
    %weights = linalg.softmax dimension(1) ins(%a : tensor<600x8xf32>)
        outs(%narrow : tensor<600x8xf32>) -> tensor<600x8xf32>
    %y = linalg.matmul ins(%weights, %c : tensor<600x8xf32>, tensor<8x64xf32>)
        outs(%fill : tensor<600x64xf32>) -> tensor<600x64xf32>
    hetero.yield %y : tensor<600x64xf32>
  }
  return %r : tensor<600x64xf32>
}

// The columns' sums are needed whole by every tile: two loops, not one that
// computes them again and again.
// CHECK-LABEL: @whole_producer
// CHECK-COUNT-2: scf.forall (
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @whole_producer(%x: tensor<1024x2048xf32>) -> tensor<1024x2048xf32> {
  %r = hetero.execute "whole_producer" on #hetero.device<cpu:0>
      (%a = %x : tensor<1024x2048xf32>) -> (tensor<1024x2048xf32>) {
    %zero = arith.constant 0.0 : f32
    %row = tensor.empty() : tensor<2048xf32>
    %empty = tensor.empty() : tensor<1024x2048xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%row : tensor<2048xf32>) -> tensor<2048xf32>
    %sum = linalg.reduce {arith.addf} ins(%a : tensor<1024x2048xf32>)
        outs(%fill : tensor<2048xf32>) dimensions = [0]
    %wide = linalg.broadcast ins(%sum : tensor<2048xf32>)
        outs(%empty : tensor<1024x2048xf32>) dimensions = [0]
    %y = linalg.div ins(%a, %wide : tensor<1024x2048xf32>, tensor<1024x2048xf32>)
        outs(%empty : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
    hetero.yield %y : tensor<1024x2048xf32>
  }
  return %r : tensor<1024x2048xf32>
}

}
