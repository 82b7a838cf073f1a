//===- PanelPlan.cpp - What rows read from panels ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelPlan.h"

#include "Access.h"
#include "ConstantPanels.h"
#include "VectorPlan.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rows that must share a panel for it to be worth making.
static constexpr int64_t kMinPackedRows = 64;
/// What one entry of the processor's table of addresses covers.
static constexpr int64_t kPageBytes = 4096;
/// What an operand must stretch over for it to be packed: more than the nearest
/// cache.
static constexpr int64_t kMinPackedBytes = 64 * 1024;
/// The part of a panel that stays in the second-level cache while rows of other
/// operands and of the result come and go.
static constexpr int64_t kMaxPanelBytes = 256 * 1024;

/// Bytes from one row of the operand's memory to the next; INT64_MAX if
/// unknown.
static int64_t getRowBytes(OpOperand *operand) {
  Value source = operand->get();
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = slice.getSource();
  auto type = cast<RankedTensorType>(source.getType());
  int64_t size = type.getShape().back();
  return ShapedType::isDynamic(size)
             ? INT64_MAX
             : size * getElementBytes(type.getElementType());
}

bool mlir::hetero::isWorthPacking(linalg::GenericOp op, OpOperand *operand,
                                  const VectorPlan &plan, int64_t least) {
  AccessKind kind = classifyAccess(op, operand, plan.vectorLoop);
  if (kind == AccessKind::Strided)
    return true;
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (kind != AccessKind::Contiguous || !map.isProjectedPermutation())
    return false;
  int64_t bytes = getRowBytes(operand);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : getReductionLoops(op, operand))
    if (ShapedType::isDynamic(sizes[loop]) ||
        llvm::MulOverflow(bytes, sizes[loop], bytes))
      return true;
  return bytes >= least;
}

void mlir::hetero::planConstants(linalg::GenericOp op, VectorPlan &plan) {
  if (plan.is<LaneSums>() || plan.scalarTail || op.getNumReductionLoops() == 0)
    return;
  for (OpOperand *input : op.getDpsInputOperands())
    if (readsTensor(op, input) &&
        (!plan.rows ||
         classifyAccess(op, input, plan.rows->loop) == AccessKind::Invariant) &&
        findConstantPart(op, input, plan.vectorLoop))
      plan.panels.prepared.push_back(input->getOperandNumber());
}

/// Rows that must share a panel of `operand` for it to be worth making: a few
/// blocks where each step of the reduction is in another page, which takes
/// longer to look up than what is in it to copy. Elements of groups change
/// places, which a few rows are worth.
static int64_t getLeastRows(linalg::GenericOp op, OpOperand *operand,
                            const VectorPlan &plan) {
  if (plan.narrow)
    return 2 * plan.rows->count;
  bool isApart =
      classifyAccess(op, operand, plan.vectorLoop) == AccessKind::Contiguous &&
      getRowBytes(operand) >= kPageBytes;
  return isApart ? std::min(kMinPackedRows, 3 * plan.rows->count)
                 : kMinPackedRows;
}

void mlir::hetero::planPacking(linalg::GenericOp op, VectorPlan &plan) {
  if (!plan.rows || plan.is<LaneSums>() || plan.scalarTail ||
      op.getNumReductionLoops() == 0)
    return;
  int64_t rows = op.getStaticLoopRanges()[plan.rows->loop];
  for (OpOperand *input : op.getDpsInputOperands())
    if (readsTensor(op, input) && !plan.isPrepared(input->getOperandNumber()) &&
        classifyAccess(op, input, plan.rows->loop) == AccessKind::Invariant &&
        !getReductionLoops(op, input).empty() &&
        (plan.isTransposed(input->getOperandNumber()) ||
         ((ShapedType::isDynamic(rows) ||
           rows >= getLeastRows(op, input, plan)) &&
          (plan.narrow || isWorthPacking(op, input, plan, kMinPackedBytes)))))
      plan.panels.packed.push_back(input->getOperandNumber());
}

void mlir::hetero::planDepth(linalg::GenericOp op, VectorPlan &plan) {
  SmallVector<unsigned> panels = plan.panels.packed;
  llvm::append_range(panels, plan.panels.prepared);
  if (panels.size() != 1 || !plan.rows)
    return;
  OpOperand *input = &op->getOpOperand(panels.front());
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t bytes = plan.vectors * plan.lanes *
                  getElementBytes(getElementTypeOrSelf(input->get().getType()));
  int64_t uses = 1;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (ShapedType::isDynamic(size))
      return;
    bool isRead = op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
    if (llvm::is_contained(loops, loop) ? !isRead : isRead)
      continue;
    if (!llvm::is_contained(loops, loop))
      uses *= size;
    else if (loop != loops.front())
      bytes *= size;
  }
  int64_t size = sizes[loops.front()];
  if (size * bytes <= kMaxPanelBytes || uses < 2 * plan.rows->count)
    return;
  for (int64_t depth = kMaxPanelBytes / bytes; depth > 0; --depth)
    if (size % depth == 0 && depth % plan.getGroup() == 0 &&
        16 * depth * bytes >= kMaxPanelBytes) {
      plan.panels.depth = depth;
      return;
    }
}
