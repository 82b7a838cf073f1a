//===- Softmax.cpp - Takes softmax apart for the host ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   linalg.softmax dimension(1) ins(%x : tensor<4x64xf32>)
//
// becomes maxima, exponentials, sums, and the product of the exponentials with
// the four reciprocals of the sums: a division takes as long as ten products.
// Where the result is multiplied by a matrix, as in attention,
//
//   %w = %e * %reciprocals ; %y = matmul(%w, %v)
//
// becomes
//
//   %p = matmul(%e, %v) ; %y = %p * %reciprocals
//
// which is part of the product's register tiles.
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

using ComputeElement =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// What is computed from elements of the inputs, in the shape of the first one;
/// `maps` say which of the others.
static linalg::GenericOp emitElementwise(RewriterBase &rewriter, Location loc,
                                         ValueRange inputs,
                                         ArrayRef<AffineMap> maps,
                                         ComputeElement compute) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, inputs.front()),
      type.getElementType());
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> all = {identity};
  llvm::append_range(all, maps);
  all.push_back(identity);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      rewriter, loc, type, inputs, empty, all, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, compute(builder, loc, arguments));
      });
}

/// One divided by each element.
static Value emitReciprocals(RewriterBase &rewriter, Location loc,
                             Value values) {
  auto divide = [](OpBuilder &builder, Location loc,
                   ValueRange arguments) -> Value {
    auto type = cast<FloatType>(arguments[0].getType());
    Value one =
        arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 1));
    return arith::DivFOp::create(builder, loc, one, arguments[0]);
  };
  return emitElementwise(rewriter, loc, values, {}, divide).getResult(0);
}

/// Makes the division of one input by another a product with reciprocals.
static void multiplyInstead(RewriterBase &rewriter, linalg::GenericOp op) {
  auto divide = dyn_cast<arith::DivFOp>(op.getBody()->front());
  auto divisor =
      divide ? dyn_cast<BlockArgument>(divide.getRhs()) : BlockArgument();
  if (!divisor || divisor.getOwner() != op.getBody() ||
      divisor.getArgNumber() >= op.getNumDpsInputs())
    return;
  rewriter.setInsertionPoint(op);
  OpOperand *input = op.getDpsInputOperand(divisor.getArgNumber());
  Value reciprocals = emitReciprocals(rewriter, op.getLoc(), input->get());
  rewriter.modifyOpInPlace(op, [&] { input->set(reciprocals); });
  rewriter.setInsertionPoint(divide);
  rewriter.replaceOpWithNewOp<arith::MulFOp>(divide, divide.getLhs(), divisor,
                                             divide.getFastmath());
}

/// Lets the maxima of the exponents leave NaN out of account, and the sign of
/// zero: a NaN makes the sum one, whatever is subtracted, and exp(x - 0) is
/// exp(x + 0). Then one instruction compares.
static void simplifyMaxima(RewriterBase &rewriter, linalg::GenericOp last) {
  auto exponentials = last.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  auto maxima =
      exponentials && exponentials.getNumDpsInputs() == 2
          ? exponentials.getDpsInputs()[1].getDefiningOp<linalg::GenericOp>()
          : linalg::GenericOp();
  auto larger = maxima ? dyn_cast<arith::MaxNumFOp>(maxima.getBody()->front())
                       : arith::MaxNumFOp();
  auto fill = larger ? maxima.getDpsInits()[0].getDefiningOp<linalg::FillOp>()
                     : linalg::FillOp();
  if (!fill)
    return;
  auto type = cast<FloatType>(larger.getType());
  rewriter.setInsertionPoint(maxima);
  Value least = arith::ConstantOp::create(
      rewriter, maxima.getLoc(),
      rewriter.getFloatAttr(
          type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true)));
  Value init = linalg::FillOp::create(rewriter, maxima.getLoc(), least,
                                      fill.getDpsInits()[0])
                   .getResult(0);
  rewriter.modifyOpInPlace(maxima,
                           [&] { maxima.getDpsInitsMutable()[0].set(init); });
  rewriter.setInsertionPoint(larger);
  rewriter.replaceOpWithNewOp<arith::MaximumFOp>(
      larger, larger.getLhs(), larger.getRhs(),
      arith::FastMathFlags::nnan | arith::FastMathFlags::nsz);
}

