//===- TMTensorOps.td - Operations of torch-mlir -----------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_TMTENSOR_IR_TMTENSOROPS_TD
#define HETERO_DIALECT_TMTENSOR_IR_TMTENSOROPS_TD

include "hetero/Dialect/Hetero/IR/HeteroInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TMTensor_Dialect : Dialect {
  let name = "tm_tensor";
  let cppNamespace = "::mlir::hetero::tm_tensor";
  let summary = "Operations on tensors that torch-mlir makes beside linalg";
  let description = [{
    Programs that come from PyTorch by way of torch-mlir have these operations
    where linalg has none. They are placed and partitioned as they are written;
    `--hetero-codegen` lowers them inside of their regions. All work on ranked
    tensors and are in destination style: each result has the type of its
    operand in `outs`.
  }];
}

class TMTensor_Op<string mnemonic, list<Trait> traits = []>
    : Op<TMTensor_Dialect, mnemonic,
         traits # [AttrSizedOperandSegments, DestinationStyleOpInterface,
                   DeclareOpInterfaceMethods<Hetero_PlacementOpInterface,
                     ["canRunOn", "getPlacementCost", "readsOperand"]>]> {
  let hasVerifier = 1;
  code destinations = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
  let extraClassDeclaration = destinations;
}

/// One that computes on elements in a region.
class TMTensor_RegionOp<string mnemonic>
    : TMTensor_Op<mnemonic, [RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"::mlir::hetero::tm_tensor::YieldOp">]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
}

