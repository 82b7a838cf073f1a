//===- Passes.td - Constants larger than a device ----------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_STREAMING_PASSES_TD
#define HETERO_TRANSFORMS_STREAMING_PASSES_TD

include "mlir/Pass/PassBase.td"

def StreamConstantsPass : Pass<"hetero-stream-constants", "::mlir::ModuleOp"> {
  let summary = "Streams constants that a device has no room for";
  let description = [{
    Afterwards the constants that stay on a device, the values that live there at
    once and the slots for the other constants fit into its memory: what the
    topology gives it, or `hetero.memory_budget` of the module, if that is less.
    Where all constants fit beside the values, nothing changes.

    What has no room stays on the host. Before each kernel that reads such a
    constant a copy puts it into a slot, unless the slot has it already; a copy of
    the constant to a buffer of its own comes from the host at once. `hetero-schedule`
    lets these copies run beside kernels: there are two slots for each constant
    that one kernel streams, so that the next one arrives while a kernel reads
    this one. Only where even that does not fit there is one.

    Which constants stay is decided by the time of the copies in one run of the
    program, with loops and calls counted as in costs: it is the least for the
    size of the slots, an exact knapsack of bytes against time (Nemhauser and
    Ullmann 1969, with the bound of Dantzig 1957), and of all sizes that constants
    have, up to 32, the best one counts. Of constants of one size and time those
    stay that have the others evenly between them. The bytes of values are those
    of the arenas that `hetero-plan-memory` makes of a schedule that needs little,
    those of functions that call each other together.

    Constants stay that control flow, calls or the host's parallel loops read,
    those of functions with several blocks, and those of devices that no single
    link joins with the host. If all that can be streamed is, and the rest does
    not fit, that is an error at the operation that reads the most.

    A remark `streamed` says for each device how many constants are copied, the
    time that takes, the bytes that stay, of slots, of all together, and the
    budget with which nothing would be copied.

    ```mlir
    // hetero-opt --hetero-stream-constants
    module attributes {hetero.topology = #hetero.topology<
      devices = [
        #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000, bandwidth = 1000>,
        #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1024, compute = 1000, bandwidth = 1000>],
      links = [
        #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000, latency = 10>]>} {
      memref.global "private" constant @a : memref<64xf32, #hetero.device<gpu:0>> = dense<1.0>
      memref.global "private" constant @b : memref<64xf32, #hetero.device<gpu:0>> = dense<2.0>
      memref.global "private" constant @c : memref<64xf32, #hetero.device<gpu:0>> = dense<3.0>
      memref.global "private" constant @d : memref<64xf32, #hetero.device<gpu:0>> = dense<4.0>
      func.func @f(%x: memref<64xf32, #hetero.device<gpu:0>>) {
        %a = memref.get_global @a : memref<64xf32, #hetero.device<gpu:0>>
        %b = memref.get_global @b : memref<64xf32, #hetero.device<gpu:0>>
        %c = memref.get_global @c : memref<64xf32, #hetero.device<gpu:0>>
        %d = memref.get_global @d : memref<64xf32, #hetero.device<gpu:0>>
        linalg.exp ins(%a : memref<64xf32, #hetero.device<gpu:0>>) outs(%x : memref<64xf32, #hetero.device<gpu:0>>)
        linalg.exp ins(%b : memref<64xf32, #hetero.device<gpu:0>>) outs(%x : memref<64xf32, #hetero.device<gpu:0>>)
        linalg.exp ins(%c : memref<64xf32, #hetero.device<gpu:0>>) outs(%x : memref<64xf32, #hetero.device<gpu:0>>)
        linalg.exp ins(%d : memref<64xf32, #hetero.device<gpu:0>>) outs(%x : memref<64xf32, #hetero.device<gpu:0>>)
        return
      }
    }
    // becomes
    memref.global "private" constant @a : memref<64xf32, #hetero.device<gpu:0>> = dense<1.000000e+00>
    memref.global "private" constant @b_host : memref<64xf32> = dense<2.000000e+00>
    memref.global "private" constant @c_host : memref<64xf32> = dense<3.000000e+00>
    memref.global "private" constant @d_host : memref<64xf32> = dense<4.000000e+00>
    func.func @f(%arg0: memref<64xf32, #hetero.device<gpu:0>>) {
    %alloc = memref.alloc() {alignment = 256 : i64, hetero.streamed} : memref<256xi8, #hetero.device<gpu:0>>
    ```
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // HETERO_TRANSFORMS_STREAMING_PASSES_TD
