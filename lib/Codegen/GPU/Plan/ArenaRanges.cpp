//===- ArenaRanges.cpp - Which parts of an arena are apart ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the plan of memory does not know sizes, offsets are sums and maxima of
// rounded products of sizes (lib/Transforms/Schedule/ArenaSizes.cpp):
//
//   %size = arith.muli %n, %c256
//   %stop = arith.addi %offset, %size
//   %other = arith.maxsi %stop, %more
//   memref.view %arena[%offset][%n] : ... to memref<?x64xf32>
//   memref.view %arena[%other][%m] : ... to memref<?xf32>      // apart
//
//===----------------------------------------------------------------------===//

#include "ArenaRanges.h"

#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hetero;

/// Products, sums and maxima that are nested more deeply are not looked at.
static constexpr unsigned kMostDepth = 8;

namespace {
/// Bytes: a number times sizes that are not known.
struct Bytes {
  int64_t factor = 1;
  SmallVector<Value, 2> sizes;
};
} // namespace

static Bytes getBytes(memref::ViewOp view) {
  return {getStaticBytes(view.getType()), llvm::to_vector<2>(view.getSizes())};
}

static bool isZero(Value value) { return isConstantIntValue(value, 0); }

/// True if the value is zero or more, unless it wraps around.
static bool isNonNegative(Value value, unsigned depth = 0) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0;
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMostDepth)
    return false;
  auto isOperand = [&](Value operand) {
    return isNonNegative(operand, depth + 1);
  };
  if (isa<arith::MaxSIOp>(op))
    return llvm::any_of(op->getOperands(), isOperand);
  if (isa<arith::AndIOp>(op))
    return isOperand(op->getOperand(0));
  return isa<memref::DimOp>(op) || (isa<arith::AddIOp, arith::MulIOp>(op) &&
                                    llvm::all_of(op->getOperands(), isOperand));
}

/// What is rounded up, or not less than zero.
static Value skipRounding(Value value) {
  if (auto mask = value.getDefiningOp<arith::AndIOp>()) {
    std::optional<int64_t> constant = getConstantIntValue(mask.getRhs());
    auto sum = mask.getLhs().getDefiningOp<arith::AddIOp>();
    if (constant && *constant < 0 && sum &&
        isConstantIntValue(sum.getRhs(), -*constant - 1))
      value = sum.getLhs();
  }
  if (auto positive = value.getDefiningOp<arith::MaxSIOp>();
      positive && isZero(positive.getRhs()))
    value = positive.getLhs();
  return value;
}

/// True if the value is at least as many bytes.
static bool covers(Value value, Bytes bytes) {
  int64_t factor = 1;
  SmallVector<Value> factors{skipRounding(value)};
  while (!factors.empty()) {
    Value next = factors.pop_back_val();
    if (std::optional<int64_t> constant = getConstantIntValue(next)) {
      factor = multiplySizes(factor, *constant);
      continue;
    }
    auto *size = llvm::find(bytes.sizes, next);
    if (size != bytes.sizes.end()) {
      bytes.sizes.erase(size);
      continue;
    }
    auto product = next.getDefiningOp<arith::MulIOp>();
    if (!product)
      return false;
    llvm::append_range(factors, product->getOperands());
  }
  return bytes.sizes.empty() && factor >= bytes.factor;
}

/// True if `offset` is at or after the end of the view.
static bool isAfter(Value offset, memref::ViewOp view) {
  Bytes bytes = getBytes(view);
  bool isFirst = isZero(view.getByteShift());
  SmallVector<Value> values{offset};
  llvm::SmallDenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (isFirst && covers(value, bytes))
      return true;
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<arith::AddIOp, arith::MaxSIOp>(op))
      continue;
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (isa<arith::AddIOp>(op)) {
      if ((a == view.getByteShift() && covers(b, bytes)) ||
          (b == view.getByteShift() && covers(a, bytes)))
        return true;
      // A sum is no less than one side if the other is not negative.
      if (isNonNegative(b))
        values.push_back(a);
      if (isNonNegative(a))
        values.push_back(b);
      continue;
    }
    values.append({a, b});
  }
  return false;
}

/// The bytes of a view at a place that is known: begin and end.
static std::optional<std::pair<int64_t, int64_t>>
getRange(memref::ViewOp view) {
  std::optional<int64_t> begin = getConstantIntValue(view.getByteShift());
  if (!begin || !view.getType().hasStaticShape())
    return std::nullopt;
  return std::pair(*begin, *begin + getBytes(view).factor);
}

bool mlir::hetero::areApart(memref::ViewOp a, memref::ViewOp b) {
  auto first = getRange(a), second = getRange(b);
  if (first && second)
    return first->second <= second->first || second->second <= first->first;
  return isAfter(a.getByteShift(), b) || isAfter(b.getByteShift(), a);
}
