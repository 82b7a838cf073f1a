//===- GroupPlan.h - Which operations of a block run together ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides the maximal convex groups of operations of one device in a block, and
// an order in which the groups and the other operations can run. Read-only.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_REGIONS_GROUPPLAN_H
#define HETERO_TRANSFORMS_REGIONS_GROUPPLAN_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// True for operations that belong into a region: all results are tensors, no
/// side effects, and every tensor operand is where the operation runs.
bool canBeGrouped(Operation *op);

/// The groups of one block in an order that respects all dependences.
class GroupPlan {
public:
  /// A group, or one operation that stays outside of groups (null device).
  struct Item {
    DeviceAttr device;
    SmallVector<Operation *, 1> ops;
  };

  explicit GroupPlan(Block &block);

  ArrayRef<Item> getItems() const { return items; }

private:
  SmallVector<Item, 0> items;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_REGIONS_GROUPPLAN_H
