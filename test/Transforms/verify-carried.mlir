// Upstream verifiers compare types along the edges of control flow, except for
// operations with rules of their own; they are off here, so that hetero-verify
// is what finds the mix of devices.
// RUN: %hetero_opt %s --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --hetero-verify --split-input-file --verify-diagnostics

#gpu = #hetero.device<gpu:0>

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @c1_carried(%p: i1, %n: index, %x: tensor<4xf32, #gpu>) -> tensor<4xf32, #gpu> {
    %0 = scf.for %i = %n to %n step %n iter_args(%it = %x) -> tensor<4xf32, #gpu> {
      scf.yield %it : tensor<4xf32, #gpu>
    }
    %1 = scf.if %p -> tensor<4xf32, #gpu> {
      scf.yield %0 : tensor<4xf32, #gpu>
    } else {
      scf.yield %x : tensor<4xf32, #gpu>
    }
    return %1 : tensor<4xf32, #gpu>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @c1_yield(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32, #hetero.device<gpu:0>>) {
    // expected-note@+1 {{what it becomes}}
    %0 = scf.if %p -> tensor<4xf32> {
      // expected-error@+1 {{'scf.yield' op breaks the contract of phase 'materialized': expected operand 0 and what control flow makes of it on one device, got 'tensor<4xf32, #hetero.device<gpu:0>>' and 'tensor<4xf32>'; insert a hetero.copy}}
      scf.yield %y : tensor<4xf32, #hetero.device<gpu:0>>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @c1_init(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32, #hetero.device<gpu:0>>) {
    // expected-error@+1 {{'scf.while' op breaks the contract of phase 'partitioned': expected operand 0 and what control flow makes of it on one device}}
    %0 = "scf.while"(%x) ({
    // expected-note@+1 {{what it becomes}}
    ^bb0(%it: tensor<4xf32, #hetero.device<gpu:0>>):
      scf.condition(%p) %it : tensor<4xf32, #hetero.device<gpu:0>>
    }, {
    ^bb0(%it: tensor<4xf32, #hetero.device<gpu:0>>):
      scf.yield %it : tensor<4xf32, #hetero.device<gpu:0>>
    }) : (tensor<4xf32>) -> tensor<4xf32, #hetero.device<gpu:0>>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<codegen>} {
  func.func @c1_branch(%x: tensor<4xf32, #hetero.device<gpu:0>>) {
    // expected-error@+1 {{'cf.br' op breaks the contract of phase 'codegen': expected operand 0 and what control flow makes of it on one device}}
    cf.br ^next(%x : tensor<4xf32, #hetero.device<gpu:0>>)
  // expected-note@+1 {{what it becomes}}
  ^next(%y: tensor<4xf32>):
    return
  }
}
