// RUN: hetero-opt %s --hetero-pipeline --split-input-file --verify-diagnostics -o /dev/null

// What of TOSA is not lowered is said in one error, in a region and outside.

func.func @rounding(%x: tensor<2xi8>) -> tensor<2xi8> {
  %multiplier = "tosa.const"() {values = dense<17> : tensor<1xi32>} : () -> tensor<1xi32>
  %shift = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  // expected-error@+1 {{TOSA is not lowered: failed to legalize operation 'tosa.rescale'; write it in other operations, types or attributes}}
  %0 = tosa.rescale %x, %multiplier, %shift, %zero, %zero {scale32 = true, rounding_mode = INEXACT_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

func.func @scalar(%x: i32, %m: i32, %s: i8) -> i32 {
  // expected-error@+1 {{TOSA is not lowered: failed to legalize operation 'tosa.apply_scale' that was explicitly marked illegal; write it in other operations, types or attributes}}
  %0 = tosa.apply_scale %x, %m, %s {rounding_mode = INEXACT_ROUND} : (i32, i32, i8) -> i32
  return %0 : i32
}

// -----

func.func @no_elements(%x: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %s = tosa.const_shape {values = dense<[0, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error@+1 {{TOSA is not lowered: 'tosa.reshape' op result #0 must be tosa-conformant tensor}}
  %0 = tosa.reshape %x, %s : (tensor<4x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What has no form for unsigned elements.

func.func @shifted(%x: tensor<4xui8>) -> tensor<4xui8> {
  // expected-error@+1 {{'tosa.arithmetic_right_shift' op has no form for unsigned elements; cast them to wider ones with tosa.cast}}
  %0 = tosa.arithmetic_right_shift %x, %x {round = false} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

func.func private @without_rank(%x: tensor<*xui8>) -> tensor<*xui8> {
  // expected-error@+1 {{'tosa.clamp' op has no form for unsigned elements; give them a rank}}
  %0 = tosa.clamp %x {min_val = 0 : ui8, max_val = 9 : ui8} : (tensor<*xui8>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// -----

func.func @too_wide(%x: tensor<4xui64>) -> tensor<4xf32> {
  // expected-error@+1 {{'tosa.cast' op has no form for unsigned elements; cast to or from 32 bits}}
  %0 = tosa.cast %x : (tensor<4xui64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Variables of a size that nobody says, or of two.

// expected-error@+1 {{'tosa.variable' op has sizes that neither its type nor what reads and writes it says; state needs memory of a known size}}
tosa.variable @open : tensor<2x?xf32>
func.func @open_size(%x: tensor<2x?xf32>) {
  tosa.variable_write @open, %x : tensor<2x?xf32>
  return
}

// -----

tosa.variable @torn : tensor<?xf32>
func.func @two_sizes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  tosa.variable_write @torn, %x : tensor<2xf32>
  // expected-error@+1 {{'tosa.variable_write' op knows the variable with a size of 3, others with 2; its memory has one size, use one variable for each}}
  tosa.variable_write @torn, %y : tensor<3xf32>
  return
}

// -----

// A condition of which nobody knows how many indices it takes.

func.func private @condition(%c: tensor<*xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tosa.cond_if' op has a condition without a rank; give it the type tensor<i1>}}
  %0 = tosa.cond_if %c : tensor<*xi1> -> tensor<4xf32> {
    tosa.yield %x : tensor<4xf32>
  } else {
    %1 = tosa.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Placement counts nothing of a tensor without a rank, and nothing lowers it.

func.func private @filter(%x: tensor<1x4x4x2xf32>, %w: tensor<*xf32>, %b: tensor<3xf32>) -> tensor<1x4x4x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error@+1 {{'tosa.conv2d' op has a tensor whose rank is not known; cast it with tensor.cast}}
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<*xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

// The rank of the first pool's input is inferred, that of the second is not known.

func.func private @pools(%x: tensor<*xf32>, %y: tensor<1x4x4x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %k = tosa.abs %y : (tensor<1x4x4x1xf32>) -> tensor<*xf32>
  %0 = tosa.max_pool2d %k {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  %l = tosa.abs %x : (tensor<*xf32>) -> tensor<*xf32>
  // expected-error@+1 {{'tosa.max_pool2d' op has an input whose rank is not known; cast it with tensor.cast}}
  %1 = tosa.max_pool2d %l {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}
