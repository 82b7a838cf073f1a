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

#include "hetero/Analysis/Blocks/CopySites.h"

#include "hetero/Analysis/Machine/Topology.h"

using namespace mlir;
using namespace mlir::hetero;

unsigned mlir::hetero::findStop(ArrayRef<CopyStop> stops, BlockIndex block) {
  return llvm::partition_point(
             stops, [&](const CopyStop &stop) { return stop.block < block; }) -
         stops.begin();
}

SmallVector<CopyStop>
mlir::hetero::collectCopyStops(const BlockTree &tree, BlockIndex definition,
                               ArrayRef<BlockIndex> uses,
                               ArrayRef<OptionalUse> optional) {
  llvm::SmallDenseMap<BlockIndex, bool, 16> wanted;
  wanted[definition] = false;
  auto addPath = [&](BlockIndex use) {
    bool isNew = true;
    for (BlockIndex block = use; isNew && block != definition;
         block = tree.getParent(block))
      isNew = wanted.try_emplace(block, false).second;
  };
  for (BlockIndex use : uses) {
    addPath(use);
    wanted[use] = true;
  }
  for (OptionalUse use : optional)
    addPath(use.block);
  SmallVector<CopyStop> stops;
  for (auto [block, hasUse] : wanted)
    stops.push_back({block, 0, hasUse});
  // Parents have smaller numbers.
  llvm::sort(stops, [](const CopyStop &a, const CopyStop &b) {
    return a.block < b.block;
  });
  for (CopyStop &stop : stops)
    if (stop.block != definition)
      stop.parent = findStop(stops, tree.getParent(stop.block));
  return stops;
}

namespace {
/// What is known of the subtree of a stop.
struct Subtree {
  /// One copy here is no dearer than what is further inside.
  bool copiesHere = false;
  /// Least cost, and least cost without a copy here.
  int64_t best = 0, below = 0;
};
} // namespace

/// The cheapest choice of every subtree, children before parents.
static SmallVector<Subtree> chooseBelow(const BlockTree &tree,
                                        ArrayRef<CopyStop> stops, int64_t time,
                                        ArrayRef<OptionalUse> optional) {
  SmallVector<Subtree> subtrees(stops.size());
  for (OptionalUse use : optional) {
    Subtree &subtree = subtrees[findStop(stops, use.block)];
    subtree.below = addTimes(subtree.below, use.time);
  }
  for (unsigned i = stops.size(); i-- != 0;) {
    Subtree &subtree = subtrees[i];
    int64_t here = tree.scale(time, stops[i].block);
    subtree.copiesHere = stops[i].hasUse || here <= subtree.below;
    subtree.best = subtree.copiesHere ? here : subtree.below;
    if (i == 0)
      break;
    Subtree &parent = subtrees[stops[i].parent];
    parent.below = addTimes(parent.below, subtree.best);
  }
  return subtrees;
}

BlockIndex mlir::hetero::findCheapestBlock(const BlockTree &tree,
                                           BlockIndex definition,
                                           BlockIndex use, int64_t time) {
  BlockIndex best = use;
  int64_t least = tree.scale(time, use);
  for (BlockIndex block = use; block != definition;) {
    block = tree.getParent(block);
    // Of equally good blocks the outermost.
    if (int64_t here = tree.scale(time, block); here <= least) {
      best = block;
      least = here;
    }
  }
  return best;
}

CopySites mlir::hetero::chooseCopySites(const BlockTree &tree,
                                        BlockIndex definition,
                                        ArrayRef<BlockIndex> uses, int64_t time,
                                        ArrayRef<OptionalUse> optional) {
  CopySites sites;
  if (uses.empty() && optional.empty())
    return sites;
  if (llvm::is_contained(uses, definition)) {
    sites.blocks.push_back(definition);
    sites.time = tree.scale(time, definition);
    return sites;
  }
  if (optional.empty() && llvm::all_equal(uses)) {
    BlockIndex site = findCheapestBlock(tree, definition, uses.front(), time);
    sites.blocks.push_back(site);
    sites.time = tree.scale(time, site);
    return sites;
  }
  SmallVector<CopyStop> stops =
      collectCopyStops(tree, definition, uses, optional);
  SmallVector<Subtree> subtrees = chooseBelow(tree, stops, time, optional);
  SmallVector<bool> isServed(stops.size());
  for (auto [index, stop] : llvm::enumerate(stops)) {
    isServed[index] = index != 0 && isServed[stop.parent];
    if (isServed[index] || !subtrees[index].copiesHere)
      continue;
    isServed[index] = true;
    sites.blocks.push_back(stop.block);
  }
  sites.time = subtrees.front().best;
  return sites;
}

bool mlir::hetero::isServed(const BlockTree &tree, const CopySites &sites,
                            BlockIndex block) {
  for (; block != BlockTree::kNone; block = tree.getParent(block))
    if (llvm::is_contained(sites.blocks, block))
      return true;
  return false;
}
