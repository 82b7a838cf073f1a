//===- WidenOnce.cpp - Elements that are converted once -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = generic { extf %x * extf %y + %old } ins(%a, %b : f16, f16)
// becomes
//   %w = generic { extf } ins(%a : f16) outs(%empty : f32)
//   %r = generic { %x * extf %y + %old } ins(%w, %b : f32, f16)
//
// Vectors of %b are converted when they are loaded, which one instruction does.
// An element of %a is broadcast: its conversion takes more instructions than
// the multiplications of a step, and all vectors of a row would repeat it.
//
//===----------------------------------------------------------------------===//

#include "WidenOnce.h"

#include "Codegen/Match/MultiplyAdd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// Fewer uses of an element are not worth a pass over all.
static constexpr int64_t kMinUses = 64;

/// How often each element of an operand is multiplied, as far as it is known.
static int64_t countUses(linalg::GenericOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  int64_t uses = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (!map.isFunctionOfDim(loop) && !ShapedType::isDynamic(size))
      uses =
          std::min<int64_t>(uses * std::min<int64_t>(size, kMinUses), kMinUses);
  return uses;
}

/// True for an operand of f16 that does not follow the last dimension of the
/// result, along which vectors are, and that the body only converts.
static bool isBroadcast(linalg::GenericOp op, OpOperand *operand) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  auto last = result.getNumResults() == 0
                  ? AffineDimExpr(nullptr)
                  : dyn_cast<AffineDimExpr>(result.getResults().back());
  if (!type || !type.getElementType().isF16() || !last ||
      op.getMatchingIndexingMap(operand).isFunctionOfDim(last.getPosition()))
    return false;
  return llvm::all_of(
      op.getMatchingBlockArgument(operand).getUsers(), [](Operation *user) {
        return isa<arith::ExtFOp>(user) && user->getResult(0).getType().isF32();
      });
}

/// The tensor as one of f32.
static Value widen(RewriterBase &rewriter, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor),
      rewriter.getF32Type());
  SmallVector<AffineMap> maps(2,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), tensor, empty, maps, loops,
             [](OpBuilder &builder, Location loc, ValueRange elements) {
               Value wide = arith::ExtFOp::create(
                   builder, loc, builder.getF32Type(), elements[0]);
               linalg::YieldOp::create(builder, loc, wide);
             })
      .getResult(0);
}

/// Gives the operation the tensor in the place of the operand.
static void takeWide(RewriterBase &rewriter, linalg::GenericOp op,
                     OpOperand *operand, Value wide) {
  BlockArgument element = op.getMatchingBlockArgument(operand);
  rewriter.modifyOpInPlace(op, [&] {
    operand->set(wide);
    element.setType(rewriter.getF32Type());
    for (Operation *user : llvm::make_early_inc_range(element.getUsers()))
      rewriter.replaceOp(user, element);
  });
}

LogicalResult mlir::hetero::widenOnce(Operation *root) {
  SmallVector<linalg::GenericOp> products;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() != 0 && op.getNumDpsInits() == 1 &&
        op.hasPureTensorSemantics() && multipliesAndAdds(op))
      products.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  llvm::DenseMap<Value, Value> known;
  for (linalg::GenericOp op : products)
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!isBroadcast(op, operand) || countUses(op, operand) < kMinUses)
        continue;
      Value &wide = known[operand->get()];
      if (!wide) {
        rewriter.setInsertionPointAfterValue(operand->get());
        wide = widen(rewriter, op.getLoc(), operand->get());
      }
      takeWide(rewriter, op, operand, wide);
    }
  return success();
}
