// State whose readers and writers cannot all run where it is (case 26): all
// that excludes each other is named, whichever of it is annotated.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-place

// expected-note @below {{the state is annotated here}}
ml_program.global private mutable @counter(dense<1.0> : tensor<4xf128>) : tensor<4xf128> {hetero.device = #hetero.device<gpu:0>}
func.func @reads(%x: tensor<4xf128>) -> tensor<4xf128> {
  // expected-error @below {{'ml_program.global_load' op uses state on gpu:0, which cannot run it: no gpu kernel for ml_program.global_load on elements of type f128; annotate the state with cpu:0}}
  %0 = ml_program.global_load @counter : tensor<4xf128>
  %1 = arith.addf %0, %x : tensor<4xf128>
  return %1 : tensor<4xf128>
}

// -----

// expected-note @below {{it uses this state}}
ml_program.global private mutable @counter(dense<1.0> : tensor<4xf128>) : tensor<4xf128>
// expected-note @below {{it works on this tensor}}
func.func @writes(%x: tensor<4xf128>) {
  // expected-error @below {{'ml_program.global_store' op is annotated with gpu:0, which cannot run it}}
  ml_program.global_store @counter = %x : tensor<4xf128> {hetero.device = #hetero.device<gpu:0>}
  return
}

// -----

// Memory whose elements are accessed one by one is the host's.

// expected-note @below {{the state is annotated here}}
memref.global "private" @counter : memref<4xf32> = dense<1.0> {hetero.device = #hetero.device<gpu:0>}
func.func @element(%i: index) -> f32 {
  // expected-error @below {{'memref.get_global' op uses state on gpu:0, which cannot run it: no gpu code for memref.get_global; annotate the state with cpu:0}}
  %0 = memref.get_global @counter : memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}

// -----

// Two functions that do not agree.

ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @reads() -> tensor<4xf32> {
  // expected-note @below {{'ml_program.global_load' op is one of them (pinned)}}
  %0 = ml_program.global_load @counter : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}
  return %0 : tensor<4xf32>
}
func.func @writes(%x: tensor<4xf32>) {
  // expected-error @below {{'ml_program.global_store' op (pinned) cannot be on one device with the others that use @counter; change one of the annotations}}
  ml_program.global_store @counter = %x : tensor<4xf32> {hetero.device = #hetero.device<gpu:1>}
  return
}

// -----

// One that does not agree with the state.

ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{'ml_program.global_load' op is one of them (pinned at state-invalid.mlir:}}
  %0 = ml_program.global_load @counter : tensor<4xf32>
  // expected-error @below {{'ml_program.global_store' op (pinned) cannot be on one device with the others that use @counter}}
  ml_program.global_store @counter = %x : tensor<4xf32> {hetero.device = #hetero.device<cpu>}
  return %0 : tensor<4xf32>
}

// -----

ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @colocated() -> tensor<4xf32> {
  // expected-error @below {{'ml_program.global_load' op is where the state that it uses is, not with others of hetero.colocate; annotate the state with a device instead}}
  %0 = ml_program.global_load @counter : tensor<4xf32> {hetero.colocate = "a"}
  return %0 : tensor<4xf32>
}

// -----

// expected-note @below {{the topology stands here}}
module attributes {hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>]>} {
  // expected-error @below {{'ml_program.global' op is annotated with gpu:0, which the topology does not have (cpu:0); add a device_spec for it or name another device}}
  ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}
  func.func @elsewhere() -> tensor<4xf32> {
    %0 = ml_program.global_load @counter : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// The state is where all that use it run.

ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<cpu>}
func.func @on_host() -> tensor<4xf32> {
  %0 = ml_program.global_load @counter : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Rules are not written for state: the first holds, and an annotation wins over
// it.

ml_program.global private mutable @counter(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @by_rules(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{'ml_program.global_load' op is one of them (rule 1)}}
  %0 = ml_program.global_load @counter : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
  // expected-warning @below {{'ml_program.global_store' op is where the others that use @counter are, not on gpu:1 as rule 2 asks for}}
  ml_program.global_store @counter = %x : tensor<4xf32> {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 2"}
  return %0 : tensor<4xf32>
}
