//===- BlockTree.cpp - Blocks by dominance and frequency ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frequencies: a region of a loop runs its static trip count, or the default,
// as often as the loop; arms of a branch share the frequency of the branch by
// its weights, else equally; a loop among blocks counts as the default trip
// count, unless weights tell it; a function runs as often as its calls, public
// ones once more. A recursion is a loop.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Blocks/BlockTree.h"

#include "BlockFrequencies.h"
#include "CallOrder.h"
#include "hetero/Dialect/Hetero/IR/BranchWeights.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "hetero/Placement/PlacementProblem.h"

#include <numeric>

using namespace mlir;
using namespace mlir::hetero;

/// Beyond it every product saturates anyway.
static constexpr double kMaxFrequency = 1e18;

//===----------------------------------------------------------------------===//
// Tree
//===----------------------------------------------------------------------===//

namespace {
/// A function, its blocks, and the functions that it calls.
struct FunctionBlocks {
  FunctionOpInterface function;
  BlockIndex begin = 0, end = 0;
  /// Callees as they are called, with the block of the call.
  SmallVector<std::pair<unsigned, BlockIndex>, 2> calls;
  double frequency = 0;
};
} // namespace

/// A function that calls itself, also through others, is like a loop: each
/// call from outside runs it as often as a loop whose trip count is not known.
/// Calls that go back add nothing.
static void addFrequencies(SmallVectorImpl<FunctionBlocks> &functions,
                           double tripCount,
                           llvm::function_ref<void(FunctionBlocks &)> scale,
                           llvm::function_ref<double(BlockIndex)> get) {
  auto getCallee = [&](unsigned function,
                       unsigned call) -> std::optional<unsigned> {
    const auto &calls = functions[function].calls;
    return call < calls.size() ? std::optional(calls[call].first)
                               : std::nullopt;
  };
  SmallVector<unsigned> order = hetero::orderByCalls(
      llvm::to_vector(llvm::seq<unsigned>(0, functions.size())), getCallee);
  CallCycles cycles = findCallCycles(order, getCallee);
  SmallVector<unsigned> position(order.size());
  for (auto [index, function] : llvm::enumerate(order))
    position[function] = index;
  auto enter = [&](unsigned function, double frequency) {
    functions[function].frequency +=
        frequency * (cycles.isRecursive[function] ? tripCount : 1);
  };
  for (unsigned number : order) {
    FunctionBlocks &entry = functions[number];
    // What nothing calls is an entry point, or dead and free to choose.
    if (entry.function.isPublic() || entry.frequency == 0)
      enter(number, 1);
    scale(entry);
    for (auto [callee, block] : entry.calls) {
      if (cycles.sets[callee] != cycles.sets[number])
        enter(callee, get(block));
      else if (position[callee] > position[number])
        functions[callee].frequency += get(block);
    }
  }
}

BlockTree::BlockTree(ModuleOp module, const FrequencyOptions &options)
    : options(options) {
  auto trips = module->getAttrOfType<IntegerAttr>(kTripCountAttrName);
  if (trips && trips.getType().isInteger(64))
    this->options.tripCount = std::max<int64_t>(trips.getInt(), 1);
  SmallVector<FunctionBlocks, 0> functions;
  llvm::DenseMap<StringAttr, unsigned> numbers;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    numbers[SymbolTable::getSymbolName(function)] = functions.size();
    functions.emplace_back().function = function;
  }
  for (FunctionBlocks &entry : functions) {
    entry.begin = size();
    if (!entry.function.isExternal())
      addFunction(entry.function);
    entry.end = size();
  }
  for (auto [symbol, block] : calls)
    if (auto it = numbers.find(symbol.getLeafReference()); it != numbers.end())
      llvm::partition_point(functions, [&, block = block](auto &entry) {
        return entry.end <= block;
      })->calls.push_back({it->second, block});
  calls.clear();
  addFrequencies(
      functions, double(this->options.tripCount),
      [&](const FunctionBlocks &entry) {
        for (BlockIndex index = entry.begin; index < entry.end; ++index)
          blocks[index].frequency = std::min(
              blocks[index].frequency * entry.frequency, kMaxFrequency);
      },
      [&](BlockIndex block) { return getFrequency(block); });
}

