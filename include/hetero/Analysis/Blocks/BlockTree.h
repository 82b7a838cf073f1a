//===- BlockTree.h - Blocks by dominance and frequency ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a module's functions and of control flow in them, as trees: the
// parent of a block is its immediate dominator or, for the first block of a
// region, the block of the operation around. A value that is defined in a block
// is visible in the whole subtree, so a copy of it may stand in every block on
// the way from its definition to its use. Each block has a frequency: how often
// it runs per call of the module's entry points.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_BLOCKTREE_H
#define HETERO_ANALYSIS_BLOCKS_BLOCKTREE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::hetero {

/// Number of a block within a tree. Parents have smaller numbers.
using BlockIndex = unsigned;

/// Frequencies of blocks that the program does not tell.
struct FrequencyOptions {
  /// Iterations of a loop whose trip count is not static.
  int64_t tripCount = 10;
};

class BlockTree {
public:
  static constexpr BlockIndex kNone = ~0u;

  explicit BlockTree(ModuleOp module, const FrequencyOptions &options = {});

  unsigned size() const { return blocks.size(); }
  /// Operations in all blocks.
  unsigned getNumOperations() const { return numOperations; }
  /// The number of a block of a function, of control flow in one, or of the
  /// block around that is one of these.
  BlockIndex lookup(Block *block) const;
  Block *getBlock(BlockIndex index) const { return blocks[index].block; }
  /// kNone for the first block of a function.
  BlockIndex getParent(BlockIndex index) const { return blocks[index].parent; }
  /// Number of blocks above.
  unsigned getDepth(BlockIndex index) const { return blocks[index].depth; }
  double getFrequency(BlockIndex index) const {
    return blocks[index].frequency;
  }
  /// True if `below`, which is in the subtree of `above`, and the blocks on the
  /// way to it all run at least as often as `above`: what serves any of them
  /// stands in `above` at the least cost. May be false even so.
  bool runsOftener(BlockIndex below, BlockIndex above) const {
    return blocks[below].lastDrop <= getDepth(above);
  }
  /// Time of something that takes `time` whenever the block runs: rounded up,
  /// saturating. INT64_MAX (never possible) stays.
  int64_t scale(int64_t time, BlockIndex index) const;

private:
  struct Node {
    Block *block;
    BlockIndex parent;
    unsigned depth;
    /// Depth of the innermost block from here upwards that runs less often than
    /// its parent, else 0.
    unsigned lastDrop;
    double frequency;
  };

  void addFunction(FunctionOpInterface function);
  void addRegion(Region &region, BlockIndex around, double frequency);
  void addBlock(Block *block, BlockIndex parent, double frequency);
  void addRegionsOf(BlockIndex index);

  FrequencyOptions options;
  SmallVector<Node, 0> blocks;
  unsigned numOperations = 0;
  llvm::DenseMap<Block *, BlockIndex> indices;
  /// Calls and their blocks, while the tree is built.
  SmallVector<std::pair<SymbolRefAttr, BlockIndex>, 0> calls;
  DominanceInfo dominance;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_BLOCKS_BLOCKTREE_H
