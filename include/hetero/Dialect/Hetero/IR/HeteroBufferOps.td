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

def Hetero_TensorMapOp : Hetero_Op<"tensor_map", [Pure, AttrSizedOperandSegments,
    AllTypesMatch<["base", "map"]>]> {
  let summary = "Describes device memory as a tensor, for bulk copies";
  let description = [{
    The result points to 128 bytes of the host that a launch passes by value
    (`hetero.tensor_maps` on it): a `CUtensorMap`, with which a kernel copies
    boxes of elements (`cp.async.bulk.tensor`). The first dimension is the inner
    one, whose elements are neighbours; the others have strides in bytes. Rows
    of a box have `swizzle` bytes in shared memory, whose chunks of 16 change
    places. Created by `--convert-hetero-to-gpu` for products on `sm_90a`,
    lowered by `--hetero-to-llvm` to a call of `heteroTensorMap`. (C1) There is
    a size of the box for each dimension, and a stride for each but the first.

    ```mlir
    %m = hetero.tensor_map %p : !llvm.ptr [%c64, %c128] by [%c256] of f16
           box [64, 128] swizzle 128 on #hetero.device<gpu:0>
    ```
  }];
  let arguments = (ins AnyType:$base, Variadic<Index>:$sizes,
    Variadic<Index>:$strides, TypeAttr:$element, DenseI32ArrayAttr:$box,
    I32Attr:$swizzle, Hetero_DeviceAttr:$device);
  let results = (outs AnyType:$map);
  let assemblyFormat = [{
    $base `:` type($map) `[` $sizes `]` `by` `[` $strides `]` `of` $element
    `box` $box `swizzle` $swizzle `on` qualified($device) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_TD
