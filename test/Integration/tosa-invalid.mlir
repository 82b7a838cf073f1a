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

// A pass of upstream that fails without a word.

func.func @silent(%x: tensor<1x8x8x2xf32>, %w: tensor<4x1x1x2xf32>, %b: tensor<4xf32>, %z: tensor<1xf32>) -> tensor<1x71x8x4xf32> {
  // expected-error@+1 {{TOSA is not lowered; write it in other operations, types or attributes}}
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 10, 1>} : (tensor<1x8x8x2xf32>, tensor<4x1x1x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x71x8x4xf32>
  return %0 : tensor<1x71x8x4xf32>
}
