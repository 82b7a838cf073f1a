//===- Passes.td - Insert and optimize copies --------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_COPIES_PASSES_TD
#define HETERO_TRANSFORMS_COPIES_PASSES_TD

include "mlir/Pass/PassBase.td"

def MaterializeCopiesPass
    : Pass<"hetero-materialize-copies", "::mlir::ModuleOp"> {
  let summary = "Puts devices into types and inserts copies";
  let description = [{
    Afterwards every tensor type says where the tensor is, and a `hetero.copy`
    stands wherever a value crosses: one per value, destination and site. The
    sites are those that placement priced: right after the value's definition
    if its own block wants the copy, else in the blocks that together run the
    least often (outside of loops, inside of the only branch that wants it), and
    there right before the first use. `copy-site=eager` puts all of them after
    the definition, so that they overlap with the most; `copy-site=late` before
    the first use, so that they take memory for the least time. Tensors that control flow carries are
    where `hetero.carried`, `hetero.carried_inits` and `hetero.block_arguments`
    say, with copies before the loops, branches and yields that pass
    something else; the attributes go, since the types say it now.

    ```mlir
    // hetero-opt --hetero-place --hetero-materialize-copies
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>}
        ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = hetero.copy %arg0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
    %1 = tensor.empty() {...} : tensor<4xf32, #hetero.device<gpu:0>>
    %2 = linalg.exp {hetero.device = #hetero.device<gpu:0>...}
      ins(%0 : tensor<4xf32, #hetero.device<gpu:0>>)
      outs(%1 : tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>>
    %3 = hetero.copy %2 : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
    return %3 : tensor<4xf32>
    ```

    Not everything that crosses is copied:

    - a destination whose old value nobody reads is a `tensor.empty` on the
      device;
    - what is cheap to repeat (constants, fills) is repeated on each device,
      unless an annotation pins it;
    - `tensor.extract` of a device's tensor moves the one element, unless the
      host has all of it anyway, or all of it is no dearer;
    - `tensor.dim` reads the type and moves nothing.

    Function arguments and results have the device of their annotation, else the
    host, and calls follow them. The values that control flow carries are on the
    host. A copy that the user wrote is one with ours; one whose source is
    elsewhere than it says is an error, as is a tensor with an encoding of
    another dialect.
  }];
  let options = [
    Option<"copySite", "copy-site", "::mlir::hetero::CopySite",
           "::mlir::hetero::CopySite::Auto", "Where copies stand",
           [{::mlir::hetero::ChoicesOf<::mlir::hetero::CopySite>()}]>
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OptimizeCopiesPass : Pass<"hetero-optimize-copies", "::mlir::ModuleOp"> {
  let summary = "Removes redundant copies";
  let description = [{
    Afterwards no value is copied to a device where an earlier copy of it serves,
    no copy reads a copy, no copy returns a value to where it came from, and none
    is unused. Copies leave loops that do not change their source, and those in
    all arms of a branch become one above it; in some arms they stay, as
    `--hetero-materialize-copies` puts them, since an arm runs less often. With
    `copy-site=eager` all of them move after the definition, with
    `copy-site=late` before the first use. Each
    change is a remark (`--remarks-filter=hetero-optimize-copies`), with a summary
    at the end.

    ```mlir
    // hetero-opt --hetero-optimize-copies
    func.func @f(%x: tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:1>>, tensor<4xf32, #hetero.device<gpu:1>>) {
      %0 = hetero.copy %x : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
      %1 = hetero.copy %0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:1>>
      %2 = hetero.copy %x : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
      return %1, %2 : tensor<4xf32, #hetero.device<gpu:1>>, tensor<4xf32, #hetero.device<gpu:1>>
    }
    // becomes
    %0 = hetero.copy %arg0
      : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
    return %0, %0
    ```

    Last, unless `narrow=false`, copies are narrowed (remark `narrowed`, with the
    bytes). Where only
    slices of what arrives are used, each is taken before it crosses. Where a
    value comes back with slices of it changed, only these come back. Either is
    done if the narrow copies together take less time on the links than the whole
    one, as often as the blocks run in which the slices are known: in a loop whose
    iterations read different slices, the whole crosses once unless few are read.
    Placement prices the whole, which is no less; the copies that it counts are
    those before narrowing.

    ```mlir
    // hetero-opt --hetero-optimize-copies
    func.func @g(%x: tensor<1024x1024xf32>) -> tensor<1x1024xf32, #hetero.device<gpu:0>> {
      %0 = hetero.copy %x : tensor<1024x1024xf32> -> tensor<1024x1024xf32, #hetero.device<gpu:0>>
      %1 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #hetero.device<gpu:0>}
        : tensor<1024x1024xf32, #hetero.device<gpu:0>> to tensor<1x1024xf32, #hetero.device<gpu:0>>
      return %1 : tensor<1x1024xf32, #hetero.device<gpu:0>>
    }
    // becomes
    %extracted_slice = tensor.extract_slice %arg0[2, 0] [1, 1024] [1, 1] {...}
      : tensor<1024x1024xf32> to tensor<1x1024xf32>
    %0 = hetero.copy %extracted_slice {...}
      : tensor<1x1024xf32> -> tensor<1x1024xf32, #hetero.device<gpu:0>>
    return %0
    ```
  }];
  let options = [
    Option<"copySite", "copy-site", "::mlir::hetero::CopySite",
           "::mlir::hetero::CopySite::Auto", "Where copies stand",
           [{::mlir::hetero::ChoicesOf<::mlir::hetero::CopySite>()}]>,
    Option<"narrow", "narrow", "bool", "true",
           "Let only the slices cross that are used">
  ];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

#endif // HETERO_TRANSFORMS_COPIES_PASSES_TD
