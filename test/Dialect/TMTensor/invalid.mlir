// Each constraint, broken.

// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @scan_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected 2 tensors in outs, got 1}}
  %0 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scan_c2(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a dimension from 0 to 0, got 1}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4xf32>) outs(%x, %z : tensor<4xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>, tensor<f32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @scan_c4(%x: tensor<4x3xf32>, %z: tensor<4xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{expected an accumulator with the input's sizes except that of dimension 0, got 'tensor<4xf32>'}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%x, %z : tensor<4x3xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x3xf32>, tensor<4xf32>
  return %0#0 : tensor<4x3xf32>
}

// -----

func.func @scatter_c2(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected indices to be integers in two dimensions, the second of a static size, got 'tensor<2xi32>'}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2xi32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scatter_c3(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2x1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected different dimensions of 'tensor<4xf32>' in dimension_map, got 1}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2x1xi32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scatter_c4(%x: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<2x1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected as many updates as rows of indices}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xf32>, tensor<2x1xi32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scatter_c5(%x: tensor<4x3xf32>, %u: tensor<2xf32>, %i: tensor<2x1xi32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{expected updates and indices to cover 'tensor<4x3xf32>', got updates of type 'tensor<2xf32>'}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2x1xi32>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @sort_c3(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a region of 2 arguments, got 1}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    %t = arith.constant true
    tm_tensor.yield %t : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @topk_c5(%x: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<4xf32>) outs(%x, %i : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error@+1 {{expected one value of type 'i1', got ('f32')}}
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>, tensor<4xi32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @attention_c3(%q: tensor<1x2x4xf32>, %k: tensor<1x2x5xf32>) -> tensor<1x2x4xf32> {
  // expected-error@+1 {{expected dimension 2 of 'tensor<1x2x5xf32>' to be 4, as in another operand}}
  %0 = tm_tensor.attention ins(%q, %k, %q : tensor<1x2x4xf32>, tensor<1x2x5xf32>, tensor<1x2x4xf32>) outs(%q : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
