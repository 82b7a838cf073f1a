//===- PageBoxes.cpp - A placed program as boxes in boxes -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageBoxes.h"

#include "SourcePaths.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

PageBoxes::PageBoxes(ModuleOp module, const ExportedPlacement &placement)
    : placement(placement) {
  addBox(kNone, {PageBox::Module, ""});
  for (auto [node, op] : llvm::enumerate(placement.operations))
    if (op && op->getNumRegions() != 0)
      controlNodes[op] = node;
  for (BlockIndex block = 0; block < placement.tree.size(); ++block)
    addBlock(block);
  findSpans();
  addNodes();
  addInputs(module);
  findReaders();
  addEdges();
  layout.run();
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

unsigned PageBoxes::addBox(unsigned parent, PageBox box) {
  boxes.push_back(std::move(box));
  return layout.addBox(parent);
}

/// The box of the scope that an operation's name is in. Scopes that are around
/// already are not entered again.
unsigned PageBoxes::getScope(unsigned around, Operation *op) {
  SmallVector<StringRef> names = getSourceNames(op->getLoc());
  if (names.empty())
    return around;
  SourcePath path(names.front());
  ArrayRef<StringRef> inside = path.scopes;
  SmallVector<std::string, 2> entered = enclosing.lookup(around);
  for (StringRef scope : entered) {
    if (inside.empty() || inside.front() != scope)
      break;
    inside = inside.drop_front();
  }
  for (StringRef scope : inside) {
    auto [it, isNew] = scopes.try_emplace({around, scope}, 0);
    if (isNew)
      it->second = addBox(around, {PageBox::Scope, scope.str()});
    around = scopes.lookup({around, scope});
  }
  return around;
}

/// Blocks around come before those inside.
void PageBoxes::addBlock(BlockIndex block) {
  Region *region = placement.tree.getBlock(block)->getParent();
  Operation *op = region->getParentOp();
  if (Block *first = &region->front();
      first != placement.tree.getBlock(block)) {
    blockBoxes.push_back(blockBoxes[placement.tree.lookup(first)]);
    return;
  }
  if (isa<FunctionOpInterface>(op)) {
    std::string name = "@" + SymbolTable::getSymbolName(op).str();
    blockBoxes.push_back(addBox(0, {PageBox::Function, std::move(name)}));
    return;
  }
  unsigned box = addControlFlow(op);
  if (op->getNumRegions() > 1) {
    std::string name = "region " + std::to_string(region->getRegionNumber());
    box = addBox(box, {PageBox::Region, std::move(name)});
  }
  blockBoxes.push_back(box);
  for (unsigned outer = box; outer != kNone; outer = layout.getParent(outer))
    if (boxes[outer].kind == PageBox::Scope)
      enclosing[box].push_back(boxes[outer].name);
  std::reverse(enclosing[box].begin(), enclosing[box].end());
}

/// The box of an operation with blocks; all of its regions share it.
unsigned PageBoxes::addControlFlow(Operation *op) {
  auto [it, isNew] = controlBoxes.try_emplace(op, 0);
  if (!isNew)
    return it->second;
  PageBox box{PageBox::Region, op->getName().getStringRef().str()};
  if (auto node = controlNodes.find(op); node != controlNodes.end())
    box.node = node->second;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    box.kind = PageBox::Loop;
    std::optional<llvm::APInt> count = loop.getStaticTripCount();
    if (count && count->getActiveBits() < 63)
      box.trips = count->getZExtValue();
  } else if (op->getNumRegions() > 1) {
    box.kind = PageBox::Branch;
  }
  unsigned around = blockBoxes[placement.tree.lookup(op->getBlock())];
  unsigned result = addBox(getScope(around, op), std::move(box));
  return controlBoxes[op] = result;
}

