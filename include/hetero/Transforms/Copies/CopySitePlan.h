//===- CopySitePlan.h - Finds the sites of a value's copies -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Materialization inserts copies, and copy optimization moves them, to the same
// sites: those that placement priced.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_COPIES_COPYSITEPLAN_H
#define HETERO_TRANSFORMS_COPIES_COPYSITEPLAN_H

#include "hetero/Analysis/Blocks/CopySites.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Where copies stand.
enum class CopySite {
  /// Right after the definition: they overlap with the most.
  Eager,
  /// Before the first use: they take memory for the least time.
  Late,
  /// In the blocks that run the least often; after the definition where that
  /// is its own block.
  Auto
};

/// Chooses sites and remembers the copies there. Blocks must not change while
/// it lives; operations may.
class CopySitePlan {
public:
  /// The tree is asked for when it is first needed: straight code needs none.
  CopySitePlan(ModuleOp module, std::function<const BlockTree &()> getTree,
               CopySite where)
      : where(where), module(module), getTree(std::move(getTree)) {}

  struct Site {
    BlockIndex block;
    /// True where the copy stands right after the definition, else it stands
    /// before the operation `before`.
    bool isDefinition;
    /// The first operation in the block that needs the copy, directly, inside,
    /// or in a block that follows.
    Operation *before;
    /// The users that this copy serves, in the order they were given.
    SmallVector<Operation *> users;
  };

  /// True if a user in the block alone shows that one copy after the
  /// definition of `value` serves all users at the least cost.
  bool isAfterDefinition(Value value, Block *user);

  /// The sites of the copies of `value` to `device` that serve `users`, which
  /// must not be empty. In code that nothing reaches it is the definition.
  SmallVector<Site> choose(Value value, DeviceAttr device,
                           ArrayRef<Operation *> users);

  /// Those of `readers`, which need one element each, that copies of the whole
  /// value serve at the least cost if `users` need them in any case.
  SmallVector<Operation *> findServed(Value value, DeviceAttr device,
                                      ArrayRef<Operation *> users,
                                      ArrayRef<Operation *> readers);

  /// Notes the copy at a site.
  void record(Value value, DeviceAttr device, BlockIndex site, Value copy);
  /// The recorded copy that serves `user`, or null.
  Value lookup(Value value, DeviceAttr device, Operation *user);

  const CopySite where;

private:
  int64_t getBytes(Value value);
  int64_t getTime(Value value, DeviceAttr device, int64_t bytes);
  void assignUsers(MutableArrayRef<Site> sites, ArrayRef<Operation *> users,
                   ArrayRef<BlockIndex> blocks);

  ModuleOp module;
  std::function<const BlockTree &()> getTree;
  std::optional<Topology> topology;
  DenseMap<std::pair<std::pair<Value, Attribute>, BlockIndex>, Value> copies;
};

/// The first operation of the block that is one of the users or holds one; its
/// terminator if none does.
Operation *findFirstUser(Block *block, ArrayRef<Operation *> users);

/// The operation, or the last of the copies of its results right after it.
Operation *findLastCopy(Operation *producer);
/// The value's copy on `device` right after its producer, or null.
Value findCopyAfter(Value value, DeviceAttr device);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_COPIES_COPYSITEPLAN_H
