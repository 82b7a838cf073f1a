// RUN: hetero-opt %s --hetero-verify --split-input-file --verify-diagnostics

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @no_device(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'linalg.exp' op breaks the contract of phase 'placed': expected a device; run --hetero-place}}
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @no_ordinal(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{breaks the contract of phase 'placed': expected a device with an ordinal, got #hetero.device<gpu>}}
    %0 = linalg.exp {hetero.device = #hetero.device<gpu>} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @control_flow(%p: i1) {
    // expected-error@+1 {{expected control flow and calls on the host, got gpu:0; annotate the operations inside}}
    scf.if %p {
    } {hetero.device = #hetero.device<gpu:0>}
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<placed>} {
  func.func @unsupported(%x: tensor<4xf32>) -> f32 {
    %c0 = arith.constant {hetero.device = #hetero.device<cpu:0>} 0 : index
    // expected-error@+1 {{breaks the contract of phase 'placed': cannot run on gpu:0}}
    %0 = tensor.extract %x[%c0] {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    return %0 : f32
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @operand(%x: tensor<4xf32>) -> tensor<4xf32, #hetero.device<gpu:0>> {
    %e = tensor.empty() : tensor<4xf32, #hetero.device<gpu:0>>
    // expected-error@+1 {{'linalg.exp' op breaks the contract of phase 'materialized': expected operand 0 on gpu:0, got 'tensor<4xf32>'; insert a hetero.copy}}
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>>
    return %0 : tensor<4xf32, #hetero.device<gpu:0>>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @result(%x: tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>> {
    // expected-error@+1 {{expected operand 0 on cpu:0, got 'tensor<4xf32, #hetero.device<gpu:0>>'}}
    %0 = linalg.exp {hetero.device = #hetero.device<cpu:0>} ins(%x : tensor<4xf32, #hetero.device<gpu:0>>) outs(%x : tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>>
    return %0 : tensor<4xf32, #hetero.device<gpu:0>>
  }
}

// -----

// A cast must not change the device either.
module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @cast(%x: tensor<4xf32>) -> tensor<?xf32, #hetero.device<gpu:0>> {
    // expected-error@+1 {{'tensor.cast' op breaks the contract of phase 'materialized': expected operand 0 on gpu:0, got 'tensor<4xf32>'}}
    %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32, #hetero.device<gpu:0>>
    return %0 : tensor<?xf32, #hetero.device<gpu:0>>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @other_encoding(%x: tensor<4xf32, "sparse">) -> tensor<4xf32, "sparse"> {
    // expected-error@+1 {{expected operand 0 without an encoding or on a device, got 'tensor<4xf32, "sparse">'; remove the encoding}}
    return %x : tensor<4xf32, "sparse">
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func private @callee(tensor<4xf32, #hetero.device<gpu:0>>)
  // expected-error@+1 {{'func.func' op breaks the contract of phase 'materialized': expected argument 0 on gpu:1, got 'tensor<4xf32>'}}
  func.func @signature(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:1>}) {
    return
  }
}

// -----

// What iterations combine is where the combined tensor is.
module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @combine(%x: tensor<4xf32, #hetero.device<gpu:0>>, %y: tensor<2xf32>) -> tensor<4xf32, #hetero.device<gpu:0>> {
    %0 = scf.forall (%i) in (2) shared_outs(%o = %x) -> tensor<4xf32, #hetero.device<gpu:0>> {
      scf.forall.in_parallel {
        // expected-error@+1 {{'tensor.parallel_insert_slice' op breaks the contract of phase 'materialized': expected operand 0 on gpu:0, got 'tensor<2xf32>'; insert a hetero.copy}}
        tensor.parallel_insert_slice %y into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32, #hetero.device<gpu:0>>
      }
    }
    return %0 : tensor<4xf32, #hetero.device<gpu:0>>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<materialized>} {
  func.func @user_copy(%x: tensor<4xf32>) {
    // expected-error@+1 {{'hetero.copy' op breaks the contract of phase 'materialized': expected the devices in the types}}
    %0 = hetero.copy %x : tensor<4xf32> on #hetero.device<cpu:0> -> tensor<4xf32> on #hetero.device<gpu:0>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<"copies-optimized">} {
  func.func @duplicate(%x: tensor<4xf32>) {
    // expected-note@+1 {{the other copy}}
    %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
    // expected-error@+1 {{expected one copy per value and device; run --hetero-optimize-copies}}
    %1 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<"copies-optimized">} {
  func.func @chain(%x: tensor<4xf32>) {
    // expected-note@+1 {{the first copy}}
    %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
    // expected-error@+1 {{expected no copy of a copy}}
    %1 = hetero.copy %0 : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<"copies-optimized">} {
  func.func @same_device(%x: tensor<4xf32>) {
    // expected-error@+1 {{expected two different devices, got cpu:0 twice}}
    %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @outside(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'linalg.exp' op breaks the contract of phase 'partitioned': expected it inside a hetero.execute; run --hetero-partition}}
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<partitioned>} {
  func.func @foreign(%x: tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>> {
    %0 = hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      // expected-error@+1 {{expected operations of gpu:0 in this region, got gpu:1; partition again}}
      %1 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %1 : tensor<4xf32>
    }
    return %0 : tensor<4xf32, #hetero.device<gpu:0>>
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<codegen>} {
  func.func @copy_inside(%x: tensor<4xf32>) {
    hetero.execute "r" on #hetero.device<cpu:0> (%a = %x : tensor<4xf32>) {
      // expected-error@+1 {{expected no hetero.copy inside hetero.execute; move it out}}
      %1 = hetero.copy %a : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:1>>
      hetero.yield
    }
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<bufferized>} {
  // expected-error@+1 {{breaks the contract of phase 'bufferized': expected memrefs only, got 'tensor<4xf32>'; run --hetero-bufferize}}
  func.func @tensors(%x: tensor<4xf32>) {
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @mixed(%x: memref<4xf32>, %y: memref<4xf32, #hetero.device<gpu:0>>) {
    // expected-error@+1 {{'linalg.exp' op breaks the contract of phase 'scheduled': expected memrefs of one device, got cpu:0 and gpu:0; insert a memref.copy}}
    linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32, #hetero.device<gpu:0>>)
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<planned>} {
  func.func @host_access(%x: memref<4xf32, #hetero.device<gpu:0>>, %i: index) -> f32 {
    // expected-error@+1 {{'memref.load' op breaks the contract of phase 'planned': expected host memory, got 'memref<4xf32, #hetero.device<gpu:0>>'; copy it to the host first}}
    %0 = memref.load %x[%i] : memref<4xf32, #hetero.device<gpu:0>>
    return %0 : f32
  }
}

// -----

// A kernel in a host region.
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @kernel_in_region(%x: memref<4xf32, #hetero.device<gpu:0>>) {
    // expected-note@+1 {{the host region begins here}}
    hetero.host_region "a"
    // expected-error@+1 {{'linalg.exp' op breaks the contract of phase 'scheduled': expected only work of the host in a host region; move it out}}
    linalg.exp ins(%x : memref<4xf32, #hetero.device<gpu:0>>) outs(%x : memref<4xf32, #hetero.device<gpu:0>>)
    hetero.end_host_region
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<planned>} {
  func.func @copy_in_region(%x: memref<4xf32, #hetero.device<gpu:0>>, %y: memref<4xf32>) {
    // expected-note@+1 {{the host region begins here}}
    hetero.host_region "a"
    // expected-error@+1 {{'memref.copy' op breaks the contract of phase 'planned': expected only work of the host in a host region; move it out}}
    memref.copy %x, %y : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
    hetero.end_host_region
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<bufferized>} {
  func.func @no_end() {
    // expected-error@+1 {{expected the host region to end in its block; insert hetero.end_host_region}}
    hetero.host_region "a"
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<bufferized>} {
  func.func @nested() {
    // expected-note@+1 {{the host region begins here}}
    hetero.host_region "a"
    // expected-error@+1 {{expected the host region before to end first; insert hetero.end_host_region}}
    hetero.host_region "b"
    hetero.end_host_region
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<bufferized>} {
  func.func @no_begin() {
    // expected-error@+1 {{expected a host region that it ends; insert hetero.host_region}}
    hetero.end_host_region
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
  // expected-error@+1 {{breaks the contract of phase 'gpu': expected no device as a memory space, got 'memref<4xf32, #hetero.device<gpu:0>>'; run --convert-hetero-to-gpu}}
  func.func @space(%x: memref<4xf32, #hetero.device<gpu:0>>) {
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<llvm>} {
  // expected-error@+1 {{'func.func' op breaks the contract of phase 'llvm': expected the llvm dialect only; run --hetero-to-llvm}}
  func.func @high_level() {
    return
  }
}
