//===- CopySites.cpp - Where copies of a value stand ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bottom-up over the part of the tree between the definition and its uses: a
// block with a use of its own needs a copy in it or above; else the copies of
// its subtrees may be cheaper than one here. The root holds the copy if that is
// no dearer.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/CopySites.h"

#include "hetero/Analysis/Topology.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// A block on the way from the definition to a use.
struct Stop {
  BlockIndex block;
  /// Number among the stops; the definition is its own.
  unsigned parent = 0;
  bool hasUse = false;
  /// One copy here is no dearer than those further inside.
  bool copiesHere = false;
  /// Least cost of the subtree, and of what is below.
  int64_t best = 0, below = 0;
};
} // namespace

/// The stops, parents before children.
static SmallVector<Stop> collectStops(const BlockTree &tree,
                                      BlockIndex definition,
                                      ArrayRef<BlockIndex> uses) {
  llvm::SmallDenseMap<BlockIndex, bool> wanted;
  wanted[definition] = false;
  for (BlockIndex use : uses) {
    bool isNew = true;
    for (BlockIndex block = use; isNew && block != definition;
         block = tree.getParent(block))
      isNew = wanted.try_emplace(block, false).second;
    wanted[use] = true;
  }
  SmallVector<Stop> stops;
  for (auto [block, hasUse] : wanted)
    stops.push_back({block, 0, hasUse});
  // Parents have smaller numbers.
  llvm::sort(stops,
             [](const Stop &a, const Stop &b) { return a.block < b.block; });
  llvm::SmallDenseMap<BlockIndex, unsigned> position;
  for (auto [index, stop] : llvm::enumerate(stops)) {
    position[stop.block] = index;
    if (stop.block != definition)
      stop.parent = position.lookup(tree.getParent(stop.block));
  }
  return stops;
}

CopySites mlir::hetero::chooseCopySites(const BlockTree &tree,
                                        BlockIndex definition,
                                        ArrayRef<BlockIndex> uses,
                                        int64_t time) {
  CopySites sites;
  if (uses.empty())
    return sites;
  if (llvm::is_contained(uses, definition)) {
    sites.blocks.push_back(definition);
    sites.time = tree.scale(time, definition);
    return sites;
  }
  SmallVector<Stop> stops = collectStops(tree, definition, uses);
  for (unsigned i = stops.size(); i-- != 0;) {
    Stop &stop = stops[i];
    int64_t here = tree.scale(time, stop.block);
    stop.copiesHere = stop.hasUse || here <= stop.below;
    stop.best = stop.copiesHere ? here : stop.below;
    if (i != 0)
      stops[stop.parent].below = addTimes(stops[stop.parent].below, stop.best);
  }
  SmallVector<bool> isServed(stops.size());
  for (auto [index, stop] : llvm::enumerate(stops)) {
    isServed[index] = index != 0 && isServed[stop.parent];
    if (isServed[index] || !stop.copiesHere)
      continue;
    isServed[index] = true;
    sites.blocks.push_back(stop.block);
  }
  sites.time = stops.front().best;
  return sites;
}
