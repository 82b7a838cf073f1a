//===- Passes.td - Divide into regions ---------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_REGIONS_PASSES_TD
#define HETERO_TRANSFORMS_REGIONS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PartitionPass : Pass<"hetero-partition", "::mlir::ModuleOp"> {
  let summary = "Groups operations of one device into hetero.execute";
  let description = [{
    Afterwards the operations on tensors are in maximal convex regions of one
    device each: no region waits for itself, no two wait for each other, and no
    two of one device (and unit, and code generator) in a block could be one.
    Copies, control flow, calls, sizes, scalars and what has side effects stay
    outside; what a region reads is an operand, and constants and empty tensors
    are repeated inside. Work that nobody reads is dropped.

    ```mlir
    // hetero-opt --hetero-partition
    #gpu = #hetero.device<gpu:0>
    func.func @f(%x: tensor<4xf32, #gpu>) -> (tensor<4xf32, #gpu> {hetero.device = #gpu}) {
      %e = tensor.empty() : tensor<4xf32, #gpu>
      %0 = linalg.exp {hetero.device = #gpu}
        ins(%x : tensor<4xf32, #gpu>) outs(%e : tensor<4xf32, #gpu>) -> tensor<4xf32, #gpu>
      %1 = linalg.abs {hetero.device = #gpu}
        ins(%0 : tensor<4xf32, #gpu>) outs(%e : tensor<4xf32, #gpu>) -> tensor<4xf32, #gpu>
      return %1 : tensor<4xf32, #gpu>
    }
    // becomes
    %0 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
        (%arg1 = %arg0 : tensor<4xf32, #hetero.device<gpu:0>>)
        -> (tensor<4xf32, #hetero.device<gpu:0>>) {
      %1 = tensor.empty() : tensor<4xf32>
      %2 = linalg.exp {...} ins(%arg1 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
      %3 = linalg.abs {...} ins(%2 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
      hetero.yield %3 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // HETERO_TRANSFORMS_REGIONS_PASSES_TD
