// RUN: hetero-opt %s --hetero-pipeline --verify-diagnostics

// State needs memory of a known size.
// expected-error @below {{expected a ranked tensor of static shape, got 'tensor<?xf32>'; state needs memory of a known size}}
ml_program.global private mutable @state : tensor<?xf32>
func.func @main(%x: tensor<?xf32>) {
  ml_program.global_store @state = %x : tensor<?xf32>
  return
}
