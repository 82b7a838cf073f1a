//===- BlockedSums.cpp - Sums in blocks -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedSums.h"

#include "Codegen/CPU/Plan/SumPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

BlockedSums::BlockedSums(LoopNest &nest) : nest(nest) {
  for (unsigned result = 0; result < nest.op.getNumDpsInits(); ++result)
    results.push_back(nest.plan.sums && isBlockedSum(nest.op, result));
}

/// The same, of another type of elements.
static Type changeElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

Type BlockedSums::getWideType(unsigned result, Type type) const {
  return results[result]
             ? changeElement(type, Float64Type::get(type.getContext()))
             : type;
}

/// True for an accumulator between blocks of what is carried at `index`.
bool BlockedSums::isWide(unsigned index, Type type) const {
  return !isa<TensorType>(type) && results[index % results.size()] &&
         getElementTypeOrSelf(type).isF64();
}

SmallVector<Value> BlockedSums::widen(Values accumulators) {
  for (auto [index, value] : llvm::enumerate(accumulators)) {
    if (!value || isa<TensorType>(value.getType()))
      continue;
    Type type = getWideType(index % results.size(), value.getType());
    if (type != value.getType())
      value = nest.rewriter.createOrFold<arith::ExtFOp>(nest.loc, type, value);
  }
  return accumulators;
}

SmallVector<Value> BlockedSums::narrow(Values accumulators) {
  Type element = nest.rewriter.getF32Type();
  for (auto [index, value] : llvm::enumerate(accumulators))
    if (value && isWide(index, value.getType()))
      value = arith::TruncFOp::create(nest.rewriter, nest.loc,
                                      changeElement(value.getType(), element),
                                      value);
  return accumulators;
}

SmallVector<Value>
BlockedSums::emitBlock(Values carried,
                       llvm::function_ref<Values(Values)> body) {
  Values block = carried;
  Type element = nest.rewriter.getF32Type();
  for (auto [index, value] : llvm::enumerate(block))
    if (isWide(index, value.getType())) {
      Type type = changeElement(value.getType(), element);
      TypedAttr neutral = nest.rewriter.getF32FloatAttr(-0.0f);
      if (auto vector = dyn_cast<VectorType>(type))
        neutral = DenseElementsAttr::get(vector, Attribute(neutral));
      value = arith::ConstantOp::create(nest.rewriter, nest.loc, neutral);
    }
  block = body(block);
  for (auto [index, value] : llvm::enumerate(block)) {
    Value sum = carried[index];
    if (!isWide(index, sum.getType()))
      continue;
    Value wide =
        arith::ExtFOp::create(nest.rewriter, nest.loc, sum.getType(), value);
    value = arith::AddFOp::create(nest.rewriter, nest.loc, sum, wide);
  }
  return block;
}

SmallVector<Value> BlockedSums::emitLoop(unsigned loop, OpFoldResult lower,
                                         OpFoldResult upper, int64_t step,
                                         Values carried, LoopBodyFn body) {
  if (!isBlocked(loop))
    return nest.emitLoop(lower, upper, step, carried, body);
  std::optional<int64_t> from = getConstantIntValue(lower);
  std::optional<int64_t> to = getConstantIntValue(upper);
  if (lower == upper || (from && to && *from >= *to))
    return carried;
  int64_t length = nest.plan.sums->steps * step;
  AffineExpr first = nest.symbol(0), end = nest.symbol(1);
  OpFoldResult whole = nest.apply(
      first + (end - first).floorDiv(length) * length, {lower, upper});
  auto emitPart = [&](OpFoldResult from, OpFoldResult to, Values sums) {
    return emitBlock(sums, [&](Values block) {
      return nest.emitLoop(from, to, step, block, body);
    });
  };
  carried = nest.emitLoop(
      lower, whole, length, carried, [&](Value index, Values sums) {
        OpFoldResult next = nest.apply(first + length, {OpFoldResult(index)});
        return emitPart(getAsOpFoldResult(index), next, sums);
      });
  std::optional<int64_t> done = getConstantIntValue(whole);
  return done && done == to ? carried : emitPart(whole, upper, carried);
}
