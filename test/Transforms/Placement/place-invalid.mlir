// RUN: hetero-opt %s --split-input-file --hetero-place --verify-diagnostics

// An annotation that no device of its kind can run is an error.
func.func @incapable(%a: tensor<8xf32>, %i: index) -> f32 {
  // expected-note@+1 {{it works on this tensor}}
  %0 = math.exp %a : tensor<8xf32>
  // expected-error@+1 {{'tensor.extract' op is annotated with gpu:0, which cannot run it: tensor.extract works on single elements, which the host does; remove the annotation or write #hetero.device<cpu:0>}}
  %1 = tensor.extract %0[%i] {hetero.device = #hetero.device<gpu:0>} : tensor<8xf32>
  return %1 : f32
}

// -----

// So is an element type that kernels do not have.
// expected-note@+1 {{it works on this tensor}}
func.func @element_type(%a: tensor<8xf128>) -> tensor<8xf128> {
  // expected-error@+1 {{'math.absf' op is annotated with gpu, which cannot run it: no gpu kernel for math.absf on elements of type f128; remove}}
  %0 = math.absf %a {hetero.device = #hetero.device<gpu>} : tensor<8xf128>
  return %0 : tensor<8xf128>
}

// -----

// So are elements that do not lie next to each other.
func.func @sparse_elements() -> tensor<4xf32> {
  // expected-error@+1 {{'arith.constant' op is annotated with gpu:0, which cannot run it: arith.constant has no dense elements, which the host spreads out; remove the annotation or write #hetero.device<cpu:0>}}
  %0 = arith.constant {hetero.device = #hetero.device<gpu:0>} sparse<[[0]], [1.0]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// And a body that no kernel can hold.
// expected-note@+1 {{it works on this tensor}}
func.func @body(%a: tensor<8xi64>, %t: tensor<8xf80>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error@+1 {{'linalg.generic' op is annotated with gpu:0, which cannot run it: no gpu kernel for linalg.generic whose body holds tensor.extract; remove}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xi64>) outs(%e : tensor<8xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%x: i64, %y: f32):
    %j = arith.index_cast %x : i64 to index
    %1 = tensor.extract %t[%j] : tensor<8xf80>
    %2 = arith.truncf %1 : f80 to f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A device outside an explicit topology is an error at the annotation.
// expected-note@+1 {{the topology stands here}}
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {
  func.func @outside(%a: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'math.exp' op is annotated with gpu:3, which the topology does not have (cpu:0, gpu:0); add a device_spec for it or name another device}}
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:3>} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// The same for arguments.
// expected-note@+1 {{the topology stands here}}
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {
  // expected-error@+1 {{'func.func' op argument 0 is annotated with gpu, which the topology does not have (cpu:0)}}
  func.func @outside(%a: tensor<8xf32> {hetero.device = #hetero.device<gpu>}) {
    return
  }
}

// -----

// A device's element types are part of what it can run.
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1, compute = 1, bandwidth = 1, types = [f32]>]>} {
  // expected-note@+1 {{it works on this tensor}}
  func.func @types(%a: tensor<8xf64>) -> tensor<8xf64> {
    // expected-error@+1 {{'math.exp' op is annotated with gpu:0, which cannot run it: gpu:0 has no elements of type f64; remove}}
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<8xf64>
    return %0 : tensor<8xf64>
  }
}

// -----

// Annotations must not get lost on the way.
// expected-error@+1 {{expected 2 annotated operations, as hetero-annotate counted, got 1; run the pass in between that drops hetero.device earlier}}
module attributes {hetero.phase = #hetero.phase<annotated>, hetero.pins = 2 : i64} {
  func.func @lost(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Types that carry devices come after placement.
// expected-error@+1 {{expected a module before materialization, got phase 'materialized'; run hetero-place earlier}}
module attributes {hetero.phase = #hetero.phase<materialized>} {
}

// -----

// A copy that contradicts the annotation of its source is an error.
func.func @contradiction(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note@+1 {{'math.exp' op makes it on gpu:1: pinned}}
  %0 = math.exp %a {hetero.device = #hetero.device<gpu:1>} : tensor<8xf32>
  // expected-error@+1 {{'hetero.copy' op copies from gpu:0, but its source is on gpu:1; change one of the two devices}}
  %1 = hetero.copy %0 : tensor<8xf32> on #hetero.device<gpu:0> -> tensor<8xf32> on #hetero.device<cpu:0>
  return %1 : tensor<8xf32>
}

// -----

// So is one from a device where an argument is not.
// expected-note@+1 {{'func.func' op has it on cpu:0}}
func.func @argument(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'hetero.copy' op copies from gpu:0, but its source is on cpu:0; change one of the two devices}}
  %0 = hetero.copy %a : tensor<8xf32> on #hetero.device<gpu:0> -> tensor<8xf32> on #hetero.device<gpu:1>
  return %0 : tensor<8xf32>
}

// -----

// A rule that cannot be met is a warning, and the operation falls back.
func.func @rule(%a: tensor<8xf32>, %i: index) -> f32 {
  // expected-warning@+1 {{'tensor.extract' op falls back to cpu:0: rule 2 asks for gpu:0, but tensor.extract works on single elements, which the host does}}
  %0 = tensor.extract %a[%i] {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 2"} : tensor<8xf32>
  return %0 : f32
}

// -----

// An annotation that means nothing is a warning.
func.func @idle(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-warning@+1 {{the annotation of 'math.exp' op with gpu:0 has no effect: it runs where the operation around it runs}}
    %1 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  // expected-warning@+1 {{the annotation of 'func.return' op with gpu:0 has no effect: terminators have no device}}
  return {hetero.device = #hetero.device<gpu:0>} %0 : tensor<8xf32>
}

// -----

// In a nested module as well: it is placed on its own.
module {
  module @nested {
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      // expected-warning@+1 {{the annotation of 'math.exp' op with gpu:0 has no effect: it is not in a function of this module}}
      %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
}

// -----

// A tensor with an encoding of another dialect cannot be elsewhere.
// expected-note@+1 {{it works on this tensor}}
func.func @encoding(%a: tensor<8xf32, "other">) -> tensor<8xf32, "other"> {
  // expected-error@+1 {{'math.exp' op is annotated with gpu:0, which cannot run it: no gpu kernel for math.exp on a tensor with the encoding "other"; remove}}
  %0 = math.exp %a {hetero.device = #hetero.device<gpu:0>} : tensor<8xf32, "other">
  return %0 : tensor<8xf32, "other">
}

// -----

// An annotation around operations that names no device is reported once.
// expected-note@+1 {{the topology stands here}}
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {
  // expected-error@+1 {{'func.func' op is annotated with gpu:1, which the topology does not have (cpu:0)}}
  func.func @around(%a: tensor<8xf32>) -> tensor<8xf32> attributes {hetero.device = #hetero.device<gpu:1>} {
    %0 = math.exp %a : tensor<8xf32>
    %1 = math.exp %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// So is a copy to a device that does not exist.
// expected-note@+1 {{the topology stands here}}
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1, compute = 1, bandwidth = 1>]>} {
  func.func @copy(%a: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'hetero.copy' op names gpu:0, which the topology does not have (cpu:0)}}
    %0 = hetero.copy %a : tensor<8xf32> on #hetero.device<cpu:0> -> tensor<8xf32> on #hetero.device<gpu:0>
    return %0 : tensor<8xf32>
  }
}
