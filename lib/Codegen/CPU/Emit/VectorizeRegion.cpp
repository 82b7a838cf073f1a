//===- VectorizeRegion.cpp - Makes loops over vectors of a region ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorizeRegion.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/CPU/Plan/SumPlan.h"
#include "Codegen/CPU/Prepare/Borders.h"
#include "Codegen/CPU/Prepare/MergeProducers.h"
#include "Codegen/CPU/Prepare/SplitByRows.h"
#include "Codegen/Common/CleanUp.h"
#include "Codegen/Common/SourceLocations.h"
#include "LoopEmitter.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hetero;

/// Fails, with the IR unchanged, when the operation has no profitable vector
/// form.
static LogicalResult vectorizeToLoops(RewriterBase &rewriter,
                                      linalg::GenericOp op,
                                      const CPUTarget &target) {
  std::optional<VectorPlan> plan = planVectorLoops(op, target);
  if (!plan)
    return rewriter.notifyMatchFailure(op, "no loop is worth vectorizing");
  OpBuilder::InsertionGuard guard(rewriter);
  LoopEmitter emitter(rewriter, op, *plan);
  rewriter.replaceOp(op, emitter.emit());
  return success();
}

/// Emits a contraction with what is done with each of its elements.
static void vectorizeWithEpilogue(RewriterBase &rewriter, linalg::GenericOp op,
                                  const Epilogue &epilogue) {
  joinLocations(epilogue.contraction, op.getOperation());
  LoopEmitter emitter(rewriter, epilogue);
  rewriter.replaceOp(op, emitter.emit());
  rewriter.eraseOp(epilogue.contraction);
}

/// Lets long sums that would be added up one after the other in f32, as those
/// without a vector form are, be sums of f64.
static void widenSerialSums(RewriterBase &rewriter, Operation *root,
                            const CPUTarget &target) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0)
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    SmallVector<unsigned> sums =
        findSerialSums(op, planVectorLoops(op, target));
    if (!sums.empty())
      widenSums(rewriter, op, sums, rewriter.getF64Type());
  }
}

LogicalResult mlir::hetero::vectorizeCPURegion(Operation *root) {
  CPUTarget target = CPUTarget::get(root);
  IRRewriter rewriter(root->getContext());
  mergeProducers(rewriter, root);
  splitByRows(rewriter, root, target);
  widenSerialSums(rewriter, root, target);
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  // Consumers first: an epilogue takes its contraction with it, and a reduction
  // the fill of what it adds to. A failure is not one: the operation becomes
  // scalar loops later.
  llvm::SmallPtrSet<Operation *, 16> gone;
  for (linalg::GenericOp op : llvm::reverse(ops))
    if (gone.contains(op)) {
      continue;
    } else if (op->use_empty()) {
      rewriter.eraseOp(op);
    } else if (std::optional<Epilogue> epilogue = findEpilogue(op, target)) {
      gone.insert(epilogue->contraction);
      vectorizeWithEpilogue(rewriter, op, *epilogue);
    } else if (failed(vectorizeToLoops(rewriter, op, target))) {
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("vectorize").category("hetero-codegen"))
          << remark::add("left as scalar loops")
          << remark::reason("no loop has contiguous results and operations "
                            "with a vector form");
    }
  return dropBorders(root);
}

LogicalResult mlir::hetero::reportNoHostCode(ExecuteOp op) {
  return op.emitOpError("cannot generate host code for \"")
         << op.getName() << "\"";
}

LogicalResult mlir::hetero::vectorizePreparedRegion(ExecuteOp op) {
  if (failed(vectorizeCPURegion(op)))
    return reportNoHostCode(op);
  return cleanUpRegion(op);
}
