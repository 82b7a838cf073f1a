//===- SharedBuffers.h - Buffers of several devices -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over a `unified` link a copy is a memref.memory_space_cast: both devices have
// the buffer. Which buffers these are shows all over the program, since loops,
// branches and calls pass them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_SHAREDBUFFERS_H
#define HETERO_TRANSFORMS_BUFFERS_SHAREDBUFFERS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace mlir::hetero {

/// What may be one buffer, found once for a module, in near-linear time. The
/// order of operations does not matter, so that it holds while they move.
class SharedBuffers {
public:
  explicit SharedBuffers(ModuleOp module);

  /// True if no buffer is of two devices.
  bool empty() const { return numbers.empty(); }
  /// True if the buffer may be one of the host and of a device.
  bool isOfHost(Value buffer) const;
  /// A device that has the buffer, if it may be one of several, the host
  /// included; else null.
  DeviceAttr getSharer(Value buffer) const {
    ArrayRef<DeviceAttr> devices = getDevices(buffer);
    return devices.empty() ? DeviceAttr() : devices.front();
  }
  /// The devices other than the host that have the buffer; none if it is of one
  /// device only.
  ArrayRef<DeviceAttr> getDevices(Value buffer) const;
  /// The devices that share buffers with others than the host.
  ArrayRef<DeviceAttr> getPeers() const { return peers; }

private:
  struct Owners {
    bool hasHost = false;
    SmallVector<DeviceAttr, 2> devices;
  };

  unsigned getNumber(Value buffer);
  void join(Value a, Value b);
  void joinAll(Operation *op);
  void joinCall(Operation *op, ModuleOp module);
  const Owners *lookup(Value buffer) const;

  llvm::DenseMap<Value, unsigned> numbers;
  llvm::IntEqClasses classes;
  SmallVector<Owners> owners;
  SmallVector<DeviceAttr> peers;
};

/// Copies constants where a buffer that several devices have may be one of
/// them.
void separateSharedConstants(ModuleOp module);

/// Notes on allocations and on arguments of entry points that several devices
/// have them (`hetero.shared`).
void markSharedBuffers(ModuleOp module);

/// The device that a marked allocation is shared with, or null.
DeviceAttr getSharer(Operation *alloc);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_SHAREDBUFFERS_H
