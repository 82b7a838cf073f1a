//===- OptimizeCopies.cpp - Removes redundant copies ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %1 = hetero.copy %0 : tensor<4xf32, #gpu0> -> tensor<4xf32>
//   %2 = hetero.copy %1 : tensor<4xf32> -> tensor<4xf32, #gpu1>
//   %3 = hetero.copy %0 : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
//
// becomes
//
//   %2 = hetero.copy %0 : tensor<4xf32, #gpu0> -> tensor<4xf32, #gpu1>
//
// One walk in program order: each copy reads the value that the chain of copies
// before it started from, leaves the loops that do not change that value, and
// gives way to an earlier copy of it to the same device.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_OPTIMIZECOPIESPASS
#include "hetero/Dialect/Hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Optimizes the copies of one module.
class CopyOptimizer {
public:
  explicit CopyOptimizer(ModuleOp module) : dominance(module), module(module) {}

  void run();

  unsigned numChains = 0, numRoundTrips = 0, numDuplicates = 0, numHoisted = 0,
           numUnused = 0;

private:
  void readOrigin(CopyOp op);
  bool removeRoundTrip(CopyOp op);
  void hoist(CopyOp op);
  void mergeWithLeader(CopyOp op);
  void remarkOn(CopyOp op, StringRef what, unsigned &counter);

  DominanceInfo dominance;
  ModuleOp module;
  /// The copy that stands for all copies of a value to one type.
  DenseMap<std::pair<Value, Type>, CopyOp> leaders;
};
} // namespace

void CopyOptimizer::remarkOn(CopyOp op, StringRef what, unsigned &counter) {
  ++counter;
  if (!op.getContext()->getRemarkEngine())
    return;
  auto name = op->getAttrOfType<StringAttr>(kValueAttrName);
  remark::passed(op.getLoc(), remark::RemarkOpts::name(what).category(
                                  "hetero-optimize-copies"))
      << remark::add("copy of {0} from {1} to {2}: {3}",
                     name ? name.str() : std::string("a value"),
                     op.getSourceDevice().str(), op.getResultDevice().str(),
                     what.str());
}

/// copy(copy(x)) reads x.
void CopyOptimizer::readOrigin(CopyOp op) {
  while (auto producer = op.getSource().getDefiningOp<CopyOp>()) {
    if (producer.getFrom())
      return;
    op.getSourceMutable().assign(producer.getSource());
    if (Attribute name = producer->getAttr(kValueAttrName))
      op->setAttr(kValueAttrName, name);
    if (op.getSource().getType() != op.getResult().getType())
      remarkOn(op, "chain shortened", numChains);
  }
}

/// A copy to where its source is.
bool CopyOptimizer::removeRoundTrip(CopyOp op) {
  if (op.getSource().getType() != op.getResult().getType())
    return false;
  remarkOn(op, "round trip removed", numRoundTrips);
  op.getResult().replaceAllUsesWith(op.getSource());
  op.erase();
  return true;
}

/// Moves a copy out of loops that do not define its source.
void CopyOptimizer::hoist(CopyOp op) {
  bool isHoisted = false;
  while (auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp())) {
    if (!loop.isDefinedOutsideOfLoop(op.getSource()))
      break;
    op->moveBefore(loop);
    isHoisted = true;
  }
  if (isHoisted)
    remarkOn(op, "hoisted out of a loop", numHoisted);
}

/// One copy per value and device. Where neither of two copies reaches the
/// other, as in the arms of an if, it stands behind the value's definition.
void CopyOptimizer::mergeWithLeader(CopyOp op) {
  auto [it, isNew] =
      leaders.try_emplace({op.getSource(), op.getResult().getType()}, op);
  if (isNew)
    return;
  CopyOp leader = it->second;
  if (!dominance.dominates(leader.getOperation(), op)) {
    if (Operation *producer = op.getSource().getDefiningOp())
      leader->moveAfter(producer);
    else
      leader->moveBefore(&op.getSource().getParentBlock()->front());
  }
  remarkOn(op, "merged with an earlier one", numDuplicates);
  op.getResult().replaceAllUsesWith(leader.getResult());
  op.erase();
}

void CopyOptimizer::run() {
  SmallVector<CopyOp> copies;
  module.walk<WalkOrder::PreOrder>([&](CopyOp op) {
    if (!op.getFrom())
      copies.push_back(op);
  });
  for (CopyOp &op : copies) {
    readOrigin(op);
    if (removeRoundTrip(op)) {
      op = {};
      continue;
    }
    hoist(op);
    if (op->use_empty())
      continue;
    CopyOp current = op;
    auto leader = leaders.find({op.getSource(), op.getResult().getType()});
    if (leader != leaders.end())
      op = {};
    mergeWithLeader(current);
  }
  for (CopyOp op : llvm::reverse(copies))
    if (op && op->use_empty()) {
      remarkOn(op, "unused copy removed", numUnused);
      op.erase();
    }
}

namespace {
struct OptimizeCopiesPass
    : public mlir::hetero::impl::OptimizeCopiesPassBase<OptimizeCopiesPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    CopyOptimizer optimizer(module);
    optimizer.run();
    if (getPhase(module) < Phase::CopiesOptimized)
      setPhase(module, Phase::CopiesOptimized);
    auto count = [](unsigned value) { return static_cast<int>(value); };
    remark::analysis(
        module.getLoc(),
        remark::RemarkOpts::name("summary").category("hetero-optimize-copies"))
        << remark::metric("chains", count(optimizer.numChains))
        << remark::metric("round-trips", count(optimizer.numRoundTrips))
        << remark::metric("duplicates", count(optimizer.numDuplicates))
        << remark::metric("hoisted", count(optimizer.numHoisted))
        << remark::metric("unused", count(optimizer.numUnused));
  }
};
} // namespace
