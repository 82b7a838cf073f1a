// State on a device whose readers or writers cannot run there (case 26): both
// are named, whichever of them is annotated.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-place

// expected-note @below {{the state is annotated here}}
ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}
func.func @reads(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'ml_program.global_load' op uses state on gpu:0, which cannot run it: no gpu code for ml_program.global_load; annotate the state with cpu:0}}
  %0 = ml_program.global_load @counter : tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-note @below {{it uses this state}}
ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
// expected-note @below {{it works on this tensor}}
func.func @writes(%x: tensor<4xf32>) {
  // expected-error @below {{'ml_program.global_store' op is annotated with gpu:0, which cannot run it}}
  ml_program.global_store @counter = %x : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}
  return
}

// -----

// The state is where all that use it run.

ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<cpu>}
func.func @on_host() -> tensor<4xf32> {
  %0 = ml_program.global_load @counter : tensor<4xf32>
  return %0 : tensor<4xf32>
}
