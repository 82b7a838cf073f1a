//===- HeteroBufferOps.td - Buffers and who owns them ------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_TD

include "hetero/Dialect/Hetero/IR/HeteroStreamOps.td"

def Hetero_AdoptOp : Hetero_Op<"adopt", [AllTypesMatch<["source", "result"]>]> {
  let summary = "Takes over the buffer of a donated argument";
  let description = [{
    From here on the function owns the buffer, as if it had allocated it: it
    frees it, or returns it. Created by `--hetero-bufferize` for arguments with
    `hetero.donated`, read by `--hetero-plan-memory`, lowered by
    `--hetero-to-llvm` to its source. (C1) Source and result have the same type.

    ```mlir
    %0 = hetero.adopt %arg0 : memref<4xf32, #hetero.device<gpu:0>>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$source);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_TD
