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
// First each copy reads the value that the chain of copies before it started
// from. Then the copies of a value to a device move to the sites that serve
// them all at the least cost: out of loops that do not change the value, above
// the branches that share it, one copy per site. Last, copies are narrowed to
// the slices that are used (NarrowCopies.cpp).
//
//===----------------------------------------------------------------------===//

#include "NarrowCopies.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/OptionChoices.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_OPTIMIZECOPIESPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Optimizes the copies of one module.
class CopyOptimizer {
public:
  CopyOptimizer(ModuleOp module, std::function<const BlockTree &()> getTree,
                CopySite where)
      : module(module), getTree(getTree), plan(module, getTree, where) {}

  void run();
  /// Narrows what is left; true if that leaves something to optimize.
  bool narrow();

  unsigned numChains = 0, numRoundTrips = 0, numDuplicates = 0, numHoisted = 0,
           numUnused = 0, numNarrowed = 0;

private:
  bool meet(CopyOp op);
  void readOrigin(CopyOp op);
  bool removeRoundTrip(CopyOp op);
  bool removeUnused(CopyOp op);
  void eraseOutrun();
  void keep(CopyOp op);
  bool staysInPlace(ArrayRef<Operation *> copies) const;
  SmallVector<CopySitePlan::Site> chooseSites(Value value,
                                              ArrayRef<Operation *> copies);
  void mergeAt(const CopySitePlan::Site &site, Value value);
  void remarkOn(CopyOp op, StringRef what, unsigned &counter);

  ModuleOp module;
  std::function<const BlockTree &()> getTree;
  CopySitePlan plan;
  /// What a walk found and left, in the order of the program.
  SmallVector<CopyOp, 0> copies;
  /// Copies that others read before them, which now read what these read.
  llvm::DenseSet<Operation *> outrun;
  /// False if no operation of the module could make a copy narrower.
  bool hasSlices = false;
  /// What is left in the end and may be narrowed.
  SmallVector<CopyOp> wide;
};
} // namespace

void CopyOptimizer::remarkOn(CopyOp op, StringRef what, unsigned &counter) {
  ++counter;
  auto passed = remark::passed(
      op.getLoc(),
      remark::RemarkOpts::name(what).category("hetero-optimize-copies"));
  if (!passed)
    return;
  passed << remark::add("copy of {0} from {1} to {2}: {3}", getCopiedName(op),
                        op.getSourceDevice().str(), op.getResultDevice().str(),
                        what.str());
}

