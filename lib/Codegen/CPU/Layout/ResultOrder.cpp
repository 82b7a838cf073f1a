//===- ResultOrder.cpp - Results in another order of dimensions -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = conv(%x, %w) outs(%z : tensor<1x512x7x7xf32>)
//
// of which %sums : tensor<1x7x7x512xf32> are the sums becomes
//
//   %y = transpose(%sums), plus %z unless that is zero
//
// which fusion makes part of what is done next with each element.
//
//===----------------------------------------------------------------------===//

#include "ResultOrder.h"

#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/Match/FillValue.h"
#include "Codegen/Match/NeutralElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

Value mlir::hetero::createFilled(OpBuilder &builder, Location loc,
                                 ArrayRef<int64_t> shape, TypedAttr value) {
  Value empty = tensor::EmptyOp::create(builder, loc, shape, value.getType());
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  // As decomposition leaves fills.
  AffineMap map = builder.getMultiDimIdentityMap(shape.size());
  AffineMap none = AffineMap::get(shape.size(), 0, builder.getContext());
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), scalar, empty, ArrayRef{none, map},
             iterators,
             [](OpBuilder &inner, Location place, ValueRange arguments) {
               linalg::YieldOp::create(inner, place, arguments[0]);
             })
      .getResult(0);
}

/// True if the sum may start from `neutral` instead of what `init` holds.
static bool holdsNeutral(Value init, TypedAttr neutral) {
  auto fill = init.getDefiningOp<linalg::GenericOp>();
  Value value = fill
                    ? getFillValue(fill, cast<OpResult>(init).getResultNumber())
                    : Value();
  Attribute constant;
  if (!value || !matchPattern(value, m_Constant(&constant)))
    return false;
  return constant == neutral || (matchPattern(value, m_AnyZeroFloat()) &&
                                 matchPattern(neutral, m_AnyZeroFloat()));
}

void mlir::hetero::replaceBySums(RewriterBase &rewriter, linalg::GenericOp op,
                                 Value sums, AffineMap map) {
  Operation *combiner = getCombiner(op, 0);
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs = {sums};
  SmallVector<AffineMap> maps = {map, identity};
  if (!holdsNeutral(init, getNeutralElement(combiner))) {
    inputs.push_back(init);
    maps.push_back(identity);
  }
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, inputs, empty, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value value = arguments[0];
        if (inputs.size() == 2)
          value = mlir::clone(builder, combiner, value.getType(),
                              {arguments[1], value})
                      ->getResult(0);
        linalg::YieldOp::create(builder, loc, value);
      });
}

//===----------------------------------------------------------------------===//
// Loops of what restores the order
//===----------------------------------------------------------------------===//

/// True if an elementwise operation reads something in another order than it
/// writes.
static bool isReordered(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned last = op.getNumLoops() - 1;
  return maps.back().isIdentity() && llvm::any_of(maps, [&](AffineMap map) {
           return map.isFunctionOfDim(last) &&
                  map.getResults().back() !=
                      getAffineDimExpr(last, op.getContext());
         });
}

/// The loops of such an operation that all operands follow alike.
static SmallVector<ReassociationIndices>
getCollapsibleLoops(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || op.getNumReductionLoops() != 0 || op.getNumLoops() < 2 ||
      op.getNumDpsInits() != 1 || !isReordered(generic))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<ReassociationIndices> sequences;
  ReassociationIndices sequence;
  for (int64_t loop = 0; loop < op.getNumLoops(); ++loop) {
    ReassociationIndices longer = sequence;
    longer.push_back(loop);
    bool isKnown = llvm::none_of(longer, [&](int64_t member) {
      return ShapedType::isDynamic(sizes[member]);
    });
    if (isKnown && linalg::areDimSequencesPreserved(maps, {longer})) {
      sequence = longer;
      continue;
    }
    if (sequence.size() > 1)
      sequences.push_back(sequence);
    sequence = {loop};
  }
  if (sequence.size() > 1)
    sequences.push_back(sequence);
  return sequences;
}

LogicalResult mlir::hetero::collapseTransposes(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  linalg::populateCollapseDimensions(patterns, getCollapsibleLoops);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(root, std::move(patterns));
}