def TMTensor_ScanOp : TMTensor_RegionOp<"scan"> {
  let summary = "Combines the elements along a dimension one after the other";
  let description = [{
    Along `dimension`, with `f` the region, of which the first argument is what
    was combined before and the second the next element:

    - inclusive: `out[0] = in[0]`, `out[i] = f(out[i - 1], in[i])`;
    - exclusive: `out[0] = acc`, `out[i] = f(out[i - 1], in[i - 1])`.

    The second result is the last of the elements along the dimension, the old
    accumulator where there is none. Narrow floats are combined as f32.

    - (C1) One input, and two destinations: the elements, and the accumulator.
    - (C2) The dimension is one of the input.
    - (C3) Input, destinations and arguments have the same element type.
    - (C4) The first destination has the input's sizes, the second all of these
      but that of the dimension.
    - (C5) The region has two arguments and yields one value of their type.

    Created by torch-mlir, placed like any other operation, and gone after
    `--hetero-codegen`.

    ```mlir
    %0:2 = tm_tensor.scan dimension(0) inclusive(true)
        ins(%x : tensor<16x32xi32>)
        outs(%y, %acc : tensor<16x32xi32>, tensor<32xi32>) {
    ^bb0(%before: i32, %next: i32):
      %sum = arith.addi %before, %next : i32
      tm_tensor.yield %sum : i32
    } -> tensor<16x32xi32>, tensor<32xi32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension,
    BoolAttr:$inclusive);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
  let extraClassDeclaration = destinations # [{
    /// True if the body can run where the program does not: it cannot fail.
    bool isBodySpeculatable();
  }];
}

def TMTensor_ScatterOp : TMTensor_RegionOp<"scatter"> {
  let summary = "Combines updates with the elements at given places";
  let description = [{
    The inputs are updates and, for each of them, the start of its place: column
    `i` of the indices is added along dimension `dimension_map[i]` of the
    destination. The dimensions of an update are the last of the destination. At
    each place the region gets the element of the update and the one that is
    there, in this order, and yields the new one. Updates are applied in order,
    unless `unique_indices` says that no two have the same place.

    An index that leads outside of the destination is an error at run time,
    which names the operation; `bounds-checks=false` leaves the check out.

    - (C1) Two inputs, updates and indices, and one destination.
    - (C2) Indices are a tensor of integers with two dimensions, the second of a
      static size, of which `dimension_map` has as many entries.
    - (C3) The entries are different dimensions of the destination.
    - (C4) There are as many updates as rows of indices.
    - (C5) Dimensions of updates and indices cover those of the destination, and
      an update has no more of them, and is not larger.
    - (C6) Updates, destination and arguments have the same element type.
    - (C7) The region has two arguments and yields one value of their type.

    Created by torch-mlir, placed like any other operation, and gone after
    `--hetero-codegen`.

    ```mlir
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
        ins(%updates, %rows : tensor<2x3xf32>, tensor<2x1xi32>)
        outs(%x : tensor<4x3xf32>) {
    ^bb0(%update: f32, %old: f32):
      %sum = arith.addf %old, %update : f32
      tm_tensor.yield %sum : f32
    } -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs, DenseI64ArrayAttr:$dimension_map,
    DefaultValuedAttr<BoolAttr, "true">:$unique_indices);
  let assemblyFormat = [{
    attr-dict `unique_indices` `(` $unique_indices `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_SortOp : TMTensor_RegionOp<"sort"> {
  let summary = "Sorts tensors together along a dimension";
  let description = [{
    The region gets two elements of each tensor and says whether the first ones
    may stand before the second ones. Elements of which both orders, or none,
    are right keep their order: the sort is stable. It takes O(n log n) steps.

    - (C1) No inputs, and one destination or more, of the same sizes.
    - (C2) The dimension is one of theirs.
    - (C3) The region has two arguments for each destination, of its element
      type, and yields an i1.

    Created by torch-mlir, placed like any other operation, and gone after
    `--hetero-codegen`.

    ```mlir
    %0:2 = tm_tensor.sort dimension(1)
        outs(%x, %i : tensor<3x8xf32>, tensor<3x8xi64>) {
    ^bb0(%a: f32, %b: f32, %ia: i64, %ib: i64):
      %before = arith.cmpf ole, %a, %b : f32
      tm_tensor.yield %before : i1
    } -> tensor<3x8xf32>, tensor<3x8xi64>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_TopkOp : TMTensor_RegionOp<"topk"> {
  let summary = "Keeps the first elements of an order along a dimension";
  let description = [{
    The destinations hold k candidates and their indices, in order; those that
    come before them replace them. The region gets an element and a candidate
    and says whether the element comes before it; of equal ones the lower index
    does. Indices are the second input, or positions along the dimension.

    - (C1) One input or two, and two destinations: values and indices.
    - (C2) The dimension is one of the input.
    - (C3) Values have one element type, and indices have one, of integers.
    - (C4) Inputs have the same sizes, and so have destinations; only along the
      dimension do they differ.
    - (C5) The region has two arguments of the values' type and yields an i1.

    Created by torch-mlir, placed like any other operation, and gone after
    `--hetero-codegen`.

    ```mlir
    %0:2 = tm_tensor.topk dimension(1) ins(%x : tensor<2x10xf32>)
        outs(%lowest, %none : tensor<2x3xf32>, tensor<2x3xi32>) {
    ^bb0(%a: f32, %b: f32):
      %before = arith.cmpf ogt, %a, %b : f32
      tm_tensor.yield %before : i1
    } -> tensor<2x3xf32>, tensor<2x3xi32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_AttentionOp : TMTensor_Op<"attention", [Pure]> {
  let summary = "Computes softmax(scale * Q K^T + mask) V";
  let description = [{
    The inputs are queries (`BxMxK`), keys (`BxNxK`), values (`BxNxL`) and, if
    there are four, a mask (`BxMxN`), of floats that are added or of i1 that say
    which keys a query looks at; the destination is `BxMxL` and overwritten. `B`
    is any number of dimensions. Without `scale` it is one over the square root
    of K. A query whose keys are all masked gets zeros. Scores of narrow floats
    are f32.

    - (C1) Three inputs or four, and one destination, of one rank, 2 or more.
    - (C2) All but a mask of i1 have the same element type, a float.
    - (C3) Sizes that have the same letter are equal.

    Created by torch-mlir, placed like any other operation, and gone after
    `--hetero-codegen`.

    ```mlir
    %0 = tm_tensor.attention
        ins(%q, %k, %v : tensor<2x8x64xf32>, tensor<2x9x64xf32>, tensor<2x9x32xf32>)
        outs(%e : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs, OptionalAttr<F64Attr>:$scale);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)` (`->` type($results)^)?
  }];
}

def TMTensor_YieldOp : Op<TMTensor_Dialect, "yield",
    [Pure, ReturnLike, Terminator]> {
  let summary = "Ends the region of an operation with its values";
  let description = [{
    Created with the operation whose region it ends, and gone with it.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ (void)$_builder; }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // HETERO_DIALECT_TMTENSOR_IR_TMTENSOROPS_TD
