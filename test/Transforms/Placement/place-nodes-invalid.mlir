// RUN: hetero-opt %s --split-input-file --hetero-place --verify-diagnostics

// Node 0 takes inputs and gives results.
// expected-error@+1 {{'func.func' op argument 0 is annotated with gpu:0@1, but node 0 takes the inputs of a program and gives its results; remove the annotation, and the value is copied to where operations on node 1 need it, or from where they make it}}
func.func @argument(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:0, node = 1>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op result 1 is annotated with cpu:0@2, but node 0 takes}}
func.func @result(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {hetero.device = #hetero.device<cpu:0, node = 2>}) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// Nor is what others define on another node.
// expected-error@+1 {{'func.func' op argument 0 is annotated with cpu:0@1, but node 0 takes}}
func.func private @external(tensor<4xf32> {hetero.device = #hetero.device<cpu:0, node = 1>})

// -----

// Private functions may be anywhere.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @part(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:0, node = 1>}) -> (tensor<4xf32> {hetero.device = #hetero.device<cpu:0, node = 1>}) {
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0, node = 1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A device of a node that a topology does not have.
// expected-note@+1 {{the topology stands here}}
module attributes {hetero.topology = #hetero.topology<devices = [
    <device = <cpu:0>, compute = 1, bandwidth = 1>, <device = <gpu:0>, compute = 1, bandwidth = 1>, <device = <cpu:0, node = 1>, compute = 1, bandwidth = 1>]>} {
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'math.exp' op is annotated with gpu:0@1, which the topology does not have (cpu:0, gpu:0, cpu:0@1); add a device_spec for it or name another device}}
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0, node = 1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
