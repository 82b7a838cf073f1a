//===- ModuleStreams.h - The streams of a program ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The streams of a module by number, and which of its functions and blocks give
// work to them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_ORDER_MODULESTREAMS_H
#define HETERO_TRANSFORMS_ORDER_MODULESTREAMS_H

#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Buffers/SharedBuffers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::hetero {

/// Facts that hold for all functions of a module; stream 0 is the host.
class ModuleStreams {
public:
  explicit ModuleStreams(ModuleOp module);

  unsigned count() const { return streams.size(); }
  DeviceAttr get(unsigned stream) const { return streams[stream]; }
  unsigned getNumber(DeviceAttr stream) const { return numbers.lookup(stream); }
  /// The stream of the same device without a unit.
  unsigned getOwn(unsigned stream) const {
    return getNumber(streams[stream].getBare());
  }
  /// The streams that the copy is on: where it reads and where it writes; 0 for
  /// the host.
  std::pair<unsigned, unsigned> getStreams(memref::CopyOp copy) const;
  /// True for a stream of copies, which the device's own is ordered after
  /// wherever something unknown comes.
  bool isForCopies(unsigned stream) const;
  /// The streams of kernels that may have the buffers of a device.
  ArrayRef<unsigned> getKernelStreams(DeviceAttr device) const;

  /// True for control flow, a call or a function with work of devices inside.
  bool isBusy(Operation *op) const { return busy.contains(op); }
  /// True for a function or call that refers to state.
  bool usesState(Operation *op) const { return stateful.contains(op); }
  /// True for a function that only the runtime calls.
  bool isEntry(func::FuncOp function) const;

  StateNames states;
  SharedBuffers shared;

private:
  using Set = llvm::DenseSet<Operation *>;

  void addStream(DeviceAttr stream);
  void addStreams(Operation *op);
  void numberStreams();
  void note(Operation *op);
  void noteCallers(Set &set);

  SmallVector<DeviceAttr> streams;
  llvm::DenseMap<Attribute, unsigned> numbers;
  /// By device, or the first of those that share buffers.
  llvm::DenseMap<Attribute, SmallVector<unsigned>> kernelStreams;
  Set busy, stateful;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> callers;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_ORDER_MODULESTREAMS_H
