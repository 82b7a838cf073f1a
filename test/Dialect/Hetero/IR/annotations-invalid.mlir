// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @conflict(%x: tensor<4xf32>) {
  // expected-error@+1 {{'hetero.conflict' expects a #hetero.conflict attribute, got "error"; write #hetero.conflict<copy>, or replicate, warn or error}}
  %0 = math.exp %x {hetero.conflict = "error"} : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{'hetero.conflict' expects a #hetero.conflict attribute, got unit}}
module attributes {hetero.conflict} {}

// -----

// expected-error@+1 {{'hetero.conflict' expects a #hetero.conflict attribute, got true}}
func.func @conflict_of_argument(%x: tensor<4xf32> {hetero.conflict = true}) {
  return
}

// -----

func.func @conflict_mode(%x: tensor<4xf32>) {
  // expected-error@+2 {{expected one of [copy, replicate, warn, error] for what becomes of a conflict, got: maybe}}
  // expected-error@+1 {{failed to parse Hetero_ConflictModeAttr parameter 'value'}}
  %0 = math.exp %x {hetero.conflict = #hetero.conflict<maybe>} : tensor<4xf32>
  return
}

// -----

func.func @memory(%x: tensor<4xf32>) {
  // expected-error@+1 {{'hetero.memory' expects a #hetero.memory attribute, got "unified"; write #hetero.memory<unified>}}
  %0 = math.exp %x {hetero.memory = "unified"} : tensor<4xf32>
  return
}

// -----

func.func @memory_c1(%x: tensor<4xf32>, %i: index) {
  // expected-error@+1 {{'hetero.memory' expects tensors; remove it, other values are on the host}}
  %0 = tensor.extract %x[%i] {hetero.memory = #hetero.memory<unified>} : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{'hetero.memory' expects tensors}}
func.func @memory_c1_argument(%n: index {hetero.memory = #hetero.memory<unified>}) {
  return
}
