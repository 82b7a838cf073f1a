//===- ProgramOrder.cpp - When what is in a graph runs --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramOrder.h"

#include "Analysis/Blocks/CallOrder.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// Blocks between a definition and a use that are looked at one by one.
static constexpr unsigned kMaxLook = 64;

ProgramOrder::ProgramOrder(const PlacementGraph &graph) : graph(graph) {
  kinds.assign(graph.nodes.size(), CarrierKind::None);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (!graph.nodes[node].op)
      kinds[node] = CarrierKind::Region;
  auto mark = [&](ArrayRef<NodeIndex> nodes, CarrierKind kind) {
    for (NodeIndex node : nodes)
      if (node != kNone)
        kinds[node] = kind;
  };
  for (const CarriedValues &carried : graph.carried) {
    if (isa<FunctionOpInterface>(carried.op)) {
      mark(carried.results, CarrierKind::Signature);
      mark(carried.inits, CarrierKind::Signature);
    }
    for (ArrayRef<NodeIndex> block : carried.blocks)
      mark(block, CarrierKind::Block);
  }
  findBlocks();
  findSpans();
  findCalls();
  orderCalls();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void ProgramOrder::findBlocks() {
  const BlockTree &tree = graph.tree;
  blocks.resize(tree.size());
  for (BlockIndex index = 0; index < tree.size(); ++index) {
    Block *block = tree.getBlock(index);
    BlockOrder &order = blocks[index];
    order.owner =
        ownerNumbers.try_emplace(block->getParentOp(), ownerNumbers.size())
            .first->second;
    BlockIndex parent = tree.getParent(index);
    if (parent == BlockTree::kNone) {
      order.function = functions.size();
      functions.push_back(
          {cast<FunctionOpInterface>(block->getParentOp()), {}});
      continue;
    }
    bool isBeside = tree.getBlock(parent)->getParent() == block->getParent();
    order.outer = isBeside ? blocks[parent].outer : parent;
    order.function = blocks[parent].function;
  }
  owners.resize(ownerNumbers.size());
}

void ProgramOrder::findSpans() {
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    const PlacementNode &node = graph.nodes[index];
    // Those of signatures and blocks are not where their values are made.
    if (kinds[index] == CarrierKind::Signature ||
        kinds[index] == CarrierKind::Block)
      continue;
    blocks[node.block].span.include({index, index});
    if (node.op && node.op->getNumRegions() != 0)
      if (auto it = ownerNumbers.find(node.op); it != ownerNumbers.end())
        owners[it->second].include({index, index});
  }
  // Blocks inside have greater numbers.
  for (BlockIndex index = blocks.size(); index-- != 0;) {
    BlockOrder &block = blocks[index];
    owners[block.owner].include(block.span);
    if (block.outer != BlockTree::kNone)
      blocks[block.outer].span.include(owners[block.owner]);
    else
      functions[block.function].span.include(block.span);
  }
  for (BlockIndex index = 0; index < blocks.size(); ++index) {
    Region *region = graph.tree.getBlock(index)->getParent();
    if (!region->hasOneBlock() && graph.tree.getBlock(index)->isEntryBlock())
      findCycles(*region);
  }
}

