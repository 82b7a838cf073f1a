//===- Passes.td - Loops around tensors ---------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_LOOPS_PASSES_TD
#define HETERO_TRANSFORMS_LOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistLoopProductsPass
    : Pass<"hetero-hoist-loop-products", "::mlir::ModuleOp"> {
  let summary = "Computes products of all steps of a loop before it";
  let description = [{
    Afterwards no product in an `scf.for` multiplies a part of a tensor that the
    number of the step is the first index of by what is the same in all steps:
    one product over all steps stands before the loop, and each step takes its
    part of the result. What is done with its elements, such as a bias, moves
    with it.

    Recurrent cells multiply their input so. In the loop, a product of few rows
    reads all weights in each step; before it, they are read once.

    Loops go from 0 in steps of 1 to a known number, sizes are static, and the
    results of all steps take 64 MiB at most. Indices that are counted from the
    end or clamped, as front ends write them, are seen through. Location,
    `hetero.device` and origin stay on what moves.

    ```mlir
    // hetero-opt --hetero-hoist-loop-products
    func.func @f(%all: tensor<64x8xf32>, %w: tensor<8x8xf32>, %z: tensor<1x8xf32>) -> tensor<1x8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %r = scf.for %t = %c0 to %c64 step %c1 iter_args(%h = %z) -> tensor<1x8xf32> {
        %x = tensor.extract_slice %all[%t, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<1x8xf32>
        %g = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x8xf32>)
                           outs(%z : tensor<1x8xf32>) -> tensor<1x8xf32>
        %s = linalg.add ins(%g, %h : tensor<1x8xf32>, tensor<1x8xf32>)
                        outs(%z : tensor<1x8xf32>) -> tensor<1x8xf32>
        scf.yield %s : tensor<1x8xf32>
      }
      return %r : tensor<1x8xf32>
    }
    // becomes
    %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [64, 1, 8] : tensor<64x8xf32> into tensor<64x1x8xf32>
    %0 = tensor.empty() : tensor<64x1x8xf32>
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<1x8xf32>) outs(%0 : tensor<64x1x8xf32>) dimensions = [0]
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%expanded, %arg1 : tensor<64x1x8xf32>, tensor<8x8xf32>) outs(%broadcasted : tensor<64x1x8xf32>) {...} -> tensor<64x1x8xf32>
    %2 = scf.for %arg3 = %c0 to %c64 step %c1 iter_args(%arg4 = %arg2) -> (tensor<1x8xf32>) {
      %extracted_slice = tensor.extract_slice %1[%arg3, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<64x1x8xf32> to tensor<1x8xf32>
      %3 = linalg.add ins(%extracted_slice, %arg4 : tensor<1x8xf32>, tensor<1x8xf32>) ...
      scf.yield %3 : tensor<1x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // HETERO_TRANSFORMS_LOOPS_PASSES_TD
