//===- Candidate.cpp - Calls a library or generated code ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"

#include "Codegen/Common/SourceLocations.h"
#include "Codegen/Match/FillValue.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isConstant(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto region = dyn_cast<ExecuteOp>(argument.getOwner()->getParentOp());
      if (!region)
        return false;
      value = region->getOperand(argument.getArgNumber());
    } else if (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                               CopyOp>(value.getDefiningOp())) {
      value = value.getDefiningOp()->getOperand(0);
    } else {
      return matchPattern(value, m_Constant());
    }
  }
}

/// What fills a tensor with zeros, if that made it.
static linalg::GenericOp findZeros(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumResults() != 1)
    return {};
  Value fill = getFillValue(op, 0);
  return fill && matchPattern(fill, m_AnyZeroFloat()) ? op
                                                      : linalg::GenericOp();
}

void mlir::hetero::setInit(Candidate &candidate, linalg::GenericOp op) {
  linalg::GenericOp zeros = findZeros(op.getDpsInits()[0]);
  if (zeros)
    candidate.ops.push_back(zeros);
  candidate.ops.push_back(op);
  candidate.init = zeros ? zeros.getDpsInits()[0] : op.getDpsInits()[0];
  candidate.accumulate = !zeros;
}

linalg::GenericOp mlir::hetero::findSoleReader(Operation *op, OpOperand *&use) {
  if (!op->hasOneUse())
    return {};
  use = &*op->use_begin();
  auto next = dyn_cast<linalg::GenericOp>(use->getOwner());
  bool isElementwise = next && next->getBlock() == op->getBlock() &&
                       next.getNumLoops() == next.getNumParallelLoops() &&
                       next->getNumResults() == 1;
  return isElementwise ? next : linalg::GenericOp();
}

/// The elementwise operations after the root, each the only one that reads the
/// one before it.
static SmallVector<Operation *> findTail(Operation *root) {
  SmallVector<Operation *> tail;
  OpOperand *use;
  for (linalg::GenericOp next = findSoleReader(root, use); next;
       next = findSoleReader(next, use))
    tail.push_back(next);
  return tail;
}

/// Yields the last results of clones of the operations.
static void yieldClones(RewriterBase &rewriter, ArrayRef<Operation *> ops,
                        IRMapping &mapping, SmallVector<Value> results) {
  for (Operation *op : ops)
    results = rewriter.clone(*op, mapping)->getResults();
  scf::YieldOp::create(rewriter,
                       ops.empty() ? results[0].getLoc() : ops.back()->getLoc(),
                       results);
}

static Value createCall(RewriterBase &rewriter, const Candidate &candidate,
                        StringRef library) {
  SmallVector<Attribute> orders;
  for (ArrayRef<int64_t> order : candidate.orders)
    orders.push_back(rewriter.getDenseI64ArrayAttr(order));
  Operation *root = candidate.getRoot();
  auto call = LibraryCallOp::create(
      rewriter, root->getLoc(), root->getResultTypes(), library,
      candidate.function, candidate.inputs, candidate.init,
      rewriter.getArrayAttr(orders), candidate.accumulate, candidate.parameters,
      candidate.constants);
  joinLocations(call, candidate.ops);
  return call->getResult(0);
}

void mlir::hetero::callLibrary(RewriterBase &rewriter,
                               const Candidate &candidate, StringRef library) {
  Operation *root = candidate.getRoot();
  SmallVector<Operation *> tail = findTail(root), ops(candidate.ops);
  ops.append(tail);
  Operation *last = ops.back();
  rewriter.setInsertionPoint(last);
  Value has = HasLibraryOp::create(rewriter, root->getLoc(),
                                   rewriter.getI1Type(), library);
  auto choice =
      scf::IfOp::create(rewriter, root->getLoc(), last->getResultTypes(), has,
                        /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  IRMapping called, generated;
  Value result = createCall(rewriter, candidate, library);
  called.map(root->getResult(0), result);
  yieldClones(rewriter, tail, called, {result});
  rewriter.setInsertionPointToStart(choice.elseBlock());
  yieldClones(rewriter, ops, generated, {});
  rewriter.replaceOp(last, choice.getResults());
  for (Operation *op : llvm::reverse(ArrayRef(ops).drop_back()))
    if (op->use_empty())
      rewriter.eraseOp(op);
}
