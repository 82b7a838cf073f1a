// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-verify

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @not_awaited(%x: memref<4xf32>) {
    // expected-error@+1 {{is not awaited in its block; insert hetero.await_transfer}}
    hetero.send %x to 1 tag 1 : memref<4xf32>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @not_started(%x: memref<4xf32>) {
    // expected-error@+1 {{expected a transfer under way of this buffer with tag 1; start it earlier in the block, and await it once}}
    hetero.await_transfer %x tag 1 : memref<4xf32>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @other_buffer(%x: memref<4xf32>, %y: memref<4xf32>) {
    hetero.send %x to 1 tag 1 : memref<4xf32>
    // expected-error@+1 {{expected a transfer under way of this buffer with tag 1}}
    hetero.await_transfer %y tag 1 : memref<4xf32>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @repeated(%x: memref<4xf32>) {
    hetero.send %x to 1 tag 1 : memref<4xf32>
    // expected-error@+1 {{repeats tag 1 of its block; give each transfer its own}}
    hetero.send %x to 1 tag 1 : memref<4xf32>
    return
  }
}

// -----

// Waits for the second before the first has begun: two nodes that do so wait
// for each other.
module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @out_of_order(%x: memref<4xf32>, %y: memref<4xf32>) {
    hetero.receive %y from 1 tag 2 : memref<4xf32>
    // expected-error@+1 {{waits before the transfer with tag 1 has begun, which comes first in the order of all nodes; start it before}}
    hetero.await_transfer %y tag 2 : memref<4xf32>
    // expected-note@+1 {{that transfer}}
    hetero.send %x to 1 tag 1 : memref<4xf32>
    hetero.await_transfer %x tag 1 : memref<4xf32>
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @inside(%x: memref<4xf32>, %condition: i1) {
    // expected-error@+1 {{expected what is inside to come after position 3; keep the order of the joined program}}
    scf.if %condition {
      hetero.send %x to 1 tag 2 : memref<4xf32>
      hetero.await_transfer %x tag 2 : memref<4xf32>
    } {hetero.position = 3 : i64}
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
  func.func @fall(%x: memref<4xf32>, %condition: i1) {
    scf.if %condition {
    } {hetero.position = 3 : i64}
    // expected-error@+1 {{expected positions to rise, got 2 after 3; keep the order of the joined program}}
    scf.if %condition {
    } {hetero.position = 2 : i64}
    return
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.nodes = 2 : i64} {
  module @node0 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
    func.func @alone(%x: memref<4xf32>) {
      // expected-error@+1 {{has no partner with tag 1 in the program of node 1; split the program anew}}
      hetero.send %x to 1 tag 1 : memref<4xf32>
      hetero.await_transfer %x tag 1 : memref<4xf32>
      return
    }
  }
  module @node1 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 1 : i64} {
    func.func @alone() {
      return
    }
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.nodes = 2 : i64} {
  module @node0 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
    func.func @types(%x: memref<4xf32>) {
      // expected-error@+1 {{does not send what its receive takes; split the program anew}}
      hetero.send %x to 1 tag 1 : memref<4xf32>
      hetero.await_transfer %x tag 1 : memref<4xf32>
      return
    }
  }
  module @node1 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 1 : i64} {
    func.func @types() {
      %y = memref.alloc() : memref<5xf32>
      // expected-note@+1 {{the receive with tag 1}}
      hetero.receive %y from 0 tag 1 : memref<5xf32>
      hetero.await_transfer %y tag 1 : memref<5xf32>
      return
    }
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.nodes = 2 : i64} {
  module @node0 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
    func.func @peers(%x: memref<4xf32>) {
      // expected-error@+1 {{goes from node 0 to node 2, but its receive is on node 1 and from node 0; split the program anew}}
      hetero.send %x to 2 tag 1 : memref<4xf32>
      hetero.await_transfer %x tag 1 : memref<4xf32>
      return
    }
  }
  module @node1 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 1 : i64} {
    func.func @peers() {
      %y = memref.alloc() : memref<4xf32>
      // expected-note@+1 {{the receive with tag 1}}
      hetero.receive %y from 0 tag 1 : memref<4xf32>
      hetero.await_transfer %y tag 1 : memref<4xf32>
      return
    }
  }
}

// -----

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.nodes = 2 : i64} {
  module @node0 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 0 : i64} {
    func.func @paths(%x: memref<4xf32>, %condition: i1) {
      scf.if %condition {
        // expected-error@+1 {{is not in the same control flow as its receive; split the program anew}}
        hetero.send %x to 1 tag 2 : memref<4xf32>
        hetero.await_transfer %x tag 2 : memref<4xf32>
      } {hetero.position = 1 : i64}
      return
    }
  }
  module @node1 attributes {hetero.phase = #hetero.phase<scheduled>, hetero.node = 1 : i64} {
    func.func @paths() {
      %y = memref.alloc() : memref<4xf32>
      // expected-note@+1 {{the receive with tag 2}}
      hetero.receive %y from 0 tag 2 : memref<4xf32>
      hetero.await_transfer %y tag 2 : memref<4xf32>
      return
    }
  }
}
