//===- HeteroStreamOps.td - Streams and transfers ----------*- tablegen -*-===//
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

//===----------------------------------------------------------------------===//
// Transfers between nodes
//===----------------------------------------------------------------------===//

def Hetero_SendOp : Hetero_Op<"send"> {
  let summary = "Starts to send a buffer to another node";
  let description = [{
    Starts a transfer of the buffer's elements to the `hetero.receive` with the
    same tag in the program of the other node, and does not wait for it: until a
    `hetero.await_transfer` of the same block with this buffer and tag, nobody
    writes or frees the buffer. Created by `--hetero-split-by-node`, lowered by
    `--hetero-to-llvm`.

    - (C1) The buffer is in host memory, without gaps.
    - (C2) The node is not negative, and the tag is positive.

    ```mlir
    hetero.send %a to 1 tag 7 {hetero.value = "%x of @main"} : memref<4xf32>
    ```
  }];
  // It only reads, but nobody may take it for an operation without effects.
  let arguments = (ins Arg<AnyMemRef, "", [MemRead, MemWrite]>:$buffer, I64Attr:$node,
                       I64Attr:$tag);
  let assemblyFormat = [{
    $buffer `to` custom<Count>($node) `tag` custom<Count>($tag) attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

def Hetero_ReceiveOp : Hetero_Op<"receive"> {
  let summary = "Starts to receive a buffer from another node";
  let description = [{
    Lets what the `hetero.send` with the same tag in the program of the other
    node sends come into the buffer, and does not wait for it: until a
    `hetero.await_transfer` of the same block with this buffer and tag, nobody
    reads, writes or frees the buffer. Created by `--hetero-split-by-node`,
    lowered by `--hetero-to-llvm`.

    - (C1) The buffer is in host memory, without gaps.
    - (C2) The node is not negative, and the tag is positive.

    ```mlir
    hetero.receive %b from 0 tag 7 {hetero.value = "%x of @main"} : memref<4xf32>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$buffer, I64Attr:$node,
                       I64Attr:$tag);
  let assemblyFormat = [{
    $buffer `from` custom<Count>($node) `tag` custom<Count>($tag) attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

def Hetero_AwaitTransferOp : Hetero_Op<"await_transfer"> {
  let summary = "Blocks the host until a transfer is over";
  let description = [{
    Waits for the transfer that a `hetero.send` or `hetero.receive` of the same
    block has started with this buffer and tag: from here on what has been
    received may be read, and what has been sent be written or freed. Created by
    `--hetero-split-by-node`, lowered by `--hetero-to-llvm`. (C1) The tag is
    positive.

    ```mlir
    hetero.await_transfer %b tag 7 : memref<4xf32>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead, MemWrite]>:$buffer,
                       I64Attr:$tag);
  let assemblyFormat = [{
    $buffer `tag` custom<Count>($tag) attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_TD
