// RUN: hetero-opt %s --hetero-split-by-node | FileCheck %s
// RUN: hetero-opt %s --hetero-split-by-node=node=0 | FileCheck %s
// RUN: not hetero-opt %s --hetero-split-by-node=node=1 2>&1 | FileCheck %s --check-prefix=NODE

// One node: nothing changes.

// CHECK: module attributes {hetero.phase = #hetero.phase<scheduled>} {
// CHECK: func.func @alone
// NODE: error: expected a node of 0 to 0, got 1; the program has devices on these only
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @alone(%x: memref<4xf32>) {
    return
  }
}
