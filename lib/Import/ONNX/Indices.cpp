//===- Indices.cpp - Arithmetic of sizes ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The hash of what an operation computes.
static size_t getHash(Operation *op) {
  return OperationEquivalence::computeHash(
      op, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
}

Value Indices::findEqual(Value value) const {
  Operation *op = value.getDefiningOp();
  auto [first, last] = made.equal_range(getHash(op));
  for (auto it = first; it != last; ++it) {
    Operation *other = it->second;
    if (other != op && other->getBlock() == op->getBlock() &&
        OperationEquivalence::isEquivalentTo(
            op, other, OperationEquivalence::exactValueMatch,
            /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations))
      return other->getResult(0);
  }
  return value;
}

Value Indices::unique(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() || op->getBlock() != b.getInsertionBlock())
    return value;
  size_t hash = getHash(op);
  auto [first, last] = made.equal_range(hash);
  if (std::any_of(first, last, [&](auto &row) { return row.second == op; }))
    return value;
  Value found = findEqual(value);
  if (found == value)
    made.emplace(hash, op);
  else if (op->use_empty())
    op->erase();
  return found;
}

OpFoldResult Indices::apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  OpFoldResult result = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(operands.size(), 0, expr), operands);
  if (auto value = dyn_cast<Value>(result))
    return unique(value);
  return result;
}

/// The attribute or the value that an operation folds to.
static OpFoldResult asFoldResult(Value value) {
  return getAsOpFoldResult(value);
}

OpFoldResult Indices::add(OpFoldResult lhs, OpFoldResult rhs) {
  return apply(b.getAffineDimExpr(0) + b.getAffineDimExpr(1), {lhs, rhs});
}

OpFoldResult Indices::sub(OpFoldResult lhs, OpFoldResult rhs) {
  return apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {lhs, rhs});
}

OpFoldResult Indices::mul(OpFoldResult lhs, OpFoldResult rhs) {
  if (getInt(lhs))
    std::swap(lhs, rhs);
  std::optional<int64_t> factor = getInt(rhs);
  if (factor == 0)
    return constant(0);
  if (factor)
    return apply(b.getAffineDimExpr(0) * *factor, {lhs});
  // The order of factors is that of their making where it is the same block.
  return asFoldResult(
      unique(b.createOrFold<arith::MulIOp>(loc, value(lhs), value(rhs))));
}

OpFoldResult Indices::floorDiv(OpFoldResult lhs, OpFoldResult rhs) {
  if (std::optional<int64_t> divisor = getInt(rhs); divisor && *divisor > 0)
    return apply(b.getAffineDimExpr(0).floorDiv(*divisor), {lhs});
  // What is divided by nothing is nothing.
  return asFoldResult(unique(b.createOrFold<arith::FloorDivSIOp>(
      loc, value(lhs), value(max(rhs, constant(1))))));
}

OpFoldResult Indices::ceilDiv(OpFoldResult lhs, OpFoldResult rhs) {
  if (std::optional<int64_t> divisor = getInt(rhs); divisor && *divisor > 0)
    return apply(b.getAffineDimExpr(0).ceilDiv(*divisor), {lhs});
  return asFoldResult(unique(b.createOrFold<arith::CeilDivSIOp>(
      loc, value(lhs), value(max(rhs, constant(1))))));
}

OpFoldResult Indices::min(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return lhs;
  return asFoldResult(
      unique(b.createOrFold<arith::MinSIOp>(loc, value(lhs), value(rhs))));
}

OpFoldResult Indices::max(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return lhs;
  return asFoldResult(
      unique(b.createOrFold<arith::MaxSIOp>(loc, value(lhs), value(rhs))));
}

OpFoldResult Indices::select(OpFoldResult condition, OpFoldResult yes,
                             OpFoldResult no) {
  if (std::optional<int64_t> known = getInt(condition))
    return *known ? yes : no;
  if (yes == no)
    return yes;
  return asFoldResult(unique(b.createOrFold<arith::SelectOp>(
      loc, value(condition), value(yes), value(no))));
}

OpFoldResult Indices::less(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return b.getBoolAttr(false);
  return asFoldResult(unique(b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, value(lhs), value(rhs))));
}

OpFoldResult Indices::equal(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return b.getBoolAttr(true);
  return asFoldResult(unique(b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, value(lhs), value(rhs))));
}

OpFoldResult Indices::product(ArrayRef<OpFoldResult> sizes) {
  OpFoldResult result = constant(1);
  for (OpFoldResult size : sizes)
    result = mul(result, size);
  return result;
}

Value Indices::value(OpFoldResult index) {
  if (auto value = dyn_cast<Value>(index))
    return value;
  auto attribute = cast<IntegerAttr>(cast<Attribute>(index));
  Value made;
  if (attribute.getType().isInteger(1))
    made = arith::ConstantOp::create(b, loc, attribute);
  else
    made = arith::ConstantIndexOp::create(b, loc, attribute.getInt());
  return unique(made);
}

SmallVector<Value> Indices::values(ArrayRef<OpFoldResult> indices) {
  return llvm::map_to_vector(indices,
                             [&](OpFoldResult index) { return value(index); });
}

OpFoldResult Indices::fromElement(OpFoldResult element, bool isUnsigned) {
  if (auto attribute = dyn_cast<Attribute>(element)) {
    APInt number = cast<IntegerAttr>(attribute).getValue();
    return constant(isUnsigned ? number.getZExtValue() : number.getSExtValue());
  }
  Value scalar = cast<Value>(element);
  Operation *op = scalar.getDefiningOp();
  auto part = [&](unsigned i) {
    return fromElement(getAsOpFoldResult(op->getOperand(i)), isUnsigned);
  };
  if (scalar.getType().isInteger(64)) {
    if (isa_and_nonnull<arith::AddIOp>(op))
      return add(part(0), part(1));
    if (isa_and_nonnull<arith::SubIOp>(op))
      return sub(part(0), part(1));
    if (isa_and_nonnull<arith::MulIOp>(op))
      return mul(part(0), part(1));
  }
  if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
      op->getOperand(0).getType().isIndex())
    return op->getOperand(0);
  if (isa_and_nonnull<arith::ExtSIOp>(op) ||
      (isa_and_nonnull<arith::TruncIOp>(op) &&
       op->getOperand(0).getType().isInteger(64)))
    // Sizes of int32 that are cast from and to int64.
    if (Operation *inner = op->getOperand(0).getDefiningOp();
        isa_and_nonnull<arith::IndexCastOp>(inner))
      return part(0);
  Type index = b.getIndexType();
  return unique(isUnsigned
                    ? b.createOrFold<arith::IndexCastUIOp>(loc, index, scalar)
                    : b.createOrFold<arith::IndexCastOp>(loc, index, scalar));
}

OpFoldResult Indices::toElement(OpFoldResult index, ElementType type) {
  auto storage = cast<IntegerType>(getStorageType(b.getContext(), type));
  if (std::optional<int64_t> number = getInt(index))
    return b.getIntegerAttr(
        storage, APInt(64, *number, true).sextOrTrunc(storage.getWidth()));
  return unique(
      b.createOrFold<arith::IndexCastOp>(loc, storage, cast<Value>(index)));
}
