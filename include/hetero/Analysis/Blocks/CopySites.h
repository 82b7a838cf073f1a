//===- CopySites.h - Where copies of a value stand --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is needed on another device in several blocks can be copied in
// each of them or once in a block above; which is cheaper depends on how often
// the blocks run. Placement prices copies by this choice and materialization
// puts them there.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_COPYSITES_H
#define HETERO_ANALYSIS_BLOCKS_COPYSITES_H

#include "hetero/Analysis/Blocks/BlockTree.h"

namespace mlir::hetero {

/// The blocks that hold one copy each, and what they cost together.
struct CopySites {
  SmallVector<BlockIndex, 2> blocks;
  int64_t time = 0;
};

/// A use that a copy may serve, but that can do without one at this cost: the
/// read of an element, which can be moved alone. The cost is that of all
/// executions.
struct OptionalUse {
  BlockIndex block;
  int64_t time;
};

/// The cheapest blocks within the subtree of `definition` of which one is above
/// (or is) each of `uses`, if a copy takes `time`. Among equals the fewest
/// copies, in the outermost blocks. All uses lie in the subtree; duplicates are
/// allowed. The sum includes what optional uses pay that no copy serves.
CopySites chooseCopySites(const BlockTree &tree, BlockIndex definition,
                          ArrayRef<BlockIndex> uses, int64_t time,
                          ArrayRef<OptionalUse> optional = {});

/// The block on the way from `definition` down to `use` where something that
/// takes `time` takes the least, the outermost among equals.
BlockIndex findCheapestBlock(const BlockTree &tree, BlockIndex definition,
                             BlockIndex use, int64_t time);

/// True if one of the sites is the block or above it.
bool isServed(const BlockTree &tree, const CopySites &sites, BlockIndex block);

/// A block on the way from a definition to a use.
struct CopyStop {
  BlockIndex block;
  /// Number among the stops; the definition is number 0 and its own parent.
  unsigned parent = 0;
  bool hasUse = false;
};

/// The blocks between the definition and the uses, parents before children.
SmallVector<CopyStop> collectCopyStops(const BlockTree &tree,
                                       BlockIndex definition,
                                       ArrayRef<BlockIndex> uses,
                                       ArrayRef<OptionalUse> optional = {});
/// The number of the stop in `block`, which is one of them.
unsigned findStop(ArrayRef<CopyStop> stops, BlockIndex block);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_BLOCKS_COPYSITES_H