void BlockTree::addFunction(FunctionOpInterface function) {
  BlockIndex begin = size();
  addRegion(function.getFunctionBody(), kNone, 1);
  // The list grows while it is walked: inner blocks follow outer ones.
  for (BlockIndex index = begin; index < size(); ++index)
    addRegionsOf(index);
}

void BlockTree::addBlock(Block *block, BlockIndex parent, double frequency) {
  indices[block] = size();
  frequency = std::min(frequency, kMaxFrequency);
  unsigned depth = 0, lastDrop = 0;
  if (parent != kNone) {
    depth = getDepth(parent) + 1;
    bool isDrop = frequency < getFrequency(parent);
    lastDrop = isDrop ? depth : blocks[parent].lastDrop;
  }
  blocks.push_back({block, parent, depth, lastDrop, frequency});
}

void BlockTree::addRegion(Region &region, BlockIndex around, double frequency) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    return addBlock(&region.front(), around, frequency);
  auto &tree = dominance.getDomTree(&region);
  CFGLoopInfo loops(tree);
  BlockFrequencies frequencies(tree, loops, double(options.tripCount));
  // Dominators first; blocks that nothing reaches hang on the entry.
  SmallVector<Block *> order{&region.front()};
  llvm::DenseSet<Block *> seen{&region.front()};
  for (unsigned i = 0; i < order.size(); ++i)
    if (auto *node = tree.getNode(order[i]))
      for (auto *child : node->children())
        if (seen.insert(child->getBlock()).second)
          order.push_back(child->getBlock());
  for (Block &block : region)
    if (seen.insert(&block).second)
      order.push_back(&block);
  for (Block *block : order) {
    auto *node = tree.getNode(block);
    Block *above =
        node && node->getIDom() ? node->getIDom()->getBlock() : &region.front();
    BlockIndex parent =
        block == &region.front() ? around : indices.lookup(above);
    addBlock(block, parent, frequency * frequencies.get(block));
  }
}

void BlockTree::addRegionsOf(BlockIndex index) {
  double around = getFrequency(index);
  for (Operation &op : *getBlock(index)) {
    ++numOperations;
    if (op.getNumRegions() == 0) {
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (auto symbol =
                dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee()))
          calls.push_back({symbol, index});
      continue;
    }
    if (!isControlFlow(&op))
      continue;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(&op)) {
      std::optional<llvm::APInt> count = loop.getStaticTripCount();
      double trips = count && count->getActiveBits() <= 63
                         ? double(count->getZExtValue())
                         : double(options.tripCount);
      // The condition of a `while` runs once more than its body.
      bool hasCondition = op.getNumRegions() > 1;
      for (Region &region : op.getRegions())
        addRegion(
            region, index,
            around * (trips + (hasCondition && region.getRegionNumber() == 0)));
      continue;
    }
    // An `if` without an else still has two ways to go.
    unsigned arms = op.getNumRegions();
    ArrayRef<int32_t> weights = getRegionWeights(&op);
    double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (Region &region : op.getRegions())
      addRegion(region, index,
                sum > 0 && weights.size() == arms
                    ? around * weights[region.getRegionNumber()] / sum
                    : around / arms);
  }
}

BlockIndex BlockTree::lookup(Block *block) const {
  for (; block; block = block->getParentOp()->getBlock()) {
    auto it = indices.find(block);
    if (it != indices.end())
      return it->second;
    if (!block->getParentOp())
      break;
  }
  return kNone;
}

int64_t BlockTree::scale(int64_t time, BlockIndex index) const {
  return multiplyTime(time, getFrequency(index));
}