/// copy(copy(x)) reads x.
void CopyOptimizer::readOrigin(CopyOp op) {
  while (auto producer = op.getSource().getDefiningOp<CopyOp>()) {
    if (producer.getFrom())
      return;
    outrun.insert(producer);
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

/// A copy that nothing needs.
bool CopyOptimizer::removeUnused(CopyOp op) {
  if (!op->use_empty())
    return false;
  remarkOn(op, "unused copy removed", numUnused);
  op.erase();
  return true;
}

/// Makes a copy independent of others; false if it is erased.
bool CopyOptimizer::meet(CopyOp op) {
  readOrigin(op);
  if (removeRoundTrip(op) || removeUnused(op))
    return false;
  copies.push_back(op);
  return true;
}

/// A copy that stays in the end, and may be narrowed.
void CopyOptimizer::keep(CopyOp op) {
  if (hasSlices && mayNarrow(op))
    wide.push_back(op);
}

/// The first operation of their block that needs one of the copies.
static Operation *findFirstUse(ArrayRef<Operation *> copies) {
  SmallVector<Operation *> users;
  for (Operation *copy : copies)
    llvm::append_range(users, copy->getUsers());
  return findFirstUser(copies.front()->getBlock(), users);
}

/// The cheapest sites for the copies of a value to one device, which are given
/// in program order.
SmallVector<CopySitePlan::Site>
CopyOptimizer::chooseSites(Value value, ArrayRef<Operation *> copies) {
  bool areInItsBlock = llvm::all_of(copies, [&](Operation *op) {
    return op->getBlock() == value.getParentBlock();
  });
  auto first = cast<CopyOp>(copies.front());
  if (areInItsBlock && plan.where == CopySite::Late)
    return {{0, false, findFirstUse(copies), llvm::to_vector(copies)}};
  if (areInItsBlock) // The first dominates the others.
    return {{0, true, first, llvm::to_vector(copies)}};
  return plan.choose(value, getTypeDevice(first.getType()), copies);
}

/// Leaves one copy at a site. Where that is not where the first of them stands,
/// it is after the definition, or else before what needs it first.
void CopyOptimizer::mergeAt(const CopySitePlan::Site &site, Value value) {
  Operation *leader = site.before;
  if (!llvm::is_contained(site.users, leader)) {
    leader = site.users.front();
    bool isHoisted = leader->getBlock() != site.before->getBlock();
    if (!site.isDefinition)
      leader->moveBefore(site.before);
    else if (Operation *producer = value.getDefiningOp())
      leader->moveAfter(producer);
    else
      leader->moveBefore(&value.getParentBlock()->front());
    if (isHoisted)
      remarkOn(cast<CopyOp>(leader), "hoisted", numHoisted);
  }
  for (Operation *op : site.users) {
    if (op == leader)
      continue;
    remarkOn(cast<CopyOp>(op), "merged with an earlier one", numDuplicates);
    op->replaceAllUsesWith(leader);
    op->erase();
  }
  keep(cast<CopyOp>(leader));
}

/// Erases the copies that only later copies have read.
void CopyOptimizer::eraseOutrun() {
  if (outrun.empty())
    return;
  llvm::erase_if(copies, [&](CopyOp copy) {
    return outrun.contains(copy) && removeUnused(copy);
  });
  outrun.clear();
}

/// Most copies do: they are in the block of their source, and the only ones of
/// it to their device.
bool CopyOptimizer::staysInPlace(ArrayRef<Operation *> copies) const {
  auto copy = cast<CopyOp>(copies.front());
  return plan.where != CopySite::Late && copies.size() == 1 &&
         copy.getSource().getParentBlock() == copy->getBlock();
}

void CopyOptimizer::run() {
  DeviceConstraints constraints(module.getContext());
  copies.clear();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasSlices |= takesSlices(op);
    auto copy = dyn_cast<CopyOp>(op);
    if (copy && !copy.getFrom() && !meet(copy))
      return WalkResult::skip();
    return constraints.hasPlacedRegions(op) ? WalkResult::advance()
                                            : WalkResult::skip();
  });
  eraseOutrun();
  llvm::MapVector<std::pair<Value, Type>, SmallVector<Operation *, 1>> groups;
  for (CopyOp op : copies)
    groups[{op.getSource(), op.getType()}].push_back(op);
  // Nothing moves before everything is chosen: operations that move would make
  // each question for the order in their block count it anew.
  SmallVector<std::pair<Value, SmallVector<CopySitePlan::Site>>, 0> chosen;
  for (auto &[key, group] : groups) {
    if (staysInPlace(group))
      keep(cast<CopyOp>(group.front()));
    else
      chosen.push_back({key.first, chooseSites(key.first, group)});
  }
  for (auto &[value, sites] : chosen)
    for (const CopySitePlan::Site &site : sites)
      mergeAt(site, value);
}

bool CopyOptimizer::narrow() {
  unsigned count = narrowCopies(module, wide, getTree);
  numNarrowed += count;
  wide.clear();
  return count != 0;
}

namespace {
struct OptimizeCopiesPass
    : public mlir::hetero::impl::OptimizeCopiesPassBase<OptimizeCopiesPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    CopyOptimizer optimizer(
        module, [&]() -> const BlockTree & { return getAnalysis<BlockTree>(); },
        copySite);
    do
      optimizer.run();
    while (narrow && optimizer.narrow());
    // Partition orders operations anew.
    if (copySite == CopySite::Late)
      module->setAttr(kLateCopiesAttrName, UnitAttr::get(module.getContext()));
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
        << remark::metric("unused", count(optimizer.numUnused))
        << remark::metric("narrowed", count(optimizer.numNarrowed));
  }
};
} // namespace
