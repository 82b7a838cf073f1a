//===- Attention.cpp - Takes tm_tensor.attention apart --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = tm_tensor.attention ins(%q, %k, %v, %mask) outs(%e)
//
// becomes, with linalg.generic and sums of narrow floats in f32,
//
//   %s = %q times %k transposed
//   %t = %s * scale + %mask
//   %m = maximum of the rows of %t ; %p = exp(%t - %m) ; %d = sum of rows
//   %n = %p / %d, or 0 where %d is 0
//   %0 = %n times %v
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

using ElementBuilder = function_ref<Value(OpBuilder &, ValueRange)>;

namespace {
/// Builds the operations that replace one attention.
class AttentionBuilder {
public:
  AttentionBuilder(RewriterBase &rewriter, AttentionOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()),
        rank(cast<RankedTensorType>(op.getInputs()[0].getType()).getRank()),
        wide(getElementTypeOrSelf(op.getInputs()[0])) {
    if (wide.getIntOrFloatBitWidth() < 32)
      wide = rewriter.getF32Type();
  }

  Value build();

private:
  OpFoldResult size(Value tensor, int64_t dim) {
    return tensor::getMixedSize(rewriter, loc, tensor, dim);
  }
  Value constant(OpBuilder &builder, double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(wide, value));
  }
  /// An empty tensor of the scores' rows, with `columns` or without.
  Value createEmpty(std::optional<OpFoldResult> columns, Type type);
  Value createFilledScores(std::optional<OpFoldResult> columns, double value);
  /// The product of two tensors, whose rows or columns `map` says.
  Value multiply(Value left, Value right, bool isTransposed, Value into);
  /// A value for each score of what `inputs` have there.
  Value compute(ValueRange inputs, ElementBuilder build);
  /// A value for each row.
  Value reduce(Value scores, double start, ElementBuilder build);
  Value computeScale();
  Value scale(Value scores);
  Value normalize(Value scores);
  void nameLike(linalg::GenericOp generic) {
    generic->setAttr(kWrittenAsAttrName,
                     rewriter.getStringAttr(op->getName().getStringRef()));
  }

  RewriterBase &rewriter;
  AttentionOp op;
  Location loc;
  int64_t rank;
  Type wide;
};
} // namespace

Value AttentionBuilder::createEmpty(std::optional<OpFoldResult> columns,
                                    Type type) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getInputs()[0]);
  sizes.pop_back();
  if (columns)
    sizes.push_back(*columns);
  return tensor::EmptyOp::create(rewriter, loc, sizes, type);
}

Value AttentionBuilder::createFilledScores(std::optional<OpFoldResult> columns,
                                           double value) {
  return linalg::FillOp::create(rewriter, loc, constant(rewriter, value),
                                createEmpty(columns, wide))
      .getResult(0);
}

Value AttentionBuilder::multiply(Value left, Value right, bool isTransposed,
                                 Value into) {
  // Loops: the batch, rows, columns, and what is summed.
  SmallVector<AffineExpr> batch;
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    batch.push_back(rewriter.getAffineDimExpr(dim));
  auto map = [&](int64_t a, int64_t b) {
    SmallVector<AffineExpr> results(batch);
    results.push_back(rewriter.getAffineDimExpr(rank - 2 + a));
    results.push_back(rewriter.getAffineDimExpr(rank - 2 + b));
    return AffineMap::get(rank + 1, 0, results, rewriter.getContext());
  };
  SmallVector<AffineMap> maps = {
      map(0, 2), isTransposed ? map(1, 2) : map(2, 1), map(0, 1)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  auto product = linalg::GenericOp::create(
      rewriter, loc, into.getType(), ValueRange{left, right}, into, maps,
      iterators, [&](OpBuilder &builder, Location, ValueRange arguments) {
        Value a = convertFloat(builder, loc, arguments[0], wide);
        Value b = convertFloat(builder, loc, arguments[1], wide);
        Value term = arith::MulFOp::create(builder, loc, a, b);
        Value sum = arith::AddFOp::create(builder, loc, arguments[2], term);
        linalg::YieldOp::create(builder, loc, sum);
      });
  nameLike(product);
  return product.getResult(0);
}

Value AttentionBuilder::compute(ValueRange inputs, ElementBuilder build) {
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps;
  for (Value input : inputs)
    maps.push_back(
        all.getMajorSubMap(cast<RankedTensorType>(input.getType()).getRank()));
  maps.push_back(all);
  Value empty = createEmpty(size(inputs[0], rank - 1), wide);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, build(builder, arguments));
      });
  nameLike(generic);
  return generic.getResult(0);
}

