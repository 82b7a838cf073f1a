//===- BlockFrequencies.cpp - How often blocks of a region run ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockFrequencies.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// The part of the runs of `from` after which the branch takes one of its
/// successors for which `counts`; 1 where nothing says so.
static double sumShares(Block *from, llvm::function_ref<bool(Block *)> counts,
                        double otherwise) {
  auto branch = dyn_cast<WeightedBranchOpInterface>(from->getTerminator());
  ArrayRef<int32_t> weights =
      branch ? branch.getWeights() : ArrayRef<int32_t>();
  if (weights.size() != from->getNumSuccessors())
    return otherwise;
  double sum = 0, all = 0;
  for (auto [weight, next] : llvm::zip(weights, from->getSuccessors())) {
    // They are to be read without a sign.
    all += uint32_t(weight);
    sum += counts(next) ? uint32_t(weight) : 0;
  }
  return all == 0 ? otherwise : sum / all;
}

double BlockFrequencies::getShare(Block *from, Block *to) const {
  if (to->getSinglePredecessor() != from)
    return 1;
  return sumShares(from, [&](Block *next) { return next == to; }, 1);
}

/// The runs of a loop's header per entry: one over the part of them after which
/// a branch leaves the loop, if weights tell that.
double BlockFrequencies::getTrips(CFGLoop *loop) {
  auto [it, isNew] = trips.try_emplace(loop, tripCount);
  if (!isNew)
    return it->second;
  llvm::SmallVector<Block *> exiting, latches;
  loop->getExitingBlocks(exiting);
  loop->getLoopLatches(latches);
  double leaving = 0;
  for (Block *block : exiting) {
    double share =
        sumShares(block, [&](Block *next) { return !loop->contains(next); }, 0);
    // What a loop inside does, and what need not run each time, tells nothing
    // about this one.
    if (share != 0 && loops.getLoopFor(block) == loop &&
        llvm::all_of(latches, [&](Block *latch) {
          return tree.dominates(block, latch);
        }))
      leaving += share;
  }
  if (leaving > 0)
    it->second = 1 / std::min(leaving, 1.0);
  return it->second;
}

/// Of the last block above that is in no loop which the block is not in: what
/// leaves a loop runs as often as what enters it.
double BlockFrequencies::getAround(Block *block) {
  Block *above = tree.getNode(block)->getIDom()->getBlock();
  bool isDirect = true;
  while (CFGLoop *loop = loops.getLoopFor(above)) {
    if (loop->contains(block))
      break;
    while (loop->getParentLoop() && !loop->getParentLoop()->contains(block))
      loop = loop->getParentLoop();
    above = tree.getNode(loop->getHeader())->getIDom()->getBlock();
    isDirect = false;
  }
  double share = isDirect ? getShare(above, block) : 1;
  return frequencies.lookup(above) * share;
}

double BlockFrequencies::get(Block *block) {
  auto *node = tree.getNode(block);
  double frequency = 1;
  if (node && node->getIDom()) {
    frequency = getAround(block);
    if (CFGLoop *loop = loops.getLoopFor(block);
        loop && loop->getHeader() == block)
      frequency *= getTrips(loop);
  }
  return frequencies[block] = frequency;
}
