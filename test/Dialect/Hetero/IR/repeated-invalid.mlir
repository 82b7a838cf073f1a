// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @repeated_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'hetero.repeated' expects a unit attribute; remove it to make the results once and copy them}}
  %0 = math.absf %x {hetero.repeated = 1 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @repeated_c2(%x: tensor<4xf32>, %i: index) -> f32 {
  // expected-error@+1 {{'hetero.repeated' expects an operation whose results are ranked tensors; remove it to make the results once and copy them}}
  %0 = tensor.extract %x[%i] {hetero.repeated} : tensor<4xf32>
  return %0 : f32
}

// -----

func.func private @other(tensor<4xf32>) -> tensor<4xf32>

func.func @repeated_c3(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'hetero.repeated' expects an operation without side effects; remove it to make the results once and copy them}}
  %0 = call @other(%x) {hetero.repeated} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
