//===- Epilogue.cpp - What a convolution's call does at its end -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %1 = convolution(%x, %w) outs(%zeros)
//   %2 = generic(%1, %bias, %y) { max(%1 + %bias + %y, 0) }
//
// is one call that adds its sums and the bias to %y and ends with ReLU. An
// operation is part of the call as a whole or not at all.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What one elementwise operation adds to the call.
struct Epilogue {
  Value bias, residual;
  bool relu = false;
};
} // namespace

/// The operand of a commutative operation beside this one.
static Value getOther(Operation *op, Value value) {
  return op->getOperand(op->getOperand(0) == value ? 1 : 0);
}

/// A sum with an operand of the operation: the bias if that follows only the
/// filters, what the call is added to if it has the result's shape.
static bool matchSum(linalg::GenericOp op, Value term, int64_t filterDim,
                     Epilogue &epilogue) {
  auto argument = dyn_cast<BlockArgument>(term);
  if (!argument || argument.getOwner() != op.getBody() || epilogue.relu)
    return false;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  AffineMap map = op.getMatchingIndexingMap(operand);
  bool isBias =
      map.getNumResults() == 1 &&
      map.getResult(0) == getAffineDimExpr(filterDim, op.getContext());
  Value &place = isBias ? epilogue.bias : epilogue.residual;
  if (place || (!isBias && !map.isIdentity()))
    return false;
  place = operand->get();
  return true;
}

/// Follows the result of the convolution through the body to its end.
static std::optional<Epilogue> matchBody(linalg::GenericOp op,
                                         OpOperand *result, int64_t filterDim) {
  Epilogue epilogue;
  Value value = op.getMatchingBlockArgument(result);
  size_t steps = 0;
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (isa<linalg::YieldOp>(user)) {
      size_t others = llvm::count_if(
          op.getBody()->without_terminator(),
          [](Operation &inner) { return !isa<arith::ConstantOp>(inner); });
      return steps == others ? std::optional(epilogue) : std::nullopt;
    }
    if (isa<arith::AddFOp>(user)) {
      if (!matchSum(op, getOther(user, value), filterDim, epilogue))
        return std::nullopt;
    } else if (isa<arith::MaximumFOp, arith::MaxNumFOp>(user) &&
               matchPattern(getOther(user, value), m_AnyZeroFloat())) {
      epilogue.relu = true;
    } else {
      return std::nullopt;
    }
    value = user->getResult(0);
    ++steps;
  }
  return std::nullopt;
}

/// The elementwise operation that alone reads the result, if the call can do
/// the same.
static std::optional<Epilogue> matchNext(const Candidate &candidate,
                                         int64_t filterDim,
                                         linalg::GenericOp &next) {
  Operation *root = candidate.getRoot();
  OpOperand *use;
  next = findSoleReader(root, use);
  if (!next || !next.isDpsInput(use) ||
      !next.getMatchingIndexingMap(use).isIdentity())
    return std::nullopt;
  OpOperand *init = next.getDpsInitOperand(0);
  Value end = next.getMatchingBlockArgument(init);
  if (!end.use_empty() || !next.getMatchingIndexingMap(init).isIdentity() ||
      next->getResultTypes() != root->getResultTypes())
    return std::nullopt;
  return matchBody(next, use, filterDim);
}

void mlir::hetero::absorbEpilogue(Candidate &candidate) {
  constexpr unsigned kRelu = 1, kFilter = 1;
  int64_t filterDim = candidate.orders.back()[kFilter];
  linalg::GenericOp next;
  while (std::optional<Epilogue> epilogue =
             matchNext(candidate, filterDim, next)) {
    bool hasBias = candidate.inputs.size() == 3;
    bool isOver = candidate.parameters[kRelu] != 0;
    if (isOver || (hasBias && epilogue->bias) ||
        (candidate.accumulate && epilogue->residual))
      return;
    if (epilogue->bias) {
      SmallVector<int64_t> order(candidate.orders.back().size(), -1);
      order[kFilter] = 0;
      candidate.inputs.push_back(epilogue->bias);
      candidate.orders.insert(candidate.orders.end() - 1, order);
    }
    candidate.init = epilogue->residual     ? epilogue->residual
                     : candidate.accumulate ? candidate.init
                                            : next.getDpsInits()[0];
    candidate.accumulate |= static_cast<bool>(epilogue->residual);
    candidate.parameters[kRelu] = epilogue->relu;
    candidate.ops.push_back(next);
  }
}
