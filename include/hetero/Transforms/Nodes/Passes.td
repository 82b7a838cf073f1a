//===- Passes.td - Programs of several nodes ---------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_PASSES_TD
#define HETERO_TRANSFORMS_NODES_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitByNodePass : Pass<"hetero-split-by-node", "::mlir::ModuleOp"> {
  let summary = "Makes one program for each node";
  let description = [{
    A program whose devices are on several nodes (`node = 1` in
    `#hetero.device`) becomes one program for each node, which the ranks of an
    MPI job run: a module `@node0`, `@node1`, ... within the module; with the
    option `node` the module is the program of that node. A program whose
    devices are all on node 0, and one that has been split, stay as they are.

    Each program is the part of the scheduled order that its node runs. It names
    the node's devices as if there was no other node: `gpu:0` of node 1 is
    `gpu:0` in the program of node 1, and the topology that of the node. Public
    functions of other nodes than 0 have no arguments and no results: node 0
    takes inputs and returns results. All nodes call the same function.

    A copy between two nodes is a `hetero.send` and a `hetero.receive` with the
    same tag, which no other transfer has, and a `hetero.await_transfer` where
    the buffer is used next. Receives begin with the allocation of their buffer,
    as early as no more than two from one node are open in a block. What is not
    in host memory, or has gaps, goes through a buffer of the host.

    Control flow runs on every node that has work in it. Numbers that decide it,
    or that are sizes there, are computed on each node that needs them, if that
    takes no memory, and else sent there once each time they are defined, as
    buffers of one element.

    The tags, and `hetero.position` of control flow and calls that several nodes
    run, are one order, which the programs follow: `hetero-verify` proves with
    them that no nodes wait for each other forever. `hetero.program_hash` is of
    the joined program, so that ranks find out at the start whether they run the
    same.

    The example shows the program of node 0.

    An error names an operation that is no copy and works on memory of two
    nodes, and a value other than a number or a buffer that another node needs.

    ```mlir
    // hetero-opt --hetero-split-by-node
    module attributes {hetero.phase = #hetero.phase<scheduled>} {
      func.func @f(%x: memref<4xf32>) -> memref<4xf32> {
        %a = memref.alloc() : memref<4xf32, #hetero.device<cpu:0, node = 1>>
        memref.copy %x, %a : memref<4xf32> to memref<4xf32, #hetero.device<cpu:0, node = 1>>
        hetero.host_region "f_cpu0_node1_0" on #hetero.device<cpu:0, node = 1>
        %b = memref.alloc() : memref<4xf32, #hetero.device<cpu:0, node = 1>>
        linalg.exp ins(%a : memref<4xf32, #hetero.device<cpu:0, node = 1>>) outs(%b : memref<4xf32, #hetero.device<cpu:0, node = 1>>)
        hetero.end_host_region
        %c = memref.alloc() : memref<4xf32>
        memref.copy %b, %c : memref<4xf32, #hetero.device<cpu:0, node = 1>> to memref<4xf32>
        return %c : memref<4xf32>
      }
    }
    // becomes
    func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
    %alloc = memref.alloc() : memref<4xf32>
    hetero.receive %alloc from 1 tag 2 : memref<4xf32>
    hetero.send %arg0 to 1 tag 1 : memref<4xf32>
    hetero.await_transfer %arg0 tag 1 : memref<4xf32>
    hetero.await_transfer %alloc tag 2 : memref<4xf32>
    return %alloc : memref<4xf32>
    ```
  }];
  let options = [
    Option<"node", "node", "int64_t", "-1",
           "Make the program of this node only, in place of the module; -1: a "
           "module for each">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // HETERO_TRANSFORMS_NODES_PASSES_TD
