//===- WidenSums.cpp - Sums of narrow floats are f32 ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = generic ins(%a, %b : f16, f16) outs(%c : f16) {
//     %p = arith.mulf %x, %y : f16
//     %s = arith.addf %old, %p : f16
//   }
//
// becomes, on tensors,
//
//   %w = generic { arith.extf } ins(%c) outs(%empty : f32)
//   %s = generic ins(%a, %b : f16, f16) outs(%w : f32) {
//     %p = arith.mulf (arith.extf %x), (arith.extf %y) : f32
//     %s = arith.addf %old, %p : f32
//   }
//   %r = generic { arith.truncf } ins(%s) outs(%c : f16)
//
//===----------------------------------------------------------------------===//

#include "WidenSums.h"

#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isNarrow(Type type, unsigned bits = 32) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() < bits;
}

Value mlir::hetero::convertFloat(OpBuilder &builder, Location loc, Value value,
                                 Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return builder.createOrFold<arith::ExtFOp>(loc, type, value);
  return builder.createOrFold<arith::TruncFOp>(loc, type, value);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// True if the operation gives one of its operands, or compares them.
static bool selects(Operation *op) {
  return isa<CastOpInterface, arith::SelectOp, arith::CmpFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
}

/// True if what the operation computes from floats is the same in other types.
static bool isTypeless(Operation *op) {
  return op->getNumRegions() == 0 &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         !isa<arith::BitcastOp>(op);
}

/// True for operations whose operands are terms, or factors of terms, if their
/// result is added.
static bool isArithmetic(Operation *op) {
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                         arith::NegFOp>(op);
}

namespace {
/// Makes sums of a body as wide as `type`.
class BodyWidener {
public:
  BodyWidener(linalg::LinalgOp op, ArrayRef<unsigned> sums, FloatType type)
      : body(op.getBlock()), builder(op.getContext()), wideType(type),
        results(sums), firstOld(op.getNumDpsInputs()) {
    if (!findUsers())
      results.clear();
  }

  /// The results that can be made wide.
  ArrayRef<unsigned> getResults() const { return results; }

  void run();

private:
  bool isNarrow(Type type) const {
    return ::isNarrow(type, Type(wideType).getIntOrFloatBitWidth());
  }
  /// The wide type for a narrow float, else the type itself.
  Type getWideType(Type type) const {
    return isNarrow(type) ? Type(wideType) : type;
  }
  bool findUsers();
  Value widen(Value value, bool isTerm);
  Value recompute(Operation *op);
  void yield();

  Block *body;
  OpBuilder builder;
  FloatType wideType;
  SmallVector<unsigned> results;
  unsigned firstOld;
  /// The operations that compute with old values, in order.
  SmallVector<Operation *> users;
  /// Their results, and the old values, in the wide type.
  IRMapping wide;
};
} // namespace

/// Finds what computes with the old values; false if nothing of that rounds, or
/// if some of it has no form in another type.
bool BodyWidener::findUsers() {
  llvm::SmallPtrSet<Value, 8> dependent;
  for (unsigned result : results)
    dependent.insert(body->getArgument(firstOld + result));
  bool rounds = false;
  for (Operation &op : body->without_terminator()) {
    bool isUser = false;
    op.walk([&](Operation *inner) {
      isUser |= llvm::any_of(inner->getOperands(), [&](Value operand) {
        return dependent.contains(operand);
      });
    });
    if (!isUser)
      continue;
    if (!isTypeless(&op))
      return false;
    rounds |= !selects(&op);
    users.push_back(&op);
    dependent.insert_range(op.getResults());
  }
  return rounds;
}

/// A value that an operation on wide ones takes. Of a term, the arithmetic that
/// it is made of is done again.
Value BodyWidener::widen(Value value, bool isTerm) {
  if (wide.contains(value) || !isNarrow(value.getType()))
    return wide.lookupOrDefault(value);
  Operation *source = value.getDefiningOp();
  if (isTerm && isArithmetic(source) && source->getBlock() == body)
    return recompute(source);
  return convertFloat(builder, value.getLoc(), value,
                      getWideType(value.getType()));
}

Value BodyWidener::recompute(Operation *op) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    Value source = wide.lookupOrDefault(op->getOperand(0));
    return convertFloat(builder, op->getLoc(), source,
                        getWideType(op->getResult(0).getType()));
  }
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, widen(operand, isArithmetic(op)));
  Operation *clone = builder.clone(*op, operands);
  for (Value result : clone->getResults())
    result.setType(getWideType(result.getType()));
  return clone->getResult(0);
}

void BodyWidener::yield() {
  Operation *terminator = body->getTerminator();
  builder.setInsertionPoint(terminator);
  for (auto [index, operand] : llvm::enumerate(terminator->getOpOperands())) {
    Value value = operand.get();
    if (llvm::is_contained(results, index))
      operand.set(widen(value, /*isTerm=*/true));
    else if (wide.contains(value))
      operand.set(
          isa<FloatType>(value.getType())
              ? convertFloat(builder, value.getLoc(), wide.lookup(value),
                             body->getArgument(firstOld + index).getType())
              : wide.lookup(value));
  }
}

