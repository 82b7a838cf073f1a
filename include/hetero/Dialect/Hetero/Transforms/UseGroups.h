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

/// True if no operation of the module's functions that a walk meets before `op`
/// reads a value that comes with or behind it: they can be placed first.
bool startsWindow(Operation *op);

/// Groups the uses of values whose types say their device, window by window of
/// the program: in a large module operations stay in the caches for no longer.
/// The groups may depend on the windows, but not the copies that serve them,
/// nor the order of those behind one definition, which is that of the first
/// users.
class UseGroups {
public:
  /// Works best if the module has about as many operations.
  UseGroups(DeviceConstraints &constraints, ValueDevices &devices,
            CopySitePlan &sites, size_t numOperations)
      : constraints(constraints), devices(devices), sites(sites),
        numOperations(numOperations) {}

  /// Adds the uses of a window: of the operations behind those of the last
  /// call, which come first. They are those that are placed, in the order of
  /// the program, and all values that they read are recorded.
  void gather(ArrayRef<Operation *> ops);

  /// Groups the uses since the last groups if few values are of earlier
  /// windows. From the first window on where many are, none are grouped until
  /// the end: a value and its uses are better loaded once than in one window
  /// after the other. Groups hold until the next call.
  ArrayRef<UseGroup> groupNear();
  /// Groups what is left in the end.
  ArrayRef<UseGroup> group();

  /// Of all operations those that have other uses, or one in their body has.
  SmallVector<Operation *, 0> getLeft(ArrayRef<Operation *> ops) const;

private:
  void gather(Operation *op, unsigned number);
  /// Adds a use if it may want a copy.
  void add(OpOperand &use, unsigned user);
  bool wantsCopy(const WantedUse &use, DeviceAttr actual);
  /// Sorts and splits by value what is gathered.
  void sort();
  bool areNear() const;
  ArrayRef<UseGroup> groupSorted();
  /// Groups the uses of one value by device.
  void groupUses(MutableArrayRef<WantedUse> uses);

  DeviceConstraints &constraints;
  ValueDevices &devices;
  CopySitePlan &sites;
  size_t numOperations;
  /// Where the operations of the last window are, and how many.
  uintptr_t lowest = 0, highest = 0;
  size_t windowSize = 0;
  /// True once a window was not near.
  bool waits = false;
  SmallVector<WantedUse, 0> wanted;
  /// As large while they are sorted, then the uses that groups consist of.
  SmallVector<WantedUse, 0> buffer;
  /// The same by value, once they are sorted, in the order of addresses.
  SmallVector<MutableArrayRef<WantedUse>, 0> values;
  /// Of values that share their definition with none, and of the others.
  SmallVector<UseGroup, 0> groups, siblings;
  llvm::BitVector left;
};

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_USEGROUPS_H