Value AttentionBuilder::reduce(Value scores, double start,
                               ElementBuilder build) {
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  Value init = createFilledScores(std::nullopt, start);
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), scores, init,
             ArrayRef{all, all.getMajorSubMap(rank - 1)}, iterators,
             [&](OpBuilder &builder, Location, ValueRange arguments) {
               linalg::YieldOp::create(builder, loc, build(builder, arguments));
             })
      .getResult(0);
}

Value AttentionBuilder::computeScale() {
  if (std::optional<APFloat> scale = op.getScale())
    return constant(rewriter, scale->convertToDouble());
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  if (!type.isDynamicDim(rank - 1))
    return constant(rewriter, 1.0 / std::sqrt(std::max<double>(
                                        type.getDimSize(rank - 1), 1)));
  Value depth =
      tensor::DimOp::create(rewriter, loc, op.getInputs()[0], rank - 1);
  depth =
      arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), depth);
  Value number = arith::SIToFPOp::create(rewriter, loc, wide, depth);
  return arith::DivFOp::create(rewriter, loc, constant(rewriter, 1.0),
                               math::SqrtOp::create(rewriter, loc, number));
}

Value AttentionBuilder::scale(Value scores) {
  Value factor = computeScale();
  SmallVector<Value> inputs = {scores};
  if (op.getInputs().size() == 4)
    inputs.push_back(op.getInputs()[3]);
  return compute(inputs, [&](OpBuilder &builder, ValueRange arguments) {
    Value score = arith::MulFOp::create(builder, loc, arguments[0], factor);
    if (arguments.size() == 2)
      return score;
    if (arguments[1].getType().isInteger(1)) {
      Value never = constant(builder, -std::numeric_limits<double>::infinity());
      return arith::SelectOp::create(builder, loc, arguments[1], score, never)
          .getResult();
    }
    Value mask = convertFloat(builder, loc, arguments[1], wide);
    return arith::AddFOp::create(builder, loc, score, mask).getResult();
  });
}

/// The softmax of each row; a row of minus infinity becomes zeros.
Value AttentionBuilder::normalize(Value scores) {
  double lowest = -std::numeric_limits<double>::infinity();
  Value highest =
      reduce(scores, lowest, [&](OpBuilder &builder, ValueRange arguments) {
        return arith::MaximumFOp::create(builder, loc, arguments[0],
                                         arguments[1])
            .getResult();
      });
  Value powers =
      compute({scores, highest}, [&](OpBuilder &builder, ValueRange arguments) {
        // Of two equal infinities the difference is no number.
        Value isMasked =
            arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                  arguments[1], constant(builder, lowest));
        Value from = arith::SelectOp::create(
            builder, loc, isMasked, constant(builder, 0.0), arguments[1]);
        Value power = arith::SubFOp::create(builder, loc, arguments[0], from);
        return math::ExpOp::create(builder, loc, power).getResult();
      });
  Value sums =
      reduce(powers, 0.0, [&](OpBuilder &builder, ValueRange arguments) {
        return arith::AddFOp::create(builder, loc, arguments[0], arguments[1])
            .getResult();
      });
  return compute({powers, sums}, [&](OpBuilder &builder, ValueRange arguments) {
    Value zero = constant(builder, 0.0);
    Value isMasked = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, arguments[1], zero);
    Value part =
        arith::DivFOp::create(builder, loc, arguments[0], arguments[1]);
    return arith::SelectOp::create(builder, loc, isMasked, zero, part)
        .getResult();
  });
}

Value AttentionBuilder::build() {
  Value query = op.getInputs()[0], key = op.getInputs()[1],
        value = op.getInputs()[2], output = op.getOutputs()[0];
  Value scores = multiply(query, key, /*isTransposed=*/true,
                          createFilledScores(size(key, rank - 2), 0.0));
  Value weights = normalize(scale(scores));
  Value sums = multiply(weights, value, /*isTransposed=*/false,
                        createFilledScores(size(value, rank - 1), 0.0));
  Value result = convertElements(rewriter, loc, sums, output);
  nameLike(result.getDefiningOp<linalg::GenericOp>());
  return result;
}

void mlir::hetero::lowerAttention(RewriterBase &rewriter, AttentionOp op) {
  rewriter.replaceOp(op, AttentionBuilder(rewriter, op).build());
}
