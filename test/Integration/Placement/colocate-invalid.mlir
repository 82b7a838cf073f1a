// RUN: hetero-opt %s --hetero-convert-elementwise-to-linalg --hetero-place --split-input-file --verify-diagnostics

// Pins that contradict each other are named with both locations.

func.func @pins(%a: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @+1 {{'linalg.exp' op is one of them (pinned)}}
  %0 = linalg.exp {hetero.colocate = "a", hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{cannot be on one device with the others of hetero.colocate = "a"; change one of the annotations or the name}}
  %1 = linalg.abs {hetero.colocate = "a", hetero.device = #hetero.device<cpu:0>} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Each device is excluded by someone.

func.func @nowhere(%a: tensor<4xf32>, %e: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  // expected-error @+2 {{'linalg.exp' op and the others of hetero.colocate = "a" have no device in common; give some of them another name}}
  // expected-note @+1 {{cpu:0 is excluded by 'linalg.exp' op (pinned)}}
  %0 = linalg.exp {hetero.colocate = "a", hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-note @+1 {{gpu:0 is excluded by 'tensor.extract' op}}
  %1 = tensor.extract %a[%i] {hetero.colocate = "a"} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}

// -----

func.func @name(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'hetero.colocate' expects a name, got 3 : i64; operations with the same name stand on one device}}
  %0 = linalg.exp {hetero.colocate = 3} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @idle(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning @+1 {{hetero.colocate of 'func.return' op has no effect: terminators have no device}}
  return {hetero.colocate = "a"} %a : tensor<4xf32>
}
