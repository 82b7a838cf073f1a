//===- MergeEqual.cpp - Computes once what is equal -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = math.exp %x {hetero.device = gpu:0}
//   %1 = math.exp %x {hetero.device = gpu:0}
//   %2 = math.exp %x {hetero.device = gpu:1}
//   use(%0, %1, %2)
//     ->
//   use(%0, %0, %2)
//
// Upstream compares attributes too, and so keeps apart what is annotated
// otherwise; but it does not know that an annotation of control flow holds for
// what is in it.
//
//===----------------------------------------------------------------------===//

#include "JoinedOperations.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_MERGEEQUALPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Operations whose annotation is that of control flow around them have it as
/// their own while this lives.
class InheritedAnnotations {
public:
  explicit InheritedAnnotations(ModuleOp module) {
    // What is around an operation is visited before it.
    walkPlacedOperations(module, [&](Operation *op) {
      DeviceAttr outer = getDevice(op->getParentOp());
      if (getDevice(op) || !outer)
        return;
      setDevice(op, outer);
      owners.insert(op);
    });
  }
  ~InheritedAnnotations() {
    for (Operation *op : owners)
      op->removeDiscardableAttr(kDeviceAttrName);
  }

  void forget(Operation *op) { owners.erase(op); }

private:
  llvm::DenseSet<Operation *> owners;
};

/// Lets what stays speak for what is merged into it.
class MergeListener : public RewriterBase::Listener {
public:
  explicit MergeListener(InheritedAnnotations &inherited)
      : inherited(inherited) {}

  void notifyOperationReplaced(Operation *op, Operation *kept) override {
    ++merged;
    remark::passed(op->getLoc(), remark::RemarkOpts::name("merged").category(
                                     "hetero-merge-equal"))
        << remark::add("'{0}' is computed once",
                       op->getName().getStringRef().str());
    kept->setLoc(
        FusedLoc::get(op->getContext(), {kept->getLoc(), op->getLoc()}));
  }

  void notifyOperationErased(Operation *op) override {
    ++erased;
    inherited.forget(op);
  }

  int64_t merged = 0, erased = 0;

private:
  InheritedAnnotations &inherited;
};

struct MergeEqualPass
    : public mlir::hetero::impl::MergeEqualPassBase<MergeEqualPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    PinCount pins(module);
    int64_t merged, unused;
    {
      InheritedAnnotations inherited(module);
      MergeListener listener(inherited);
      IRRewriter rewriter(module.getContext(), &listener);
      DominanceInfo dominance;
      eliminateCommonSubExpressions(rewriter, dominance, module);
      merged = listener.merged;
      unused = listener.erased - listener.merged;
    }
    pins.update();
    remarkSummary(module, getArgument(),
                  {{"merged", merged}, {"unused", unused}});
  }
};
} // namespace
