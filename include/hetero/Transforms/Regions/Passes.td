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

def CloneForHostPass : Pass<"hetero-clone-for-host", "::mlir::ModuleOp"> {
  let summary = "Gives entry points host code for where a device is missing";
  let description = [{
    Afterwards each entry point that uses a device besides the host has a variant
    on the host, which names it in `hetero.fallback_of` and lists the devices
    that it needs in `hetero.fallback_devices`. `--hetero-to-llvm` lets the entry
    point call the variant where one of these is missing. Functions that it calls,
    and variables on devices, are there for the host as well. A program of
    several nodes is an error: its nodes could not agree on the variant.

    The placement, its cost and its report stay as they are: the variant is the
    partitioned program with all its regions on the host and without copies. An
    entry point has none if its caller has arguments or results on a device, or
    if it launches kernels of its own; a remark says so.

    ```mlir
    // hetero-opt --hetero-clone-for-host
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = hetero.copy %x : tensor<8xf32> -> tensor<8xf32, #hetero.device<gpu:0>>
      %1 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
          (%a = %0 : tensor<8xf32, #hetero.device<gpu:0>>) -> (tensor<8xf32, #hetero.device<gpu:0>>) {
        %3 = linalg.negf ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
        hetero.yield %3 : tensor<8xf32>
      }
      %2 = hetero.copy %1 : tensor<8xf32, #hetero.device<gpu:0>> -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = hetero.copy %arg0 : tensor<8xf32> -> tensor<8xf32, #hetero.device<gpu:0>>
      ...
    }
    func.func @f_on_host(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes
        {hetero.fallback_devices = [#hetero.device<gpu:0>], hetero.fallback_of = "f"} {
      %0 = hetero.execute "f_gpu0_0" on #hetero.device<cpu:0>
          (%arg1 = %arg0 : tensor<8xf32>) -> (tensor<8xf32>) {
        %1 = linalg.negf ins(%arg1 : tensor<8xf32>) outs(%arg1 : tensor<8xf32>) -> tensor<8xf32>
        hetero.yield %1 : tensor<8xf32>
      }
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect"];
}

#endif // HETERO_TRANSFORMS_REGIONS_PASSES_TD
