//===- Passes.td - Order and memory ------------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_PASSES_TD
#define HETERO_TRANSFORMS_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SchedulePass : Pass<"hetero-schedule", "::mlir::ModuleOp"> {
  let summary = "Orders work and inserts the waits that the host needs";
  let description = [{
    Afterwards the host waits for a device before it touches memory that the
    device may still write, and nowhere else. Of buffers that both have
    (`memref.memory_space_cast`, `unified` links), it also waits before it writes
    what the device may still read, and where a block ends.

    First the work of each block gets an order, by a list schedule: what has the
    longest way to the end goes first, with the times that the topology implies,
    and stands where it would start if each device had one engine that computes,
    one that copies in and one that copies out, or one for all where it does not
    `overlap` them. The host of each node is one engine, and each link between
    two nodes. When the last work ends so is in the remark `summary`
    (`makespan_ps`, each block as often as it runs), and what
    `hetero-place="objective=latency"` makes small; beside it is what no order
    of this work ends before (`bound_ps`). Nothing crosses control flow,
    calls and other operations with effects. A fill stands before the first
    operation that uses what it fills, if both are of one device: nothing has to
    be there for it, and its buffer would live from the start.

    A copy that can run at the same time as its neighbours on another engine gets
    the stream "copy in" or "copy out" of its device; `hetero.order` stands where
    one stream needs what another makes. A copy that is in order with its
    neighbours anyway stays on the stream of the kernels. At the end of a block
    the device's own stream waits for those of copies.

    With `copy-site=late` (`hetero.late_copies` on the module) work keeps its
    order and copies stay on the stream of the kernels, since what overlaps needs
    memory at the same time.

    Where the buffers of a device do not all fit there at once, the schedule is
    tried, with the arenas that `hetero-plan-memory` would make. If those do not
    fit, work runs less and less far ahead of an order that needs little memory:
    that of the program, with each copy to a device before what needs it,
    after loops too, and each copy from a device right after what made the
    value. Last, copies stay on the stream of the kernels. A remark `lean` says how
    many operations ahead work runs.

    ```mlir
    // hetero-opt --hetero-schedule
    func.func @f(%h0: memref<4xf32>, %h1: memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      %b = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      memref.copy %h0, %a : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp ins(%a : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%a : memref<4xf32, #hetero.device<gpu:0>>)
      memref.copy %h1, %b : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp ins(%b : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%b : memref<4xf32, #hetero.device<gpu:0>>)
      return
    }
    // becomes
    memref.copy %arg0, %alloc {hetero.to = #hetero.device<gpu:0>}
      : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
    linalg.exp ins(%alloc : memref<4xf32, #hetero.device<gpu:0>>)
      outs(%alloc : memref<4xf32, #hetero.device<gpu:0>>)
    memref.copy %arg1, %alloc_0 {hetero.to = #hetero.device<gpu:0, unit = "copy in">}
      : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
    hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:0, unit = "copy in">
    linalg.exp ins(%alloc_0 : memref<4xf32, #hetero.device<gpu:0>>)
      outs(%alloc_0 : memref<4xf32, #hetero.device<gpu:0>>)
    ```

    Kernels and copies are only enqueued, so the one thing that the host waits
    for is a copy to the host. The wait stands before the first operation
    that touches host memory, not after the copy: the host enqueues what comes
    next in the meantime. No wait crosses a block, which keeps the order the same
    on every path.

    ```mlir
    // hetero-opt --hetero-schedule
    func.func @f(%d: memref<4xf32, #hetero.device<gpu:0>>, %h: memref<4xf32>) {
      memref.copy %d, %h : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
      linalg.exp ins(%d : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%d : memref<4xf32, #hetero.device<gpu:0>>)
      linalg.abs ins(%h : memref<4xf32>) outs(%h : memref<4xf32>)
      return
    }
    // becomes
    memref.copy %arg0, %arg1 : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
    linalg.exp ins(%arg0 : memref<4xf32, #hetero.device<gpu:0>>)
      outs(%arg0 : memref<4xf32, #hetero.device<gpu:0>>)
    hetero.wait on #hetero.device<gpu:0>
    linalg.abs ins(%arg1 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
    return
    ```
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def PlanMemoryPass : Pass<"hetero-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Plans where buffers live and when they are freed";
  let description = [{
    Afterwards every buffer that does not leave its function is freed exactly
    once, on the host and on devices, and those that control flow or private
    functions pass as well. Loops of blocks become `scf.while`, and
    switches between blocks `scf.index_switch`, since ownership is followed
    through structured ones only.

    Memory is allocated right before its first use. That of a device is freed
    right after its last use, although that use is only enqueued: the free is
    enqueued after it, and what is allocated next may have the same memory. So is
    host memory, but where a device sends something
    there, only after the wait for that; what a device gets from there has been
    read when it is enqueued. Buffers of several devices (`hetero.shared` on the
    allocation names one of them), which are memory of the host, are freed at
    the end of their block, after the waits of the schedule.

    Then the buffers of a function that are freed in the block that allocates
    them get fixed offsets in one arena per device, at multiples of 256 bytes (64
    on the host): those that do not live at once share memory. Sizes may be known
    at run time only, if the entry of the function can compute them from sizes of
    its arguments and numbers that it gets; then it computes the offsets and the
    size of the arena, too. The layout is that for the sizes that costs assume
    (`hetero.dynamic_size`): of two buffers that live at once, the one that is
    before the other there is before it for all sizes. With several streams, a buffer can take another's place if the
    schedule has the stream that writes it first wait for all uses of the other,
    so that no dependence is added. A buffer of several streams in a loop's body
    has memory of its own. Arenas hold no buffer of a parallel loop's body. A
    function whose arenas, with all resident constants, need more than the
    topology's device has is an error that names the largest values that live at the peak. A remark `arena` says
    for each arena how many buffers it holds, its bytes, and the most bytes that
    live at once, which no arena can be below, for the sizes that are assumed.

    ```mlir
    // hetero-opt --hetero-plan-memory
    func.func @f(%x: memref<64xf32, #hetero.device<gpu:0>>) {
      %a = memref.alloc() : memref<64xf32, #hetero.device<gpu:0>>
      linalg.exp ins(%x : memref<64xf32, #hetero.device<gpu:0>>)
        outs(%a : memref<64xf32, #hetero.device<gpu:0>>)
      linalg.abs ins(%a : memref<64xf32, #hetero.device<gpu:0>>)
        outs(%x : memref<64xf32, #hetero.device<gpu:0>>)
      %b = memref.alloc() : memref<64xf32, #hetero.device<gpu:0>>
      linalg.exp ins(%x : memref<64xf32, #hetero.device<gpu:0>>)
        outs(%b : memref<64xf32, #hetero.device<gpu:0>>)
      linalg.abs ins(%b : memref<64xf32, #hetero.device<gpu:0>>)
        outs(%x : memref<64xf32, #hetero.device<gpu:0>>)
      return
    }
    // becomes
    %alloc = memref.alloc() {alignment = 256 : i64} : memref<256xi8, #hetero.device<gpu:0>>
    ```

    Without arenas:

    ```mlir
    // hetero-opt --hetero-plan-memory=arenas=false
    func.func @f(%x: memref<4xf32>) {
      %d = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      memref.copy %x, %d : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      %e = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp ins(%d : memref<4xf32, #hetero.device<gpu:0>>)
        outs(%e : memref<4xf32, #hetero.device<gpu:0>>)
      memref.copy %e, %x : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
      hetero.wait on #hetero.device<gpu:0>
      return
    }
    // becomes
    linalg.exp ins(%alloc : memref<4xf32, #hetero.device<gpu:0>>)
      outs(%alloc_0 : memref<4xf32, #hetero.device<gpu:0>>)
    memref.dealloc %alloc : memref<4xf32, #hetero.device<gpu:0>>
    memref.copy %alloc_0, %arg0 : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
    memref.dealloc %alloc_0 : memref<4xf32, #hetero.device<gpu:0>>
    hetero.wait on #hetero.device<gpu:0>
    return
    ```
  }];
  let options = [
    Option<"useArenas", "arenas", "bool", "true",
           "Put buffers into one arena per function and device">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // HETERO_TRANSFORMS_SCHEDULE_PASSES_TD
