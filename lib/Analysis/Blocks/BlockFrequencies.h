//===- BlockFrequencies.h - How often blocks of a region run ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frequencies among blocks, per run of their region. A loop runs as often as
// its trip count is assumed to be or, where the branches that leave it have
// weights, as these say. A block that only one branch with weights leads to has
// that branch's share of what dominates it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_BLOCKFREQUENCIES_H
#define HETERO_ANALYSIS_BLOCKS_BLOCKFREQUENCIES_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::hetero {

class BlockFrequencies {
public:
  using DomTree = llvm::DominatorTreeBase<Block, false>;

  BlockFrequencies(DomTree &tree, const CFGLoopInfo &loops, double tripCount)
      : tree(tree), loops(loops), tripCount(tripCount) {}

  /// After that of the block's dominators.
  double get(Block *block);

private:
  double getTrips(CFGLoop *loop);
  double getShare(Block *from, Block *to) const;
  double getAround(Block *block);

  DomTree &tree;
  const CFGLoopInfo &loops;
  double tripCount;
  llvm::DenseMap<Block *, double> frequencies;
  llvm::DenseMap<CFGLoop *, double> trips;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_BLOCKS_BLOCKFREQUENCIES_H
