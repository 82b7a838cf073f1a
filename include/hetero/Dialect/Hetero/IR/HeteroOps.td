//===- HeteroOps.td - Operations of the hetero dialect -----*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROOPS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROOPS_TD

include "hetero/Dialect/Hetero/IR/HeteroAttrs.td"
include "hetero/Dialect/Hetero/IR/HeteroInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Hetero_Op<string mnemonic, list<Trait> traits = []>
    : Op<Hetero_Dialect, mnemonic, traits>;

def Hetero_CopyOp : Hetero_Op<"copy", [Pure]> {
  let summary = "Copies a tensor to another device";
  let description = [{
    The only operation whose operand and result are on different devices. Pure:
    the result is a new value with the same contents.

    Created by `--hetero-materialize-copies`, or written by the user before
    placement, where it pins both ends (the types have no encoding then and the
    devices stand after `on`). Consumed and gone after `--hetero-bufferize`.

    - (C1) Source and result are ranked tensors of the same shape and element
      type.
    - (C2) A device after `on` has an ordinal and agrees with the encoding of
      the type beside it, if there is one.
    - (C3) Both devices are known, either both after `on` or from the types;
      without `on` a type without an encoding is on the host.

    It never folds to its source across devices. A copy of a copy copies from
    the first source; a round trip folds away.

    ```mlir
    %1 = hetero.copy %0 : tensor<5x7xf32> -> tensor<5x7xf32, #hetero.device<gpu:0>>
    // Before placement:
    %1 = hetero.copy %0 : tensor<5x7xf32> on #hetero.device<cpu:0>
                       -> tensor<5x7xf32> on #hetero.device<gpu:0>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       OptionalAttr<Hetero_DeviceAttr>:$from,
                       OptionalAttr<Hetero_DeviceAttr>:$to);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) (`on` qualified($from)^)? `->` type($result) (`on` qualified($to)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source), [{
      build($_builder, $_state, result, source, DeviceAttr(), DeviceAttr());
    }]>
  ];
  let extraClassDeclaration = [{
    /// The device that holds the source.
    DeviceAttr getSourceDevice();
    /// The device that holds the result.
    DeviceAttr getResultDevice();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Hetero_ExecuteOp : Hetero_Op<"execute", [
    IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "Runs a region on one device";
  let description = [{
    A group of operations that run together on one device. The body is ordinary
    IR on plain tensors, so that upstream passes work on it: a block argument
    has its operand's type without the encoding, and a result has the yielded
    type with the device's encoding.

    Created by `--hetero-partition`, body rewritten by
    `--hetero-target-pipeline` and `--hetero-codegen`, inlined by
    `--hetero-bufferize`, after which it must be gone.

    - (C1) The device has an ordinal.
    - (C2) Tensor operands are on the region's device; a block argument has its
      operand's type without the encoding; other types are the same.
    - (C3) The yielded values match the results: tensors without and with the
      device's encoding (none for the host), other types the same.

    Canonicalization removes unused operands and results, binds an operand that
    is given twice once, and replaces a result that is only passed through by its
    operand; a region that only passes values through is gone.

    ```mlir
    %r = hetero.execute "main_0" on #hetero.device<gpu:0>
        (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Hetero_DeviceAttr:$device, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Adds a body block with an argument per input; the caller fills it.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$name,
                   "DeviceAttr":$device, "::mlir::ValueRange":$inputs)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    YieldOp getYield();
  }];
}

def Hetero_YieldOp : Hetero_Op<"yield", [Pure, Terminator, ReturnLike,
                                         HasParent<"ExecuteOp">]> {
  let summary = "Ends the body of hetero.execute";
  let description = [{
    Its operands are the results of the region, as plain tensors. Created and
    gone with `hetero.execute`.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Hetero_WaitOp : Hetero_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Blocks the host until a device's work is done";
  let description = [{
    Waits for everything that the host has enqueued on the device, or on the
    unit that it has, copies to the host among it. Created by `--hetero-schedule`
    on buffers, lowered by `--convert-hetero-to-gpu` or `--hetero-to-llvm`. (C1)
    The device has an ordinal and is not the host.

    ```mlir
    hetero.wait on #hetero.device<gpu:0>
    ```
  }];
  let arguments = (ins Hetero_DeviceAttr:$device);
  let assemblyFormat = "`on` qualified($device) attr-dict";
  let hasVerifier = 1;
}

def Hetero_HostRegionOp : Hetero_Op<"host_region", [MemoryEffects<[MemWrite]>]> {
  let summary = "Begins one execution of a host region";
  let description = [{
    Marks where the work of a cpu region begins, for the report, traces and
    profiles; the next `hetero.end_host_region` of the block ends it. Created by
    `--hetero-bufferize`, lowered by `--hetero-to-llvm`.

    What stands between the two is one piece of work: `--hetero-schedule` moves
    it as a whole, and lets nothing in but waits. From `--hetero-bufferize` to
    `--convert-hetero-to-gpu` `--hetero-verify` holds that

    - (C1) regions are not nested, and each ends in the block where it begins;
    - (C2) no copy from or to a device and no kernel of one is in a region.

    `on` says which device's work it is, where that is not the host.

    ```mlir
    hetero.host_region "main_0"
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    hetero.end_host_region
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<Hetero_DeviceAttr>:$device);
  let assemblyFormat = "$name (`on` qualified($device)^)? attr-dict";
}

def Hetero_EndHostRegionOp
    : Hetero_Op<"end_host_region", [MemoryEffects<[MemWrite]>]> {
  let summary = "Ends one execution of a host region";
  let description = [{
    Created, moved, held and lowered together with `hetero.host_region`.

    ```mlir
    hetero.end_host_region
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Hetero_NodeOp : Hetero_Op<"node", [MemoryEffects<[MemWrite]>]> {
  let summary = "Says which operations of the source what follows is of";
  let description = [{
    In a host region it holds for what stands up to the next `hetero.node`, or up
    to the end of the region; elsewhere for the kernel or library call that
    follows. While the runtime measures, each such piece has its own time. What
    several operations of the source became has all of their names. Created by
    `--hetero-mark-nodes`, lowered by `--hetero-to-llvm`.

    (C1) There is a name, and none has line breaks in it.

    ```mlir
    hetero.node ["Conv/conv1", "Relu/relu1"]
    ```
  }];
  let arguments = (ins StrArrayAttr:$names);
  let assemblyFormat = "$names attr-dict";
  let hasVerifier = 1;
}

def Hetero_ResidentOp : Hetero_Op<"resident", [Pure,
    AllTypesMatch<["source", "result"]>]> {
  let summary = "Gives the address of a constant in a device's memory";
  let description = [{
    The constant is uploaded once per process and device, before the first call
    of an entry point that may need it, and stays there. Created by
    `--convert-hetero-to-gpu` from `memref.get_global` in a device's memory
    space, lowered by `--hetero-to-llvm`. (C1) Source and result have the same
    static type.

    ```mlir
    %d = hetero.resident of %c : memref<4xf32> on #hetero.device<gpu:0>
    ```
  }];
  let arguments = (ins AnyStaticShapeMemRef:$source, Hetero_DeviceAttr:$device);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = [{
    `of` $source `:` type($result) `on` qualified($device) attr-dict
  }];
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROOPS_TD
