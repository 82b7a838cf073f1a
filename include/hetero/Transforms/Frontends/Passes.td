//===- Passes.td - What front ends write -------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_PASSES_TD
#define HETERO_TRANSFORMS_FRONTENDS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerFrontendOpsPass
    : Pass<"hetero-lower-frontend-ops", "::mlir::ModuleOp"> {
  let summary = "Lowers control flow, state and shapes of front ends";
  let description = [{
    Afterwards loops and branches around operations on tensors are those of scf:
    `affine.for`, `affine.if`, `affine.parallel`, `tosa.cond_if` and
    `tosa.while_loop` are lowered, variables of TOSA are globals of ml_program,
    and no operation of the shape dialect is left. Requirements on shapes
    (`shape.cstr_eq` and the like) are checked when the program runs.

    Where what enters and what leaves a branch, loop or variable of TOSA know
    other sizes, all that follows from the program is inferred, and casts stand
    where types still differ; a condition of one element loses its dimensions.
    A `linalg.softmax` on memrefs, which upstream takes apart on tensors only,
    becomes loops. A `memref.global` that is private, not constant, and only
    read by `bufferization.to_tensor` and written by
    `bufferization.materialize_in_destination` becomes a global of ml_program,
    which can be placed. A `math.atan2` never has two zeros as operands, which
    MLIR folds to NaN.

    What stands in loops and branches keeps `hetero.device` and its origin, and
    an annotation of a loop goes to what replaces it. Other operations of TOSA
    stay, to be placed as they are; `--hetero-codegen` lowers them.

    ```mlir
    // hetero-opt --hetero-lower-frontend-ops
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = affine.for %i = 0 to 3 iter_args(%t = %x) -> tensor<4xf32> {
        %1 = arith.addf %t, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
        affine.yield %1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = scf.for %arg1 = %c0 to %c3 step %c1 iter_args(%arg2 = %arg0) -> (tensor<4xf32>) {
      %1 = arith.addf %arg2, %arg0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::ml_program::MLProgramDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertElementwiseToLinalgPass
    : Pass<"hetero-convert-elementwise-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Converts elementwise arith and math on tensors to linalg";
  let description = [{
    Afterwards no elementwise operation of another dialect works on ranked
    tensors, and no operation is left whose result type cannot carry a device:
    `tensor.splat`, `tensor.generate`, `tensor.concat`, `tensor.pad`,
    `linalg.pack` and `linalg.unpack` are taken apart into linalg and slices.

    The location, `hetero.device` and `hetero.origin` stay on what replaces an
    operation, on each part of it. Upstream's `--convert-elementwise-to-linalg`
    moves the annotation into the body or drops it, and a folding driver may
    remove an annotated operation before it is placed, so this pass is one walk
    that folds nothing.

    A splat constant becomes a scalar in the body, a scalar operand an operand.

    ```mlir
    // hetero-opt --hetero-convert-elementwise-to-linalg
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %0 = arith.addf %a, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    %0 = tensor.empty() {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
        ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>)
        attrs = {hetero.device = #hetero.device<gpu:0>} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def EraseSignednessPass : Pass<"hetero-erase-signedness", "::mlir::ModuleOp"> {
  let summary = "Makes signed and unsigned integers signless";
  let description = [{
    Afterwards no type of the module holds a signed or an unsigned integer
    (`si8`, `ui8`). Arguments and results of public functions that did carry
    `hetero.element_type`, from which the entry point's check of its arguments,
    the types of its results and NumPy files have the sign. `tensor.bitcast` and
    `builtin.unrealized_conversion_cast` between integers that differ in nothing
    else are gone.

    Arithmetic is defined on signless integers only; buffers, vectors and kernels
    of others would need every pass to know of them. TOSA says by the type of its
    elements how it takes them, and is rewritten: what compares unsigned numbers
    compares signed ones whose highest bit is another, zero points change in the
    same way, and conversions go by a wider type. An `affine.parallel` that
    reduces signed or unsigned numbers becomes `scf.parallel`.

    ```mlir
    // hetero-opt --hetero-erase-signedness
    func.func @f(%a: tensor<4xui8>) -> tensor<4xui8> {
      return %a : tensor<4xui8>
    }
    // becomes
    func.func @f(%arg0: tensor<4xi8> {hetero.element_type = ui8})
        -> (tensor<4xi8> {hetero.element_type = ui8}) {
      return %arg0 : tensor<4xi8>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // HETERO_TRANSFORMS_FRONTENDS_PASSES_TD
