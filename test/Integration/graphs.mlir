// What a program gives to devices between two waits of the host becomes a graph
// when it comes again: one call of the driver launches each in the steady state, with
// the same results, and no later than without. Calls of the driver are those
// that concern a stream.

// RUN: rm -rf %t && mkdir %t
// RUN: hetero-compile %examples/partitioned-mlp.mlir -o %t/partitioned-mlp.so
// RUN: hetero-compile %examples/shared-operand.mlir -o %t/shared-operand.so
// RUN: hetero-compile %S/overlap.mlir -o %t/overlap.so
// RUN: hetero-compile %S/two-gpu-pipeline.mlir -o %t/two-gpu-pipeline.so
// RUN: hetero-compile %S/faults.mlir -o %t/chain.so
// RUN: env HETERO_EMULATOR="clock=virtual,check=races" %python %S/Inputs/graphs.py %hetero_lib %t/partitioned-mlp.so %t/shared-operand.so %t/overlap.so %t/two-gpu-pipeline.so %t/chain.so | FileCheck %s

// CHECK: partitioned-mlp: 1 graphs of 9 operations; {{[1-9][0-9]}} calls of the driver, 1 with them
// CHECK: shared-operand: 1 graphs of 4 operations; 5 calls of the driver, 2 with them
// CHECK: overlap: 1 graphs of 12 operations; {{[1-9][0-9]}} calls of the driver, 1 with them
// The fills of the second gpu are in the second graph, so that it takes no event.
// CHECK: two-gpu-pipeline: 2 graphs of 12 operations; {{[1-9][0-9]}} calls of the driver, 2 with them
// CHECK: chain: 2 graphs of 10 operations; {{[1-9][0-9]}} calls of the driver, {{[1-9]}} with them

// The random choices of the emulator change nothing.
// RUN: env HETERO_EMULATOR="check=races,clock=virtual,schedule=random,seed=7" %python %S/Inputs/graphs.py %hetero_lib %t/overlap.so %t/chain.so | FileCheck %s --check-prefix=RANDOM
// RANDOM: overlap: 1 graphs of 12 operations;
// RANDOM: chain: 2 graphs of 10 operations;

// Faults while graphs are made and launched.
// RUN: %python %S/Inputs/faults.py %hetero_lib --calls=4 %t/chain.so | FileCheck %s --check-prefix=FAULTS
// FAULTS: chain: {{[1-9][0-9]*}} alloc, {{[1-9][0-9]*}} launch, {{[1-9][0-9]*}} copy, {{[1-9][0-9]*}} device-lost

// There are none without them.
// RUN: env HETERO_GRAPHS=off HETERO_EMULATOR="log=%t/log" %python %S/Inputs/faults.py %hetero_lib --calls=3 %t/shared-operand.so
// RUN: not grep graph_launch %t/log
// RUN: env HETERO_GRAPHS=sometimes not hetero-run %S/faults.mlir --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: expected HETERO_GRAPHS to be auto, on or off, got 'sometimes'; set one of them
