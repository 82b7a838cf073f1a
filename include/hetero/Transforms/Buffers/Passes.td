//===- Passes.td - Buffers, order, memory ------------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_BUFFERPASSES_TD
#define HETERO_DIALECT_HETERO_TRANSFORMS_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizePass : Pass<"hetero-bufferize", "::mlir::ModuleOp"> {
  let summary = "Turns tensors into memrefs in the memory of their device";
  let description = [{
    Afterwards the module works on memrefs whose memory space is their device
    (none: the host), and every `hetero.execute` is gone: from here on the memory
    says where an operation runs. The region's name stays in `hetero.region`, or
    in a `hetero.host_region` that a `hetero.end_host_region` ends, for the report.

    The device of a region is written into the tensor types of its body first,
    since One-Shot Bufferize takes the memory space from the type alone. Results
    are written in place where the analysis allows it; arguments of public
    functions belong to their callers and are never written to.

    A `hetero.copy` between devices that address the same memory (`unified` links)
    becomes a `memref.memory_space_cast`, which allocates nothing, unless one side
    overwrites the buffer while the other still reads the value.

    ```mlir
    // hetero-opt --hetero-bufferize
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = hetero.copy %x : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
      %1 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
          (%a = %0 : tensor<4xf32, #hetero.device<gpu:0>>)
          -> (tensor<4xf32, #hetero.device<gpu:0>>) {
        %e = tensor.empty() : tensor<4xf32>
        %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        hetero.yield %2 : tensor<4xf32>
      }
      %3 = hetero.copy %1 : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
      return %3 : tensor<4xf32>
    }
    // becomes
    func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
      %alloc = memref.alloc() ... : memref<4xf32, #hetero.device<gpu:0>>
      memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
      %alloc_0 = memref.alloc() ... : memref<4xf32, #hetero.device<gpu:0>>
      linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.region = "f_gpu0_0"}
          ins(%alloc : memref<4xf32, #hetero.device<gpu:0>>)
          outs(%alloc_0 : memref<4xf32, #hetero.device<gpu:0>>)
      %alloc_1 = memref.alloc() ... : memref<4xf32>
      memref.copy %alloc_0, %alloc_1 : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
      return %alloc_1 : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def RouteCopiesPass : Pass<"hetero-route-copies", "::mlir::ModuleOp"> {
  let summary = "Splits copies between devices that no link joins";
  let description = [{
    Afterwards every copy takes one link of the topology. A copy between devices
    that no link joins becomes one copy for each link of the path that placement
    priced, with a buffer on every device on the way. Copies stay end to end
    until here, so that the passes before need to know of one operation only.

    ```mlir
    // hetero-opt --hetero-route-copies
    module attributes {hetero.topology = #hetero.topology<
      devices = [
        #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000, bandwidth = 1000>,
        #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000, bandwidth = 1000>,
        #hetero.device_spec<device = #hetero.device<gpu:1>, compute = 1000, bandwidth = 1000>],
      links = [
        #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000, latency = 10>,
        #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1000, latency = 10>]>} {
      func.func @f(%a: memref<4xf32, #hetero.device<gpu:0>>, %b: memref<4xf32, #hetero.device<gpu:1>>) {
        memref.copy %a, %b : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:1>>
        return
      }
    }
    // becomes
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32>
    memref.copy %alloc, %arg1 : memref<4xf32> to memref<4xf32, #hetero.device<gpu:1>>
    return
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def BatchCopiesPass : Pass<"hetero-batch-copies", "::mlir::ModuleOp"> {
  let summary = "Packs small copies at one place into one transfer";
  let description = [{
    Afterwards small values that the host sends to one device one after the other,
    with no work in between, cross in one transfer: the host packs them into one
    buffer, and on the device they are views of the buffer that arrives. So do
    those that the device sends to the host: they lie in one buffer there, and the
    host unpacks each where it first needs it. A value
    is small if packing it and its bytes on the link take at most a quarter of the
    latency of the path to the device; a batch takes at most one latency, so that
    the first of its values comes little later than by itself. Without a topology
    nothing is known of latencies, and nothing is packed.
    Buffers of dynamic size, those that control flow, calls or results hand on,
    and those that something uses before the copy, have copies of their own.

    A remark `batched` says how many copies are one, the summary how many there
    are; reports name all values of a packed copy.

    ```mlir
    // hetero-opt --hetero-batch-copies
    module attributes {hetero.topology = #hetero.topology<
      devices = [
        #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000000, bandwidth = 50000000000>,
        #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000000, bandwidth = 50000000000>],
      links = [
        #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 12000000000, latency = 10000000>]>} {
      func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
        %0 = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
        memref.copy %a, %0 {hetero.value = "a"} : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
        %1 = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
        memref.copy %b, %1 {hetero.value = "b"} : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
        linalg.exp ins(%0 : memref<4xf32, #hetero.device<gpu:0>>) outs(%1 : memref<4xf32, #hetero.device<gpu:0>>)
        return
      }
    }
    // becomes
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<80xi8>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<80xi8, #hetero.device<gpu:0>>
    %c0 = arith.constant 0 : index
    %view = memref.view %alloc_0[%c0][] : memref<80xi8, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:0>>
    %c64 = arith.constant 64 : index
    %view_1 = memref.view %alloc_0[%c64][] : memref<80xi8, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:0>>
    %c0_2 = arith.constant 0 : index
    %view_3 = memref.view %alloc[%c0_2][] : memref<80xi8> to memref<4xf32>
    memref.copy %arg0, %view_3 : memref<4xf32> to memref<4xf32>
    %c64_4 = arith.constant 64 : index
    %view_5 = memref.view %alloc[%c64_4][] : memref<80xi8> to memref<4xf32>
    memref.copy %arg1, %view_5 : memref<4xf32> to memref<4xf32>
    memref.copy %alloc, %alloc_0 {hetero.value = "a, b"} : memref<80xi8> to memref<80xi8, #hetero.device<gpu:0>>
    linalg.exp ins(%view : ...) outs(%view_1 : ...)
    return
    ```
  }];
  let dependentDialects = ["::mlir::hetero::HeteroDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

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
    one that copies in and one that copies out. Nothing crosses control flow,
    calls and other operations with effects.

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
    that of the program, with each copy to a device in front of what needs it,
    behind loops too, and each copy from a device right behind what made the
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
    for is a copy to the host. The wait stands in front of the first operation
    that touches host memory, not behind the copy: the host enqueues what comes
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
    functions hand on as well. Loops of blocks become `scf.while`, and
    switches between blocks `scf.index_switch`, since ownership is followed
    through structured ones only.

    Memory of a device is freed right behind its last use, although that use is
    only enqueued: the free is enqueued behind it, and what is allocated next may
    have the same memory. Host memory is freed at the end of its block, behind
    the waits of the schedule, because nothing keeps the host in order with a
    device. So are buffers of several devices (`hetero.shared` on the allocation
    names one of them), which are memory of the host.

    Then the buffers of a function that have a static size and are freed in the
    block that allocates them get fixed offsets in one arena per device, at
    multiples of 256 bytes (64 on the host): those that do not live at once share
    memory. With several streams, a buffer can take another's place if the
    schedule has the stream that writes it first wait for all uses of the other,
    so that no dependence is added. A buffer of several streams in a loop's body
    has memory of its own. Arenas hold no buffer of a parallel loop's body. A
    function whose arenas, with all resident constants, need more than the
    topology's device has is an error that names the largest values that live at the peak. A remark `arena` says
    for each arena how many buffers it holds, its bytes, and the most bytes that
    live at once, which no arena can be below.

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
           "Put buffers of static size into one arena per function and device">
  ];
  let dependentDialects = [
    "::mlir::hetero::HeteroDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_BUFFERPASSES_TD
