//===- Passes.td - Buffers and copies of them --------------*- tablegen -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_PASSES_TD
#define HETERO_TRANSFORMS_BUFFERS_PASSES_TD

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

    An operation that goes on with what a fill has made has a fill of its own
    before it, since all but one of them would have a copy of a common one, and
    its buffer would live from where that stands.

    A `hetero.copy` between devices that address the same memory (`unified` links)
    becomes a `memref.memory_space_cast`, which allocates nothing, unless one side
    overwrites the buffer while the other still reads the value.

    Copies of one value in one block whose paths share a link (from gpu:0 to gpu:1
    and gpu:2 through the host) become one copy over that link, from which each
    goes on, as placement counts it. The remark has how many did as `routes`.

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
    until here, so that the passes before need to know of one operation only; what
    several of them have in common `--hetero-bufferize` has made one already.

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
    Buffers of dynamic size, those that control flow, calls or results pass,
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

#endif // HETERO_TRANSFORMS_BUFFERS_PASSES_TD
