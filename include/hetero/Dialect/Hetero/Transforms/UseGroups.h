//===- UseGroups.h - Uses that share a copy behind a value ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most uses of a value on another device are served by one copy behind its
// definition: all those in the same block, and those in other blocks that show
// the definition to be the cheapest site. The uses of a value come from far
// apart in memory, each of them known only from the one before. So uses are
// gathered user by user, in the order of the program, and sorted by value.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_USEGROUPS_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_USEGROUPS_H

#include "hetero/Analysis/TensorCaptures.h"
#include "hetero/Dialect/Hetero/Transforms/CopySitePlan.h"
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

/// Uses that want the same copy of a value, the first user first; at least one.
using UseGroup = ArrayRef<WantedUse>;

/// Loads what placing the groups behind `i` changes, in such steps: the
/// producers, the uses, and the next uses of the same values.
void prefetchPlacing(ArrayRef<UseGroup> groups, size_t i);

/// The same for the uses of a group that has many.
void prefetchUses(UseGroup uses, size_t i);

/// Groups the uses of values whose types say their device.
class UseGroups {
public:
  /// The operations are those that are placed, in the order of the program;
  /// all values that they read are recorded.
  UseGroups(DeviceConstraints &constraints, ValueDevices &devices,
            const TensorCaptures &captures, CopySitePlan &sites,
            ArrayRef<Operation *> ops);

  /// Copies behind the same definition come in the order of their first users.
  ArrayRef<UseGroup> get() const { return groups; }

  /// Of all operations those that have other uses, or one in their body has.
  SmallVector<Operation *, 0> getLeft(ArrayRef<Operation *> ops) const;

private:
  void gather(Operation *op, unsigned number);
  /// Adds a use if it may want a copy.
  void add(OpOperand &use, unsigned user);
  bool wantsCopy(const WantedUse &use, DeviceAttr actual);
  /// Groups the uses of one value by device.
  void groupUses(MutableArrayRef<WantedUse> uses);
  void group();

  DeviceConstraints &constraints;
  ValueDevices &devices;
  const TensorCaptures &captures;
  CopySitePlan &sites;
  SmallVector<WantedUse, 0> wanted;
  /// Of values that share their definition with none, and of the others.
  SmallVector<UseGroup, 0> groups, siblings;
  llvm::BitVector left;
};

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_USEGROUPS_H
