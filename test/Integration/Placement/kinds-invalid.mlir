// RUN: hetero-opt-test-passes %s --hetero-place --split-input-file --verify-diagnostics

// An annotation that asks a kind for what it cannot do names what is missing.

func.func @body(%a: tensor<8xf32>) -> tensor<8xf32> { // expected-note {{it works on this tensor}}
  // expected-error @below {{'linalg.add' op is annotated with dsp:0, which cannot run it: no dsp kernel for linalg.add whose body holds arith.addf; remove the annotation}}
  %0 = linalg.add {hetero.device = #hetero.device<dsp:0>} ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @operation(%a: tensor<8xf32>) -> tensor<4xf32> { // expected-note {{it works on this tensor}}
  // expected-error @below {{'tensor.extract_slice' op is annotated with dsp, which cannot run it: no dsp code for tensor.extract_slice}}
  %0 = tensor.extract_slice %a[0] [4] [1] {hetero.device = #hetero.device<dsp>} : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Elementwise operations that are not linalg yet have the same capabilities.

func.func @elementwise(%a: tensor<8xf32>) -> tensor<8xf32> { // expected-note {{it works on this tensor}}
  %0 = arith.mulf %a, %a {hetero.device = #hetero.device<dsp:0>} : tensor<8xf32>
  // expected-error @below {{'arith.addf' op is annotated with dsp:0, which cannot run it: no dsp code for arith.addf}}
  %1 = arith.addf %a, %0 {hetero.device = #hetero.device<dsp:0>} : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What the host alone runs, no kind runs.

func.func @host(%a: tensor<8xf32>, %i: index) -> f32 { // expected-note {{it works on this tensor}}
  // expected-error @below {{'tensor.extract' op is annotated with dsp:0, which cannot run it: tensor.extract works on single elements, which the host does}}
  %0 = tensor.extract %a[%i] {hetero.device = #hetero.device<dsp:0>} : tensor<8xf32>
  return %0 : f32
}

// -----

// A kind that nobody registered runs nothing.

func.func @unknown(%a: tensor<8xf32>) -> tensor<8xf32> { // expected-note {{it works on this tensor}}
  // expected-error @below {{'linalg.mul' op is annotated with npu:0, which cannot run it: no npu code for linalg.mul}}
  %0 = linalg.mul {hetero.device = #hetero.device<npu:0>} ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
