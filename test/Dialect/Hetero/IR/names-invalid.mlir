// RUN: hetero-opt %s --split-input-file --verify-diagnostics

// Attributes that do not exist would be lost without a word.

func.func @operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'math.exp' op has an unknown attribute 'hetero.devise'; did you mean 'hetero.device'?}}
  %0 = math.exp %x {hetero.devise = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op has an unknown attribute 'hetero.donate'; did you mean 'hetero.donated'?}}
func.func @argument(%x: tensor<4xf32> {hetero.donate}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op has an unknown attribute 'hetero.Device'; did you mean 'hetero.device'?}}
func.func @result(%x: tensor<4xf32>) -> (tensor<4xf32> {hetero.Device = #hetero.device<gpu:0>}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'builtin.module' op has an unknown attribute 'hetero.topologie'; did you mean 'hetero.topology'?}}
module attributes {hetero.topologie = 1} {
}

// -----

// Numbers that do not fit are refused, and not cut off to another device's.

func.func @wraps(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a device ordinal of at most 65535, got 4294967296; devices of a kind are counted from 0}}
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:4294967296>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a device ordinal of at most 65535, got 65536; devices of a kind are counted from 0}}
func.func private @encoding(%x: tensor<4xf32, #hetero.device<gpu:65536>>)

// -----

// expected-error@+1 {{expected a device ordinal of at most 65535, got 99999999999999999999999999999; devices of a kind are counted from 0}}
func.func private @many_digits(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:99999999999999999999999999999>})

// -----

// expected-error@+1 {{expected a non-negative device ordinal}}
func.func private @negative(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:-1>})

// -----

// expected-error@+1 {{expected a device ordinal}}
func.func private @word(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:first>})

// -----

// The largest one is a device like any other.
func.func private @largest(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:65535>})
