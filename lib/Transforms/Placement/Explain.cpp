//===- Explain.cpp - Says why operations stand where they do --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what Analysis/PlacementExplanation finds:
//
//   %0 = linalg.exp {hetero.device = #hetero.device<cpu:0>,
//                    hetero.explain = "cost; 1 ns on cpu:0; gpu:0 would cost
//                      25 us more (compute +5 us, copies +20 us)",
//                    hetero.origin = "cost"} ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Passes.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/Explain/PlacementExplanation.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_EXPLAINPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Devices stand on operations only between place and materialize.
static LogicalResult checkPlaced(ModuleOp module) {
  Phase phase = getPhase(module);
  if (phase == Phase::Placed)
    return success();
  return emitError(module.getLoc())
         << "expected a module in phase 'placed', got phase '"
         << stringifyPhase(phase) << "'; run hetero-explain right after "
         << "hetero-place";
}

namespace {
struct ExplainPass : public mlir::hetero::impl::ExplainPassBase<ExplainPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkPlaced(module)))
      return signalPassFailure();
    std::optional<Profile> profile;
    if (failed(loadProfileOption(profileFile, module.getLoc(), profile)))
      return signalPassFailure();
    Profile *measured = profile ? &*profile : nullptr;
    FailureOr<SmallVector<OperationExplanation, 0>> explanations =
        explainPlacement(module, getTopology(module, measured), measured);
    if (failed(explanations))
      return signalPassFailure();
    int64_t numCheaper = 0;
    for (const OperationExplanation &explanation : *explanations) {
      write(explanation);
      numCheaper +=
          explanation.alternative && explanation.alternative->getTotal() < 0;
    }
    remarkSummary(module, "hetero-explain",
                  {{"explained", explanations->size()},
                   {"cheaper elsewhere", numCheaper}});
  }

  void write(const OperationExplanation &explanation) {
    Operation *op = explanation.op;
    std::string text = describe(explanation);
    op->setDiscardableAttr(kExplainAttrName,
                           StringAttr::get(op->getContext(), text));
    if (auto explained = remark::analysis(
            op->getLoc(),
            remark::RemarkOpts::name("explained").category("hetero-explain")))
      explained << remark::add("{0} on {1}: {2}",
                               op->getName().getStringRef().str(),
                               explanation.device.str(), text);
    if (print)
      emitRemark(op->getLoc()) << "'" << op->getName() << "' op on "
                               << explanation.device.str() << ": " << text;
  }
};
} // namespace
