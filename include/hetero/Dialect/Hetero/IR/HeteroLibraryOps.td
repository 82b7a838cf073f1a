//===- HeteroLibraryOps.td - Calls of libraries ------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROLIBRARYOPS_TD
#define HETERO_DIALECT_HETERO_IR_HETEROLIBRARYOPS_TD

include "hetero/Dialect/Hetero/IR/HeteroBufferOps.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Hetero_HasLibraryOp : Hetero_Op<"has_library", [Pure]> {
  let summary = "Asks whether a library can be called";
  let description = [{
    True if the runtime finds the library when the program runs, which does not
    change while it does. Created by `--hetero-codegen` before
    `hetero.library_call`, lowered by `--hetero-to-llvm`.

    ```mlir
    %0 = hetero.has_library "openblas"
    ```
  }];
  let arguments = (ins StrAttr:$library);
  let results = (outs I1:$result);
  let assemblyFormat = "$library attr-dict";
}

def Hetero_LibraryCallOp : Hetero_Op<"library_call", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Calls a function of a library";
  let description = [{
    Computes what the runtime has registered as `function` of `library`, on the
    host or on the device whose memory its buffers are in;
    docs/Design/Libraries.md lists these functions. Destination style, on
    tensors or on buffers. With `accumulate` the result is added to
    what the destinations hold, which is not read otherwise.

    `orders` has for each operand its dimensions in the order in which the
    function takes them: `gemm` takes m and k, k and n, m and n, each after the
    dimensions of a batch. -1 is a dimension of size one that the operand does
    not have.

    `parameters` are numbers that the function needs, such as strides of
    windows. `constants` lists inputs whose elements never change: the library
    may keep them in a form of its own from the first call on.

    - (C1) `orders` has one list for each operand, inputs first, all of one
      length.
    - (C2) A list has each dimension of its operand once, and -1 otherwise.
    - (C3) `constants` are positions of inputs, ascending.

    Created by `--hetero-codegen` for regions whose device names the library as
    their code generator; lowered by `--hetero-to-llvm`, to which
    `--convert-hetero-to-gpu` says by `hetero.device` on whose stream it runs.

    ```mlir
    // The second operand is transposed.
    %0 = hetero.library_call "openblas" "gemm"
        ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>)
        outs(%c : tensor<4x16xf32>)
        {orders = [array<i64: 0, 1>, array<i64: 1, 0>, array<i64: 0, 1>]}
        -> tensor<4x16xf32>
    ```
  }];
  let arguments = (ins StrAttr:$library, StrAttr:$function,
                       Variadic<AnyShaped>:$inputs,
                       Variadic<AnyShaped>:$outputs,
                       TypedArrayAttrBase<DenseI64ArrayAttr,
                                          "lists of dimensions">:$orders,
                       UnitAttr:$accumulate,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$parameters,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$constants);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $library $function `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }

    /// The dimensions of an operand in the order of the function; -1 for one
    /// of size one that it does not have.
    llvm::ArrayRef<int64_t> getOrder(unsigned operand) {
      return llvm::cast<DenseI64ArrayAttr>(getOrders()[operand]).asArrayRef();
    }
  }];
}

#endif // HETERO_DIALECT_HETERO_IR_HETEROLIBRARYOPS_TD