SmallVector<unsigned, 0> PageBoxes::getPreOrder() const {
  // A list of the children of each box, in the order of their numbers.
  SmallVector<unsigned, 0> first(layout.getNumBoxes(), kNone);
  SmallVector<unsigned, 0> next(layout.getNumBoxes(), kNone);
  for (unsigned box = layout.getNumBoxes(); box-- > 1;) {
    unsigned parent = layout.getParent(box);
    next[box] = first[parent];
    first[parent] = box;
  }
  SmallVector<unsigned, 0> order, worklist = {0};
  while (!worklist.empty()) {
    unsigned box = worklist.pop_back_val();
    order.push_back(box);
    if (next[box] != kNone)
      worklist.push_back(next[box]);
    if (first[box] != kNone)
      worklist.push_back(first[box]);
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void PageBoxes::findSpans() {
  firstNodes.assign(placement.tree.size(), kNone);
  lastNodes.assign(placement.tree.size(), 0);
  for (auto [node, op] : llvm::enumerate(placement.operations)) {
    if (!op)
      continue;
    BlockIndex block = placement.problem.nodes[node].block;
    firstNodes[block] = std::min<unsigned>(firstNodes[block], node);
    lastNodes[block] = std::max<unsigned>(lastNodes[block], node);
  }
  for (BlockIndex block = placement.tree.size(); block-- != 0;) {
    int64_t parent = placement.problem.blocks[block].parent;
    if (parent < 0)
      continue;
    firstNodes[parent] = std::min(firstNodes[parent], firstNodes[block]);
    lastNodes[parent] = std::max(lastNodes[parent], lastNodes[block]);
  }
}

/// Of what stands at one node of the program.
enum RankAtNode { InputRank, EarlyRank, NodeRank, LateRank, OutputRank };

static uint64_t getRank(unsigned node, RankAtNode rank) {
  return uint64_t(node) * 8 + rank;
}

/// What a loop or a branch carries is in its box: the operation comes right
/// after its carried values.
unsigned PageBoxes::getCarrierBox(unsigned node) const {
  CarriedBy carrier = placement.carriers[node];
  if (carrier == CarriedBy::Loop || carrier == CarriedBy::Branch) {
    unsigned owner = node;
    while (!placement.operations[owner])
      ++owner;
    auto it = controlBoxes.find(placement.operations[owner]);
    if (it != controlBoxes.end())
      return it->second;
  }
  return blockBoxes[placement.problem.nodes[node].block];
}

/// A loop begins with what it carries, and a branch ends with it.
uint64_t PageBoxes::getCarrierRank(unsigned node) const {
  BlockIndex block = placement.problem.nodes[node].block;
  switch (placement.carriers[node]) {
  case CarriedBy::Branch: {
    unsigned owner = node;
    while (!placement.operations[owner])
      ++owner;
    unsigned last = owner;
    for (Region &region : placement.operations[owner]->getRegions())
      for (Block &inner : region)
        last = std::max(last, lastNodes[placement.tree.lookup(&inner)]);
    return getRank(last, LateRank);
  }
  case CarriedBy::Call: {
    bool isArgument = llvm::any_of(placement.arguments, [&](unsigned value) {
      return placement.problem.values[value].producer == int64_t(node);
    });
    return isArgument ? getRank(firstNodes[block], EarlyRank)
                      : getRank(lastNodes[block], LateRank);
  }
  case CarriedBy::Block:
    if (firstNodes[block] != kNone)
      return getRank(firstNodes[block], EarlyRank);
    break;
  case CarriedBy::Loop:
  case CarriedBy::Nothing:
    break;
  }
  return getRank(node, NodeRank);
}

void PageBoxes::addNode(unsigned node) {
  Operation *op = placement.operations[node];
  if (!op) {
    nodeItems.push_back(
        layout.addNode(getCarrierBox(node), getCarrierRank(node)));
    return;
  }
  if (controlBoxes.count(op)) {
    nodeItems.push_back(kNone);
    return;
  }
  unsigned around = blockBoxes[placement.problem.nodes[node].block];
  nodeItems.push_back(
      layout.addNode(getScope(around, op), getRank(node, NodeRank)));
}

void PageBoxes::addNodes() {
  for (unsigned node = 0; node < placement.operations.size(); ++node)
    addNode(node);
}

unsigned PageBoxes::getBox(unsigned node) const {
  if (nodeItems[node] != kNone)
    return layout.getBox(nodeItems[node]);
  return controlBoxes.lookup(placement.operations[node]);
}

LayoutPoint PageBoxes::getPoint(unsigned node) const {
  if (nodeItems[node] != kNone)
    return layout.getPoint(nodeItems[node]);
  LayoutRectangle box = layout.getRectangle(getBox(node));
  return {box.x, box.y};
}

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

/// Arguments of functions that are not carried by calls.
void PageBoxes::addInputs(ModuleOp module) {
  inputs.assign(placement.problem.values.size(), kNone);
  ArrayRef<unsigned> rest = placement.arguments;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    BlockIndex block =
        placement.tree.lookup(&function.getFunctionBody().front());
    for (auto [index, argument] : llvm::enumerate(function.getArguments())) {
      if (!isa<TensorType>(argument.getType()))
        continue;
      unsigned value = rest.consume_front();
      if (placement.problem.values[value].producer >= 0)
        continue;
      inputs[value] = ports.size();
      ports.push_back({/*isOutput=*/false, value,
                       "argument " + std::to_string(index), blockBoxes[block]});
      unsigned at = firstNodes[block] == kNone ? 0 : firstNodes[block];
      portItems.push_back(
          layout.addNode(blockBoxes[block], getRank(at, InputRank)));
    }
  }
}

/// True if the node that the use is counted at has the value as an operand, or
/// something in its body has; else what ends the block has it.
bool PageBoxes::isRead(const ProblemUse &use) const {
  if (use.at >= placement.operations.size())
    return false;
  Operation *op = placement.operations[use.at];
  const ProblemNode &node = placement.problem.nodes[use.at];
  if (!op || node.block != use.block || controlBoxes.count(op))
    return false;
  int64_t producer = placement.problem.values[use.value].producer;
  Operation *made = producer < 0 ? nullptr : placement.operations[producer];
  auto isIt = [&](Value operand) {
    if (!isa<TensorType>(operand.getType()))
      return false;
    return made ? operand.getDefiningOp() == made
                : isa<BlockArgument>(operand) || producer >= 0;
  };
  bool isFound = llvm::any_of(op->getOperands(), isIt);
  if (!isFound && op->getNumRegions() != 0)
    op->walk([&](Operation *inner) {
      isFound |= llvm::any_of(inner->getOperands(), isIt);
    });
  return isFound;
}

/// A function's result, or what a region gives to the host.
int64_t PageBoxes::addOutput(const ProblemUse &use) {
  unsigned box = blockBoxes[use.block];
  unsigned port = ports.size();
  ports.push_back({/*isOutput=*/true, use.value, "result", box});
  portItems.push_back(
      layout.addNode(box, getRank(lastNodes[use.block], OutputRank)));
  return -1 - int64_t(port);
}

void PageBoxes::findReaders() {
  for (const ProblemUse &use : placement.problem.uses)
    readers.push_back(isRead(use) ? int64_t(use.at) : addOutput(use));
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// The item that a value comes from, or kNone.
unsigned PageBoxes::getSource(unsigned value) const {
  int64_t producer = placement.problem.values[value].producer;
  if (producer >= 0)
    return nodeItems[producer];
  return inputs[value] == kNone ? kNone : portItems[inputs[value]];
}

void PageBoxes::addEdges() {
  auto add = [&](unsigned value, unsigned to) {
    unsigned from = getSource(value);
    if (from != kNone && to != kNone && from != to)
      layout.addEdge(from, to);
  };
  for (const ProblemRead &read : placement.problem.reads)
    add(read.value, nodeItems[read.node]);
  for (auto [use, reader] : llvm::zip(placement.problem.uses, readers))
    add(use.value, reader >= 0 ? nodeItems[reader] : portItems[-1 - reader]);
  for (const ProblemPart &part : placement.problem.parts)
    add(part.value, nodeItems[part.at]);
}
