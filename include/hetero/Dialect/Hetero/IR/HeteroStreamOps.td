//===- HeteroStreamOps.td - Operations on streams ----------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_TD

include "hetero/Dialect/Hetero/IR/HeteroOps.td"

def Hetero_OrderOp : Hetero_Op<"order", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Lets one stream wait for another";
  let description = [{
    What the host enqueues on the first unit from here on runs after all that it
    has enqueued on the second so far; the host does not wait. Created by
    `--hetero-schedule` on buffers, lowered by `--hetero-to-llvm` to an event.
    (C1) Both devices have an ordinal and are not the host. (C2) They differ in
    device or unit.

    ```mlir
    hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
    ```
  }];
  let arguments = (ins Hetero_DeviceAttr:$device, Hetero_DeviceAttr:$after);
  let assemblyFormat = "qualified($device) `after` qualified($after) attr-dict";
  let hasVerifier = 1;
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_TD