LogicalResult mlir::hetero::decomposeSoftmax(Operation *root) {
  SmallVector<linalg::SoftmaxOp> ops;
  root->walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (linalg::SoftmaxOp op : ops) {
    // A reciprocal of a narrow type would lose digits of the sum.
    if (getElementTypeOrSelf(op.getType(0)).getIntOrFloatBitWidth() < 32)
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return op.emitOpError("cannot be decomposed");
    if (auto last = values->front().getDefiningOp<linalg::GenericOp>()) {
      simplifyMaxima(rewriter, last);
      multiplyInstead(rewriter, last);
    }
    rewriter.replaceOp(op, *values);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Products with a softmax
//===----------------------------------------------------------------------===//

/// Whether `value` is the sum of rows of `of`, and `of` are exponentials.
static bool isSumOfExponentials(Value value, Value of) {
  auto sum = value.getDefiningOp<linalg::GenericOp>();
  auto exponentials = of.getDefiningOp<linalg::GenericOp>();
  Operation *combiner =
      sum && sum.getNumDpsInits() == 1 && sum.getNumReductionLoops() != 0
          ? getCombiner(sum, 0)
          : nullptr;
  return combiner && isa<arith::AddFOp>(combiner) &&
         llvm::range_size(sum.getBody()->without_terminator()) == 1 &&
         sum.getNumDpsInputs() == 1 && sum.getDpsInputs()[0] == of &&
         exponentials &&
         exponentials.getBody()
             ->getTerminator()
             ->getOperand(0)
             .getDefiningOp<math::ExpOp>();
}

/// The sums of which `value` holds the reciprocals.
static Value findSums(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumReductionLoops() != 0)
    return {};
  auto divide = dyn_cast_or_null<arith::DivFOp>(
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp());
  return divide && matchPattern(divide.getLhs(), m_OneFloat()) &&
                 divide.getRhs() == op.getBody()->getArgument(0)
             ? op.getDpsInputs()[0]
             : Value();
}

/// True for softmax's last operation: exponentials times reciprocals of sums.
static bool isNormalization(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumReductionLoops() != 0 ||
      !op->hasOneUse() || !isa<arith::MulFOp>(op.getBody()->front()) ||
      llvm::range_size(op.getBody()->without_terminator()) != 1 ||
      !op.getIndexingMapsArray()[0].isIdentity() ||
      !op.getIndexingMapsArray()[1].isProjectedPermutation() ||
      !op.getIndexingMapsArray()[2].isIdentity())
    return false;
  Value sums = findSums(op.getDpsInputs()[1]);
  return sums && isSumOfExponentials(sums, op.getDpsInputs()[0]);
}

/// True if `op` sums up products of its two inputs, from zero on.
static bool isProductFromZero(linalg::GenericOp op) {
  Operation *combiner = op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1
                            ? getCombiner(op, 0)
                            : nullptr;
  auto fill = combiner ? op.getDpsInits()[0].getDefiningOp<linalg::GenericOp>()
                       : linalg::GenericOp();
  Value start = fill ? getFillValue(fill, 0) : Value();
  return start && matchPattern(start, m_AnyZeroFloat()) &&
         isa<arith::AddFOp>(combiner) &&
         isa<arith::MulFOp>(op.getBody()->front()) &&
         llvm::range_size(op.getBody()->without_terminator()) == 2;
}

/// Where in the result of `product` the factors of each of its elements are;
/// null where an element has several.
static AffineMap findFactors(linalg::GenericOp product, OpOperand *weights,
                             linalg::GenericOp normalization) {
  AffineMap result =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  AffineMap factors = normalization.getIndexingMapsArray()[1].compose(
      product.getMatchingIndexingMap(weights));
  if (!result.isProjectedPermutation() || !factors.isProjectedPermutation())
    return {};
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : factors.getResults()) {
    std::optional<unsigned> place = result.getResultPosition(expr);
    if (!place)
      return {};
    exprs.push_back(getAffineDimExpr(*place, product.getContext()));
  }
  return AffineMap::get(result.getNumResults(), 0, exprs, product.getContext());
}

/// Multiplies the result of a product instead of one of its factors, unless
/// that has more elements.
static void normalizeLater(RewriterBase &rewriter,
                           linalg::GenericOp normalization) {
  OpOperand *weights = &*normalization->use_begin();
  auto product = dyn_cast<linalg::GenericOp>(weights->getOwner());
  if (!product || !isProductFromZero(product) || !product.isDpsInput(weights))
    return;
  AffineMap map = findFactors(product, weights, normalization);
  auto before = cast<RankedTensorType>(normalization.getType(0));
  auto after = cast<RankedTensorType>(product.getType(0));
  if (!map || (before.hasStaticShape() && after.hasStaticShape() &&
               after.getNumElements() > before.getNumElements()))
    return;
  rewriter.modifyOpInPlace(
      product, [&] { weights->set(normalization.getDpsInputs()[0]); });
  rewriter.setInsertionPointAfter(product);
  Location loc = normalization.getLoc();
  Value sums = product.getResult(0);
  auto multiply = [](OpBuilder &builder, Location loc,
                     ValueRange arguments) -> Value {
    return arith::MulFOp::create(builder, loc, arguments[0], arguments[1]);
  };
  linalg::GenericOp result = emitElementwise(
      rewriter, loc, {sums, normalization.getDpsInputs()[1]}, map, multiply);
  rewriter.replaceUsesWithIf(sums, result.getResult(0), [&](OpOperand &use) {
    return use.getOwner() != result && !isa<tensor::DimOp>(use.getOwner());
  });
  rewriter.eraseOp(normalization);
}

LogicalResult mlir::hetero::normalizeProducts(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (isNormalization(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops)
    normalizeLater(rewriter, op);
  return success();
}
