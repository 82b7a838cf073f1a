//===- Access.cpp - How operands are read along a loop -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// The longest stride for which loading what lies between is cheaper than a
/// load per lane.
static constexpr int64_t kMaxStride = 4;

int64_t mlir::hetero::getAccessStride(linalg::GenericOp op, OpOperand *operand,
                                      unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(loop))
      return 0;
  AffineExpr last = map.getResults().back();
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      last.replace(dim, dim + 1) - last, op.getNumLoops(), 0));
  return step ? step.getValue() : 0;
}

bool mlir::hetero::isWholeInVectors(Type element) {
  if (!element.isIntOrFloat())
    return element.isIndex();
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits >= 8 && llvm::isPowerOf2_32(bits);
}

AccessKind mlir::hetero::classifyAccess(linalg::GenericOp op,
                                        OpOperand *operand, unsigned loop) {
  if (!op.getMatchingIndexingMap(operand).isFunctionOfDim(loop))
    return AccessKind::Invariant;
  if (!isWholeInVectors(getElementTypeOrSelf(operand->get().getType())))
    return AccessKind::Scattered;
  int64_t stride = getAccessStride(op, operand, loop);
  if (stride == 1)
    return AccessKind::Contiguous;
  return stride > 1 && stride <= kMaxStride ? AccessKind::Strided
                                            : AccessKind::Scattered;
}

bool mlir::hetero::readsTensor(linalg::GenericOp op, OpOperand *input) {
  return isa<RankedTensorType>(input->get().getType()) &&
         op.payloadUsesValueFromOperand(input);
}

SmallVector<unsigned> mlir::hetero::getReductionLoops(linalg::GenericOp op,
                                                      OpOperand *operand) {
  SmallVector<unsigned> loops;
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction && map.isFunctionOfDim(loop))
      loops.push_back(loop);
  return loops;
}

int64_t mlir::hetero::getKnownBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.hasStaticShape()
             ? type.getNumElements() * getElementBytes(type.getElementType())
             : INT64_MAX;
}

std::optional<unsigned> mlir::hetero::findRowLoop(linalg::GenericOp op,
                                                  unsigned vectorLoop,
                                                  bool ofVectors) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : llvm::reverse(llvm::seq(op.getNumLoops()))) {
    if (loop == vectorLoop ||
        iterators[loop] != utils::IteratorType::parallel || sizes[loop] == 1)
      continue;
    for (OpOperand *input : op.getDpsInputOperands())
      if (readsTensor(op, input) &&
          classifyAccess(op, input, loop) == AccessKind::Invariant &&
          (!ofVectors ||
           classifyAccess(op, input, vectorLoop) != AccessKind::Invariant))
        return loop;
  }
  return std::nullopt;
}
