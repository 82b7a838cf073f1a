// RUN: hetero-opt %s --split-input-file --verify-diagnostics

func.func @gaps(%x: memref<4xf32, strided<[2]>>) {
  // expected-error@+1 {{expected a buffer of the host without gaps, got 'memref<4xf32, strided<[2]>>'; copy it into one}}
  hetero.send %x to 1 tag 1 : memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @device(%x: memref<4xf32, #hetero.device<gpu:0>>) {
  // expected-error@+1 {{expected a buffer of the host without gaps}}
  hetero.receive %x from 1 tag 1 : memref<4xf32, #hetero.device<gpu:0>>
  return
}

// -----

func.func @node(%x: memref<4xf32>) {
  // expected-error@+1 {{expected a node, got -1; nodes are counted from 0}}
  hetero.receive %x from -1 tag 1 : memref<4xf32>
  return
}

// -----

func.func @tag(%x: memref<4xf32>) {
  // expected-error@+1 {{expected a positive tag, got 0; tags are counted from 1}}
  hetero.await_transfer %x tag 0 : memref<4xf32>
  return
}
