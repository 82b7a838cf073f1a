//===- LocalUses.h - Uses that share a copy behind a value ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most values of a large module are read by placed operations of their own
// block, on their own device or on one other: one copy behind the definition
// serves all of these. The uses of a value come from far apart in memory, each
// of them known only from the one before. So uses are gathered user by user, in
// the order of the program, and sorted by value.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_LOCALUSES_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_LOCALUSES_H

#include "hetero/Analysis/TensorCaptures.h"
#include "hetero/Dialect/Hetero/Transforms/DeviceConstraints.h"
#include "hetero/Dialect/Hetero/Transforms/ValueDevices.h"

#include "llvm/ADT/BitVector.h"

namespace mlir {
namespace hetero {

/// A use of a value that wants it on another device.
struct WantedUse {
  Value value;
  OpOperand *use;
  /// Of the user.
  Block *block;
  DeviceAttr device;
  /// The number of the user in the order of the program.
  unsigned user;
  /// False if only the shape of the value counts.
  bool isRead;
};

/// Uses that want the same copy of a value, the first user first.
using SharedUses = ArrayRef<WantedUse>;

/// Loads what placing the values behind `i` changes, in such steps: their
/// producers, the uses, and the next uses of the same values.
void prefetchPlacing(ArrayRef<SharedUses> values, size_t i);

/// The same for the uses of one value that has many.
void prefetchUses(SharedUses uses, size_t i);

/// Sorts the uses of values whose types say their device.
class LocalUses {
public:
  /// The operations are those that are placed, in the order of the program;
  /// all values that they read are recorded.
  LocalUses(DeviceConstraints &constraints, ValueDevices &devices,
            const TensorCaptures &captures, ArrayRef<Operation *> ops);

  /// By value, the uses that want one copy of it. Copies behind a definition
  /// with several results, or of arguments, come in the order of their first
  /// users.
  ArrayRef<SharedUses> get() const { return shared; }

  /// Of all operations those that have other uses, or one in their body has.
  SmallVector<Operation *, 0> getLeft(ArrayRef<Operation *> ops) const;

private:
  void gather(Operation *op, unsigned number);
  /// Adds a use by an operation with a device, if it may want a copy.
  void add(OpOperand &use, unsigned user);
  bool isWanted(const WantedUse &use, DeviceAttr actual);
  void group();
  void leave(SharedUses uses);

  DeviceConstraints &constraints;
  ValueDevices &devices;
  const TensorCaptures &captures;
  SmallVector<WantedUse, 0> wanted;
  SmallVector<SharedUses, 0> shared;
  llvm::BitVector left;
};

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_LOCALUSES_H
