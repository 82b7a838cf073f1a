//===- Passes.td - Passes of the hetero dialect ------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD
#define HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

include "hetero/Transforms/Frontends/Passes.td"
include "hetero/Transforms/Simplify/Passes.td"
include "hetero/Transforms/Loops/Passes.td"
include "hetero/Transforms/Placement/Passes.td"
include "hetero/Transforms/Copies/Passes.td"
include "hetero/Transforms/Regions/Passes.td"
include "hetero/Transforms/Buffers/Passes.td"
include "hetero/Transforms/Streaming/Passes.td"
include "hetero/Transforms/Schedule/Passes.td"
include "hetero/Transforms/Nodes/Passes.td"

def VerifyPass : Pass<"hetero-verify", "::mlir::ModuleOp"> {
  let summary = "Verifies the contract of the module's phase";
  let description = [{
    Read-only. Names the first operation that breaks the contract of the phase
    in `hetero.phase`; upstream verifiers ignore the encodings of tensors, so
    nothing else notices a pass that mixes devices.

    | phase | contract |
    |---|---|
    | none, `annotated` | none |
    | `placed` | every operation has one device that can run it; control flow and calls are on the host |
    | `materialized` | every tensor is where its operation runs; only `hetero.copy` and `hetero.execute` stand between devices, sizes (`tensor.dim`) are read from anywhere; signatures have their annotated devices |
    | `copies-optimized` | and no copy repeats one that dominates it, none is of a copy, none to where the value is |
    | `partitioned`, `codegen` | and all work on tensors is in a `hetero.execute` of its device |
    | `bufferized`, `scheduled`, `planned` | no tensors; each operation works on the memory of one device, host code on that of the host; transfers between nodes are in one order |
    | `scheduled`, `planned` | and an order or a wait stands between every two accesses to the same bytes on different streams, or of the host and a stream, of which one writes; memory is freed after its last use, that of the host after what is sent there has arrived |
    | `gpu` | and no memory space is a device |
    | `llvm` | the llvm dialect and gpu modules or binaries |

    C1, from `materialized` to `codegen`: control flow carries tensors on any
    device, but passes each where it is. An operand of a loop, a branch or a
    yield and the arguments and results that it becomes are on one device.

    ```mlir
    // error: 'linalg.exp' op breaks the contract of phase 'materialized':
    // expected operand 0 on gpu:0, got 'tensor<4xf32>'; insert a hetero.copy
    %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) ...
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_PASSES_TD
