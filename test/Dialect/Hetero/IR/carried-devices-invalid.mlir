// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @carried_c1_length(%p: i1, %x: tensor<4xf32>) {
  // expected-error@+1 {{'scf.if' op 'hetero.carried' expects 1 devices, one per value, got []; run --hetero-place again}}
  %0 = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {hetero.carried = []}
  return
}

// -----

func.func @carried_c1_ordinal(%n: index, %x: tensor<4xf32>) {
  // expected-error@+1 {{'scf.for' op 'hetero.carried' expects devices with an ordinal, got #hetero.device<gpu>; write #hetero.device<gpu:0>, for example}}
  %0 = scf.for %i = %n to %n step %n iter_args(%it = %x) -> tensor<4xf32> {
    scf.yield %it : tensor<4xf32>
  } {hetero.carried = [#hetero.device<gpu>]}
  return
}

// -----

func.func @carried_c2(%n: index, %x: i32) {
  // expected-error@+1 {{'scf.for' op 'hetero.carried' expects values of type 'i32' on cpu:0, got gpu:0; only ranked tensors live elsewhere}}
  %0 = scf.for %i = %n to %n step %n iter_args(%it = %x) -> i32 {
    scf.yield %it : i32
  } {hetero.carried = [#hetero.device<gpu:0>]}
  return
}

// -----

func.func @carried_c3(%x: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.exp' op 'hetero.carried' expects structured control flow; remove it}}
  %0 = linalg.exp {hetero.carried = [#hetero.device<gpu:0>]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @carried_inits_c1(%p: i1, %x: tensor<4xf32>) {
  // expected-error@+1 {{'scf.while' op 'hetero.carried_inits' expects 1 devices, one per value, got "gpu:0"; run --hetero-place again}}
  %0 = scf.while (%it = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%p) %it : tensor<4xf32>
  } do {
  ^bb0(%it: tensor<4xf32>):
    scf.yield %it : tensor<4xf32>
  } attributes {hetero.carried_inits = "gpu:0"}
  return
}

// -----

func.func @carried_inits_c3(%n: index, %x: tensor<4xf32>) {
  // expected-error@+1 {{'scf.for' op 'hetero.carried_inits' expects a loop whose arguments are not its results, like scf.while; remove it}}
  %0 = scf.for %i = %n to %n step %n iter_args(%it = %x) -> tensor<4xf32> {
    scf.yield %it : tensor<4xf32>
  } {hetero.carried_inits = [#hetero.device<gpu:0>]}
  return
}

// -----

// expected-error@+1 {{'func.func' op 'hetero.block_arguments' expects 1 arrays, one per block but the first, got []; run --hetero-place again}}
func.func @block_arguments_c1(%x: tensor<4xf32>) attributes {hetero.block_arguments = []} {
  cf.br ^next(%x : tensor<4xf32>)
^next(%y: tensor<4xf32>):
  return
}

// -----

// expected-error@+1 {{'func.func' op 'hetero.block_arguments' expects 1 devices, one per value, got []; run --hetero-place again}}
func.func @block_arguments_c1_entry(%x: tensor<4xf32>) attributes {hetero.block_arguments = [[]]} {
  cf.br ^next(%x : tensor<4xf32>)
^next(%y: tensor<4xf32>):
  return
}

// -----

// expected-error@+1 {{'hetero.block_arguments' expects values of type 'index' on cpu:0, got gpu:1; only ranked tensors live elsewhere}}
func.func @block_arguments_c2(%x: index) attributes {hetero.block_arguments = [[#hetero.device<gpu:1>]]} {
  cf.br ^next(%x : index)
^next(%y: index):
  return
}

// -----

// expected-error@+1 {{'func.func' op 'hetero.block_arguments' expects an operation with blocks; remove it}}
func.func private @block_arguments_c3() attributes {hetero.block_arguments = []}
