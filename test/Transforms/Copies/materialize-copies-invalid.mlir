// RUN: hetero-opt %s --hetero-materialize-copies --split-input-file --verify-diagnostics

func.func @not_placed(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.exp' op expected a device; run --hetero-place first}}
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @partial(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.exp' op expected a device with an ordinal, got #hetero.device<gpu>; run --hetero-place first}}
  %0 = linalg.exp {hetero.device = #hetero.device<gpu>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a device with an ordinal in the signature, got #hetero.device<gpu>; run --hetero-place first}}
func.func @partial_signature(%a: tensor<4xf32> {hetero.device = #hetero.device<gpu>}) {
  return
}

// -----

// expected-error@+1 {{expected a tensor without an encoding, got 'tensor<4xf32, "sparse">'; a device cannot be added to it, remove the encoding}}
func.func @other_encoding(%a: tensor<4xf32, "sparse">) {
  return
}

// -----

func.func @other_encoding_inside() -> tensor<4xf32> {
  // expected-error@+1 {{expected a tensor without an encoding, got 'tensor<4xf32, "sparse">'}}
  %0 = tensor.empty() {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32, "sparse">
  %1 = tensor.empty() {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a tensor on gpu:1, got 'tensor<4xf32, #hetero.device<gpu:0>>'; correct the type or the annotation}}
func.func @contradiction(%a: tensor<4xf32, #hetero.device<gpu:0>> {hetero.device = #hetero.device<gpu:1>}) {
  return
}

// -----

// expected-error@+1 {{expected a ranked tensor on gpu:0, got 'tensor<*xf32>'; unranked tensors stay on the host}}
func.func @unranked(%a: tensor<*xf32> {hetero.device = #hetero.device<gpu:0>}) {
  return
}

// -----

func.func @user_copy(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{the source}}
  %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{copies from gpu:1, but its source is on gpu:0; correct the copy or the annotation of the source}}
  %1 = hetero.copy %0 : tensor<4xf32> on #hetero.device<gpu:1> -> tensor<4xf32> on #hetero.device<cpu:0>
  return %1 : tensor<4xf32>
}

// -----

func.func @sparse_elements() -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) {
  // expected-error@+1 {{expected dense elements on gpu:0, got sparse<0, 1.000000e+00> : tensor<4xf32>; pin the constant to the host}}
  %0 = arith.constant {hetero.device = #hetero.device<gpu:0>} sparse<[[0]], [1.0]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unranked_operand(%a: tensor<*xf32>) -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) {
  // expected-error@+1 {{'tensor.cast' op expected ranked tensors on gpu:0, got 'tensor<*xf32>'; unranked tensors stay on the host}}
  %0 = tensor.cast %a {hetero.device = #hetero.device<gpu:0>} : tensor<*xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