void BodyWidener::run() {
  for (unsigned result : results) {
    BlockArgument old = body->getArgument(firstOld + result);
    old.setType(getWideType(old.getType()));
    wide.map(Value(old), Value(old));
  }
  for (Operation *op : users) {
    builder.setInsertionPoint(op);
    wide.map(op->getResult(0), recompute(op));
  }
  yield();
  for (Operation *op : llvm::reverse(users))
    op->erase();
  IRRewriter rewriter(builder);
  (void)runRegionDCE(rewriter, *body->getParent());
}

/// The results of narrow floats that depend on their old values.
static SmallVector<unsigned> findNarrowSums(linalg::LinalgOp op) {
  SmallVector<unsigned> sums;
  if (op.getNumReductionLoops() == 0)
    return sums;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    BlockArgument old = op.getMatchingBlockArgument(&init);
    if (isNarrow(old.getType()) && !old.use_empty())
      sums.push_back(init.getOperandNumber() - op.getNumDpsInputs());
  }
  return sums;
}

SmallVector<unsigned> mlir::hetero::widenBody(linalg::LinalgOp op) {
  BodyWidener widener(op, findNarrowSums(op),
                      Float32Type::get(op.getContext()));
  if (!widener.getResults().empty())
    widener.run();
  return llvm::to_vector(widener.getResults());
}

void mlir::hetero::widenTerms(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    OpBuilder builder(op.getContext());
    for (unsigned result : widenBody(op)) {
      OpOperand *init = op.getDpsInitOperand(result);
      BlockArgument old = op.getMatchingBlockArgument(init);
      Type wide = old.getType();
      old.setType(getElementTypeOrSelf(init->get().getType()));
      builder.setInsertionPointToStart(op.getBody());
      auto extended = arith::ExtFOp::create(builder, old.getLoc(), wide, old);
      old.replaceAllUsesExcept(extended, extended);
      OpOperand &yielded = op.getBody()->getTerminator()->getOpOperand(result);
      builder.setInsertionPoint(yielded.getOwner());
      yielded.set(
          convertFloat(builder, op.getLoc(), yielded.get(), old.getType()));
    }
  });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value mlir::hetero::convertElements(OpBuilder &builder, Location loc,
                                    Value from, Value to) {
  auto type = cast<RankedTensorType>(to.getType());
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto convert = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    linalg::YieldOp::create(
        inner, loc,
        convertFloat(inner, loc, arguments[0], type.getElementType()));
  };
  return linalg::GenericOp::create(builder, loc, type, from, to,
                                   ArrayRef{map, map}, iterators, convert)
      .getResult(0);
}

/// What the elements of a tensor were filled with, and the tensor before that.
static std::pair<Value, Value> findFiller(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!fill)
    return {};
  unsigned result = cast<OpResult>(tensor).getResultNumber();
  Value value = getFillValue(fill, result);
  return {value, value ? fill.getDpsInits()[result] : Value()};
}

/// A sum's initial value in a wider type; `to` becomes where the result is
/// written.
static Value widenInit(RewriterBase &rewriter, Location loc, Value &to,
                       FloatType wide) {
  auto [filler, before] = findFiller(to);
  Value from = to;
  if (filler)
    to = before;
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, to), wide);
  if (!filler)
    return convertElements(rewriter, loc, from, empty);
  auto fill = linalg::FillOp::create(
      rewriter, loc, convertFloat(rewriter, loc, filler, wide), empty);
  // Later steps look for generic operations.
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, fill);
  return succeeded(generic) ? generic->getResult(0) : fill.getResult(0);
}

void mlir::hetero::widenSums(RewriterBase &rewriter, linalg::GenericOp op,
                             ArrayRef<unsigned> sums, FloatType type) {
  if (BodyWidener(op, sums, type).getResults().empty())
    return;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands(op->getOperands()), targets(op.getDpsInits());
  SmallVector<Type> types(op->getResultTypes());
  for (unsigned sum : sums) {
    Value init = widenInit(rewriter, loc, targets[sum], type);
    operands[op.getNumDpsInputs() + sum] = init;
    types[sum] = init.getType();
  }
  linalg::GenericOp wide = clone(rewriter, op, types, operands);
  BodyWidener(wide, sums, type).run();
  rewriter.setInsertionPointAfter(wide);
  SmallVector<Value> results(wide.getResults());
  for (unsigned sum : sums)
    results[sum] = convertElements(rewriter, loc, results[sum], targets[sum]);
  rewriter.replaceOp(op, results);
}

LogicalResult mlir::hetero::widenSums(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops)
    widenSums(rewriter, op, findNarrowSums(op), rewriter.getF32Type());
  return success();
}
