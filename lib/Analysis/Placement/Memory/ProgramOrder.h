//===- ProgramOrder.h - When what is in a graph runs ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes of a graph are in program order, so that their numbers tell the
// time. This adds what loops, branches and calls make of it: until when a value
// has to live that is used in some block.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_PROGRAMORDER_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_PROGRAMORDER_H

#include "Analysis/Placement/Graph/PlacementGraph.h"

namespace mlir::hetero {

/// From one node to another, both of them included; empty if the first comes
/// after the last.
struct Span {
  NodeIndex first = kNone, last = 0;

  bool isEmpty() const { return first > last; }
  void include(Span other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

/// What makes the value of a node that is no operation.
enum class CarrierKind : uint8_t {
  /// An operation does.
  None,
  /// A function's argument or result.
  Signature,
  /// An argument of a block that branches lead to.
  Block,
  /// Control flow with regions.
  Region
};

class ProgramOrder {
public:
  struct Function {
    FunctionOpInterface op;
    Span span;
    /// True if it is an entry point, or nothing calls it.
    bool isRoot = true;
    /// Calls in it, by node, and the functions that they call.
    SmallVector<std::pair<NodeIndex, unsigned>, 2> calls = {};
  };

  /// What the graph has decided is no matter.
  explicit ProgramOrder(const PlacementGraph &graph);

  /// Callers before those that they call, but for recursion.
  ArrayRef<unsigned> getCallOrder() const { return callOrder; }
  ArrayRef<Function> getFunctions() const { return functions; }
  unsigned getFunction(BlockIndex block) const {
    return blocks[block].function;
  }
  CarrierKind getKind(NodeIndex node) const { return kinds[node]; }
  /// The nodes of a block and of what is nested in it.
  Span getSpan(BlockIndex block) const { return blocks[block].span; }
  /// The nodes of the control flow that hands a node's value on.
  Span getRegionSpan(NodeIndex carrier) const;

  /// How long a use at a node of the block `use` needs a value of the block
  /// `definition`: a loop around the use runs again.
  Span getUse(NodeIndex at, BlockIndex use, BlockIndex definition) const;

private:
  struct BlockOrder {
    /// The block around the operation that this one belongs to.
    BlockIndex outer = BlockTree::kNone;
    unsigned owner = 0, function = 0;
    Span span = {};
    /// The last node of the blocks among which branches may come back here.
    NodeIndex cycleEnd = 0;
    /// The first block of the region in `listed`, and the number from there.
    unsigned region = 0, position = 0;
    /// False if a block of the region stands before one that dominates it.
    bool isOrdered = true;
  };

  void findBlocks();
  void findSpans();
  void findCycles(Region &region);
  NodeIndex getCycleEnd(const BlockOrder &use,
                        const BlockOrder &definition) const;
  void findCalls();
  void orderCalls();

  const PlacementGraph &graph;
  SmallVector<CarrierKind, 0> kinds;
  SmallVector<BlockOrder, 0> blocks;
  /// Blocks of regions with several, as they stand there, and for each that a
  /// branch leads back to the end of the stretch that runs again.
  SmallVector<BlockIndex, 0> listed;
  SmallVector<unsigned, 0> cycles;
  /// Operations with blocks, by number, and their nodes.
  llvm::DenseMap<Operation *, unsigned> ownerNumbers;
  SmallVector<Span, 0> owners;
  SmallVector<Function, 0> functions;
  SmallVector<unsigned, 0> callOrder;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_PROGRAMORDER_H
