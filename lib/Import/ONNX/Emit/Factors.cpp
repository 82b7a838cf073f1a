//===- Factors.cpp - Products of sizes ------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// A constant times values, which may be there several times.
struct Factors {
  int64_t constant = 1;
  SmallVector<Value> values;
  /// Sizes that their maker has still to refuse.
  bool isTooLarge = false;

  void scale(int64_t number) {
    isTooLarge |= bool(llvm::MulOverflow(constant, number, constant));
  }

  void add(OpFoldResult size) {
    if (std::optional<int64_t> number = getInt(size))
      scale(*number);
    else
      add(cast<Value>(size));
  }

  void add(Value value) {
    if (auto product = value.getDefiningOp<arith::MulIOp>()) {
      add(OpFoldResult(product.getLhs()));
      add(OpFoldResult(product.getRhs()));
      return;
    }
    auto apply = value.getDefiningOp<affine::AffineApplyOp>();
    if (apply && apply.getNumOperands() == 1)
      if (auto expr =
              dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
          expr && expr.getKind() == AffineExprKind::Mul &&
          !isa<AffineBinaryOpExpr>(expr.getLHS()))
        if (auto number = dyn_cast<AffineConstantExpr>(expr.getRHS())) {
          scale(number.getValue());
          add(apply.getOperand(0));
          return;
        }
    values.push_back(value);
  }

  /// Takes off what both have.
  void cancel(Factors &other) {
    for (size_t i = 0; i < values.size();) {
      auto it = llvm::find(other.values, values[i]);
      if (it == other.values.end()) {
        ++i;
        continue;
      }
      other.values.erase(it);
      values.erase(values.begin() + i);
    }
    int64_t common = std::gcd(constant, other.constant);
    if (common > 1) {
      constant /= common;
      other.constant /= common;
    }
  }

  OpFoldResult multiply(Indices &ix) const {
    OpFoldResult product = ix.constant(1);
    for (Value value : values)
      product = ix.mul(product, value);
    return ix.mul(product, ix.constant(constant));
  }
};
} // namespace

static Factors getFactors(ArrayRef<OpFoldResult> sizes) {
  Factors factors;
  for (OpFoldResult size : sizes)
    factors.add(size);
  return factors;
}

bool onnx::haveEqualProducts(ArrayRef<OpFoldResult> lhs,
                             ArrayRef<OpFoldResult> rhs) {
  Factors left = getFactors(lhs), right = getFactors(rhs);
  left.cancel(right);
  return !left.isTooLarge && !right.isTooLarge && left.values.empty() &&
         right.values.empty() && left.constant == right.constant;
}

OpFoldResult onnx::divideProducts(Indices &ix, ArrayRef<OpFoldResult> dividend,
                                  ArrayRef<OpFoldResult> divisor) {
  Factors left = getFactors(dividend), right = getFactors(divisor);
  if (right.constant == 0 || left.isTooLarge || right.isTooLarge)
    return ix.constant(0);
  left.cancel(right);
  if (right.values.empty() && right.constant == 1)
    return left.multiply(ix);
  // A size that only the run knows may be 0.
  return ix.floorDiv(left.multiply(ix),
                     ix.max(right.multiply(ix), ix.constant(1)));
}
