//===- HeteroKernelOps.td - Calls of kernels of the host ---*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROKERNELOPS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROKERNELOPS_TD

include "hetero/Dialect/Hetero/IR/HeteroVectorOps.td"
include "mlir/IR/SymbolInterfaces.td"

def Hetero_InvokeOp : Hetero_Op<"invoke", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Calls a kernel of the host";
  let description = [{
    Computes what `kernel` does, a private function with `hetero.kernel` whose
    code several places share. It reads its inputs, and overwrites its outputs,
    each of which is one of the function's results. Destination style, on tensors
    or on buffers; unlike a call it says which memory it touches, so that
    bufferization and the schedule treat it as the loops whose place it takes.

    - (C1) `kernel` is a function with `hetero.kernel`.
    - (C2) It takes the inputs and then the outputs.
    - (C3) On tensors, it has the results of the operation.

    Created by `--hetero-codegen` for kernels that regions of the host have more
    than once, lowered by `--hetero-to-llvm` to a call.

    ```mlir
    %0 = hetero.invoke @main_cpu0_0_kernel
        ins(%x, %n : tensor<4x8xf32>, index) outs(%y : tensor<4x8xf32>)
        -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$inputs,
                       Variadic<AnyShaped>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROKERNELOPS_TD
