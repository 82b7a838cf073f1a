//===- StructuredChecks.cpp - Sizes of structured operations --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All operands that a loop of an operation runs over have the size of the loop:
//
//   linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) ...
//
// asks for equal sizes of %a and %b, and a convolution for a window that stays
// inside of what it reads.
//
//===----------------------------------------------------------------------===//

#include "StructuredChecks.h"

#include "SizeAssertions.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the expression grows with each loop, so that its maximum is at the
/// last iteration.
static bool isMonotone(AffineExpr expr) {
  bool monotone = true;
  expr.walk([&](AffineExpr part) {
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      monotone &= constant.getValue() >= 0;
    else if (part.getKind() == AffineExprKind::SymbolId ||
             part.getKind() == AffineExprKind::Mod)
      monotone = false;
  });
  return monotone;
}

/// An access such as 2 * d0 + d1 must stay inside its dimension.
static void checkWindow(SizeAssertions &checks, linalg::LinalgOp op,
                        OpOperand &operand, int64_t dim, AffineExpr expr,
                        ArrayRef<std::optional<Size>> loops) {
  OpBuilder &builder = checks.getBuilder();
  Location loc = checks.getLoc();
  std::optional<Size> size = checks.trace(operand.get(), dim);
  if (!size || !isMonotone(expr))
    return;
  bool isStatic = size->isConstant();
  SmallVector<OpFoldResult> sizes(loops.size(), builder.getIndexAttr(1));
  SmallVector<AffineExpr> last;
  for (auto [index, loop] : llvm::enumerate(loops)) {
    last.push_back(builder.getAffineDimExpr(index) - 1);
    if (!expr.isFunctionOfDim(index))
      continue;
    if (!loop)
      return;
    isStatic &= loop->isConstant();
    sizes[index] = loop->isConstant()
                       ? OpFoldResult(builder.getIndexAttr(loop->index))
                       : OpFoldResult(checks.materialize(*loop));
  }
  if (isStatic)
    return;
  AffineMap map = AffineMap::get(loops.size(), 0, expr.replaceDims(last) + 1);
  OpFoldResult needed =
      affine::makeComposedFoldedAffineApply(builder, loc, map, sizes);
  Value end = getValueOrCreateConstantIndexOp(builder, loc, needed);
  checks.assertThat(
      checks.compare(arith::CmpIPredicate::sle, end, checks.materialize(*size)),
      "expected accesses of " + describe(op) + " to dimension " + Twine(dim) +
          " of operand " + Twine(operand.getOperandNumber()) +
          " in bounds; pass a larger tensor or a smaller window");
}

void mlir::hetero::checkStructured(SizeAssertions &checks,
                                   linalg::LinalgOp op) {
  SmallVector<std::optional<Size>> loops(op.getNumLoops());
  // Windows need the sizes of every loop.
  SmallVector<std::function<void()>> windows;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) {
        windows.push_back([&, dim = dim, expr = expr, use = &operand] {
          checkWindow(checks, op, *use, dim, expr, loops);
        });
        continue;
      }
      std::optional<Size> size = checks.trace(operand.get(), dim);
      std::optional<Size> &known = loops[loop.getPosition()];
      if (!known)
        known = size;
      // The verifier has compared static sizes.
      else if (size && !(known->isConstant() && size->isConstant()))
        checks.assertEqual(
            known, size,
            describeDifference(op, dim, operand.getOperandNumber()));
    }
  }
  for (auto &window : windows)
    window();
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Each tile has an element, and the tiles of a dimension hold it: the last one
/// in part, if it may be.
template <typename OpTy>
static void checkTiles(SizeAssertions &checks, OpTy op, Value packed,
                       Value unpacked, bool mayBePartial) {
  int64_t rank = cast<ShapedType>(unpacked.getType()).getRank();
  SmallVector<OpFoldResult> tiles = op.getMixedTiles();
  ArrayRef<int64_t> order = op.getOuterDimsPerm();
  for (auto [index, dim] : llvm::enumerate(op.getInnerDimsPos())) {
    int64_t outer =
        order.empty() ? dim : llvm::find(order, dim) - order.begin();
    std::optional<Size> tile = checks.trace(tiles[index]),
                        whole = checks.trace(unpacked, dim),
                        number = checks.trace(packed, outer);
    if (!tile)
      continue;
    if (!tile->isConstant())
      checks.assertThat(
          checks.compare(arith::CmpIPredicate::sgt, checks.materialize(*tile),
                         checks.materialize({Value(), 0})),
          "expected tile " + Twine(index) + " of " + describe(op) +
              " to be 1 or more; pass another one");
    checks.assertEqual(checks.trace(packed, rank + index), tile,
                       "expected tile " + Twine(index) + " of " + describe(op) +
                           " to be the last dimension that the packed tensor "
                           "has for it; pass a tile that fits");
    std::optional<Size> held = checks.multiply(number, tile);
    if (!held || !whole || *held == *whole ||
        (held->isConstant() && whole->isConstant() && tile->isConstant()))
      continue;
    Value rest = arith::SubIOp::create(checks.getBuilder(), checks.getLoc(),
                                       checks.materialize(*held),
                                       checks.materialize(*whole));
    Value holds = checks.compare(
        arith::CmpIPredicate::ult, rest,
        checks.materialize(mayBePartial ? *tile : Size{Value(), 1}));
    checks.assertThat(holds, "expected the tiles of " + describe(op) +
                                 " to make up dimension " + Twine(dim) +
                                 " of what is not packed; pass tensors whose "
                                 "sizes fit");
  }
}

void mlir::hetero::checkPack(SizeAssertions &checks, linalg::PackOp op) {
  checkTiles(checks, op, op.getDest(), op.getSource(),
             /*mayBePartial=*/bool(op.getPaddingValue()));
}

void mlir::hetero::checkUnPack(SizeAssertions &checks, linalg::UnPackOp op) {
  checkTiles(checks, op, op.getSource(), op.getDest(), /*mayBePartial=*/true);
}
