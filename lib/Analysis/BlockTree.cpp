//===- BlockTree.cpp - Blocks by dominance and frequency ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frequencies: a region of a loop runs its static trip count, or the default,
// as often as the loop; arms of a branch share the frequency of the branch
// equally; a loop among blocks counts as the default trip count; a function
// runs as often as its calls, public ones once more. Calls within a recursion
// add nothing.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/BlockTree.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// Beyond it every product saturates anyway.
static constexpr double kMaxFrequency = 1e18;

//===----------------------------------------------------------------------===//
// Functions by the order of calls
//===----------------------------------------------------------------------===//

namespace {
/// The functions of a module, callers before callees but for recursion.
class CallOrder {
public:
  explicit CallOrder(ModuleOp module);
  SmallVector<FunctionOpInterface> order;
  /// Callees of each function, once per call.
  llvm::MapVector<Operation *, SmallVector<Operation *, 2>> callees;
  llvm::DenseMap<Operation *, unsigned> position;

private:
  void collect(ModuleOp module);
};
} // namespace

void CallOrder::collect(ModuleOp module) {
  llvm::DenseMap<StringAttr, Operation *> functions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    functions[SymbolTable::getSymbolName(function)] = function;
    callees[function];
  }
  for (auto &[function, list] : callees)
    function->walk([&, &calls = list](CallOpInterface call) {
      auto symbol =
          dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
      if (Operation *callee =
              symbol ? functions.lookup(symbol.getLeafReference()) : nullptr)
        calls.push_back(callee);
    });
}

/// Reverse post-order of a depth-first search that needs no recursion.
CallOrder::CallOrder(ModuleOp module) {
  collect(module);
  llvm::DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, unsigned>> stack;
  for (auto &entry : callees) {
    if (!seen.insert(entry.first).second)
      continue;
    stack.push_back({entry.first, 0});
    while (!stack.empty()) {
      auto &[function, next] = stack.back();
      ArrayRef<Operation *> list = callees.find(function)->second;
      if (next == list.size()) {
        order.push_back(cast<FunctionOpInterface>(function));
        stack.pop_back();
        continue;
      }
      Operation *callee = list[next++];
      if (seen.insert(callee).second)
        stack.push_back({callee, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  for (auto [index, function] : llvm::enumerate(order))
    position[function] = index;
}

//===----------------------------------------------------------------------===//
// Tree
//===----------------------------------------------------------------------===//

BlockTree::BlockTree(ModuleOp module, const FrequencyOptions &options)
    : options(options) {
  CallOrder calls(module);
  llvm::DenseMap<Operation *, double> frequencies;
  for (FunctionOpInterface function : calls.order) {
    if (function.isExternal())
      continue;
    double frequency = frequencies.lookup(function);
    // What nothing calls is an entry point, or dead and free to choose.
    if (SymbolTable::getSymbolVisibility(function) ==
            SymbolTable::Visibility::Public ||
        frequency == 0)
      frequency += 1;
    unsigned begin = size();
    addFunction(function, std::min(frequency, kMaxFrequency));
    if (calls.callees.find(function)->second.empty())
      continue;
    for (BlockIndex index = begin; index < size(); ++index)
      for (auto call : getBlock(index)->getOps<CallOpInterface>()) {
        auto symbol =
            dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
        Operation *callee = symbol ? SymbolTable::lookupNearestSymbolFrom(
                                         module, symbol.getLeafReference())
                                   : nullptr;
        auto it = calls.position.find(callee);
        if (it != calls.position.end() &&
            it->second > calls.position.lookup(function))
          frequencies[callee] += getFrequency(index);
      }
  }
}

void BlockTree::addFunction(FunctionOpInterface function, double frequency) {
  BlockIndex begin = size();
  addRegion(function.getFunctionBody(), kNone, frequency);
  // The list grows while it is walked: inner blocks follow outer ones.
  for (BlockIndex index = begin; index < size(); ++index)
    addRegionsOf(index);
}

void BlockTree::addBlock(Block *block, BlockIndex parent, double frequency) {
  indices[block] = size();
  unsigned depth = parent == kNone ? 0 : getDepth(parent) + 1;
  blocks.push_back({block, parent, depth, std::min(frequency, kMaxFrequency)});
}

void BlockTree::addRegion(Region &region, BlockIndex around, double frequency) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    return addBlock(&region.front(), around, frequency);
  auto &tree = dominance.getDomTree(&region);
  CFGLoopInfo loops(tree);
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
    unsigned depth = node ? loops.getLoopDepth(block) : 0;
    addBlock(block, parent,
             frequency * std::pow(double(options.tripCount), depth));
  }
}

void BlockTree::addRegionsOf(BlockIndex index) {
  double around = getFrequency(index);
  for (Operation &op : *getBlock(index)) {
    if (op.getNumRegions() == 0 || !isControlFlow(&op))
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
    for (Region &region : op.getRegions())
      addRegion(region, index, around / arms);
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
  double frequency = getFrequency(index);
  if (frequency == 1.0 || time == 0 || time == INT64_MAX)
    return time;
  long double scaled = std::ceil(static_cast<long double>(time) * frequency);
  return scaled >= 9.2e18L ? INT64_MAX - 1 : static_cast<int64_t>(scaled);
}
