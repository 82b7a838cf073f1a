//===- TransposePlan.cpp - Products with transposed operands --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposePlan.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rows that must share a panel for it to be worth transposing.
static constexpr int64_t kMinTransposedRows = 32;

int mlir::hetero::findTransposedLoop(linalg::GenericOp op, OpOperand *operand,
                                     unsigned vectorLoop) {
  if (!isa<RankedTensorType>(operand->get().getType()) ||
      classifyAccess(op, operand, vectorLoop) != AccessKind::Scattered)
    return -1;
  Type element = getElementTypeOrSelf(operand->get().getType());
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return -1;
  for (unsigned loop : getReductionLoops(op, operand))
    if (classifyAccess(op, operand, loop) == AccessKind::Contiguous)
      return loop;
  return -1;
}

/// The inputs that would be transposed for vectors along `loop`; none if that
/// is not all that it takes.
static SmallVector<OpOperand *> findTransposed(linalg::GenericOp op,
                                               unsigned loop) {
  SmallVector<OpOperand *> transposed;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (classifyAccess(op, &init, loop) != AccessKind::Contiguous)
      return {};
  for (OpOperand *input : op.getDpsInputOperands()) {
    AccessKind kind = classifyAccess(op, input, loop);
    if (!op.payloadUsesValueFromOperand(input) ||
        kind == AccessKind::Invariant || kind == AccessKind::Contiguous)
      continue;
    if (findTransposedLoop(op, input, loop) < 0)
      return {};
    transposed.push_back(input);
  }
  return transposed;
}

/// True if enough rows share a panel of each of the inputs.
static bool areShared(linalg::GenericOp op, unsigned loop,
                      ArrayRef<OpOperand *> inputs) {
  int rowLoop = findRowLoop(op, loop, /*ofVectors=*/true);
  if (rowLoop < 0)
    return false;
  int64_t rows = op.getStaticLoopRanges()[rowLoop];
  return (ShapedType::isDynamic(rows) || rows >= kMinTransposedRows) &&
         llvm::all_of(inputs, [&](OpOperand *input) {
           return classifyAccess(op, input, rowLoop) == AccessKind::Invariant;
         });
}

void mlir::hetero::planTransposedPanels(linalg::GenericOp op,
                                        const CPUTarget &target,
                                        VectorPlan &plan) {
  if (op.getNumReductionLoops() == 0 || mayTrap(op) ||
      (!plan.reducesLanes && !plan.scalarTail))
    return;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    SmallVector<OpOperand *> transposed = findTransposed(op, loop);
    if (transposed.empty() || sizes[loop] == 1 ||
        !areShared(op, loop, transposed))
      continue;
    plan.vectorLoop = loop;
    plan.reducesLanes = plan.scalarTail = false;
    for (OpOperand *input : transposed)
      plan.transposed.push_back(input->getOperandNumber());
    return;
  }
}
