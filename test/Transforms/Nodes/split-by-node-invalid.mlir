// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-split-by-node

#one = #hetero.device<cpu:0, node = 1>

// expected-error@+1 {{expected a scheduled module, got phase 'bufferized'; run hetero-schedule before, and hetero-plan-memory after}}
module attributes {hetero.phase = #hetero.phase<bufferized>} {
  func.func @early() {
    %a = memref.alloc() : memref<4xf32, #one>
    return
  }
}

// -----

#one = #hetero.device<cpu:0, node = 1>

module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @two(%x: memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32, #one>
    // expected-error@+1 {{works on memory of node 0 and of node 1; only copies may: insert a memref.copy}}
    linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32, #one>)
    return
  }
}

// -----

#one = #hetero.device<cpu:0, node = 1>

module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @vectors(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() : memref<4xf32, #one>
    // expected-error@+1 {{expected a number or a buffer where another node needs a value, got 'vector<4xf32>'; let node 1 compute it}}
    %v = vector.transfer_read %x[%c0], %zero : memref<4xf32>, vector<4xf32>
    vector.transfer_write %v, %a[%c0] : vector<4xf32>, memref<4xf32, #one>
    return
  }
}
