// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @c1_count(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'hetero.library_call' op expected 3 orders, one for each operand, got 2}}
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)
      {orders = [array<i64: 0, 1>, array<i64: 0, 1>]} -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @c1_length(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expected orders of one length, got 2 and 3}}
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)
      {orders = [array<i64: 0, 1>, array<i64: -1, 0, 1>, array<i64: 0, 1>]} -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @c2_twice(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expected the order of operand 1 to have each of its 2 dimensions once, and -1 otherwise, got array<i64: 0, 0>}}
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)
      {orders = [array<i64: 0, 1>, array<i64: 0, 0>, array<i64: 0, 1>]} -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @c2_missing(%a: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected the order of operand 2 to have each of its 1 dimensions once}}
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4xf32>)
      {orders = [array<i64: 0, 1>, array<i64: 0, 1>, array<i64: 0, 1>]} -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @c3_range(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expected ascending positions of its 2 inputs as constants, got [2]}}
  %0 = hetero.library_call "openblas" "gemm" ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)
      {orders = [array<i64: 0, 1>, array<i64: 0, 1>, array<i64: 0, 1>], constants = array<i64: 2>} -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