/// Blocks between the target and the source of a branch that leads back may run
/// again; such stretches that overlap count as one.
void ProgramOrder::findCycles(Region &region) {
  llvm::DenseMap<Block *, unsigned> positions;
  SmallVector<BlockIndex> indices;
  for (Block &block : region) {
    positions[&block] = indices.size();
    indices.push_back(graph.tree.lookup(&block));
  }
  // By the target of a branch back: its last source, plus one.
  SmallVector<unsigned> ends(indices.size(), 0);
  bool isOrdered = true;
  for (auto [position, index] : llvm::enumerate(indices)) {
    Block *block = graph.tree.getBlock(index);
    if (position != 0)
      isOrdered &=
          positions.lookup(graph.tree.getBlock(graph.tree.getParent(index))) <
          position;
    for (Block *next : block->getSuccessors())
      if (unsigned target = positions.lookup(next); target <= position)
        ends[target] = std::max<unsigned>(ends[target], position + 1);
  }
  for (unsigned begin = 0; begin < indices.size(); ++begin) {
    unsigned end = ends[begin];
    NodeIndex last = 0;
    for (unsigned i = begin; i < end; ++i) {
      end = std::max(end, ends[i]);
      last = std::max(last, getSpan(indices[i]).last);
    }
    for (unsigned i = begin; i < end; ++i)
      blocks[indices[i]].cycleEnd = last;
    begin = std::max(begin + 1, end) - 1;
  }
  for (auto [position, index] : llvm::enumerate(indices)) {
    blocks[index].region = listed.size();
    blocks[index].position = position;
    blocks[index].isOrdered = isOrdered;
  }
  listed.append(indices);
  cycles.append(ends);
}

/// Until when a value of another block lives because branches lead back between
/// its definition and its use.
NodeIndex ProgramOrder::getCycleEnd(const BlockOrder &use,
                                    const BlockOrder &definition) const {
  if (use.position - definition.position > kMaxLook)
    return use.cycleEnd;
  unsigned end = use.position;
  for (unsigned i = definition.position + 1;
       i < std::max(end, use.position + 1); ++i)
    if (cycles[use.region + i] > use.position)
      end = std::max(end, cycles[use.region + i]);
  NodeIndex last = 0;
  for (unsigned i = use.position; i < end; ++i)
    last = std::max(last, getSpan(listed[use.region + i]).last);
  return last;
}

Span ProgramOrder::getUse(NodeIndex at, BlockIndex use,
                          BlockIndex definition) const {
  Region *region = graph.tree.getBlock(definition)->getParent();
  Span span{at, at};
  BlockIndex block = use;
  while (graph.tree.getBlock(block)->getParent() != region &&
         blocks[block].outer != BlockTree::kNone) {
    span = owners[blocks[block].owner];
    block = blocks[block].outer;
  }
  if (block == definition)
    return span;
  if (!blocks[block].isOrdered)
    return owners[blocks[block].owner];
  span.last =
      std::max(span.last, getCycleEnd(blocks[block], blocks[definition]));
  return span;
}

Span ProgramOrder::getRegionSpan(NodeIndex carrier) const {
  // What passes values follows its carriers.
  for (NodeIndex node = carrier; node < graph.nodes.size(); ++node)
    if (Operation *op = graph.nodes[node].op) {
      auto it = ownerNumbers.find(op);
      return it == ownerNumbers.end() ? Span{node, node} : owners[it->second];
    }
  return {carrier, carrier};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void ProgramOrder::findCalls() {
  if (functions.size() < 2)
    return;
  llvm::DenseMap<StringAttr, unsigned> numbers;
  for (auto [index, function] : llvm::enumerate(functions))
    numbers[SymbolTable::getSymbolName(function.op)] = index;
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    auto call = dyn_cast_or_null<CallOpInterface>(graph.nodes[index].op);
    if (!call)
      continue;
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    auto it = symbol ? numbers.find(symbol.getLeafReference()) : numbers.end();
    if (it == numbers.end())
      continue;
    functions[getFunction(graph.nodes[index].block)].calls.push_back(
        {index, it->second});
    if (!functions[it->second].op.isPublic())
      functions[it->second].isRoot = false;
  }
}

/// Entry points last, so that they come first in the reverse order.
void ProgramOrder::orderCalls() {
  SmallVector<unsigned> starts =
      llvm::to_vector(llvm::seq<unsigned>(0, functions.size()));
  llvm::stable_sort(starts, [&](unsigned a, unsigned b) {
    return functions[a].isRoot < functions[b].isRoot;
  });
  callOrder = orderByCalls(
      starts, [&](unsigned function, unsigned call) -> std::optional<unsigned> {
        const auto &calls = functions[function].calls;
        return call < calls.size() ? std::optional(calls[call].second)
                                   : std::nullopt;
      });
}
