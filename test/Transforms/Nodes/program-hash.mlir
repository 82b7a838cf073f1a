// RUN: hetero-opt %s --hetero-split-by-node=node=0 | grep -o 'program_hash = [-0-9]*' > %t.first
// RUN: hetero-opt %s --hetero-split-by-node=node=1 | grep -o 'program_hash = [-0-9]*' | diff %t.first -
// RUN: sed 's/weights/others/g' %s | hetero-opt --hetero-split-by-node=node=1 | grep -o 'program_hash = [-0-9]*' | diff %t.first -
// RUN: sed 's/803F/8040/' %s | hetero-opt --hetero-split-by-node=node=1 | grep -o 'program_hash = [-0-9]*' | not diff %t.first -
// RUN: sed 's/linalg.exp/linalg.abs/' %s | hetero-opt --hetero-split-by-node=node=1 | grep -o 'program_hash = [-0-9]*' | not diff %t.first -

// The hash is that of what the program computes: another name of a resource,
// as a context has that reads the program twice, is the same program, another
// weight or operation is not.

#one = #hetero.device<cpu:0, node = 1>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  memref.global "private" constant @constants : memref<4xf32, #one> = dense_resource<weights>
  func.func @main() {
    %w = memref.get_global @constants : memref<4xf32, #one>
    %y = memref.alloc() : memref<4xf32, #one>
    linalg.exp ins(%w : memref<4xf32, #one>) outs(%y : memref<4xf32, #one>)
    return
  }
}
{-# dialect_resources: { builtin: { weights: "0x040000000000803F000000400000404000008040" } } #-}
