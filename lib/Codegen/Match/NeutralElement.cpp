//===- NeutralElement.cpp - Neutral elements of reductions ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NeutralElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

/// For an index, whose width upstream asks for in vain: 64 bits, as in memory.
static TypedAttr getNeutralIndex(Operation *combiner) {
  Builder builder(combiner->getContext());
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(combiner))
    return builder.getIndexAttr(0);
  if (isa<arith::MulIOp>(combiner))
    return builder.getIndexAttr(1);
  if (isa<arith::AndIOp, arith::MinUIOp>(combiner))
    return builder.getIndexAttr(-1);
  if (isa<arith::MaxSIOp>(combiner))
    return builder.getIndexAttr(std::numeric_limits<int64_t>::min());
  if (isa<arith::MinSIOp>(combiner))
    return builder.getIndexAttr(std::numeric_limits<int64_t>::max());
  return {};
}

/// The end of the type's range that maxima (`negative`) or minima start from:
/// an infinity, or the largest number of a format that has none.
static APFloat getLimit(const llvm::fltSemantics &semantics, bool negative,
                        arith::FastMathFlags flags) {
  bool mayBeInfinite = APFloat::semanticsHasInf(semantics) &&
                       !bitEnumContainsAny(flags, arith::FastMathFlags::ninf);
  return mayBeInfinite ? APFloat::getInf(semantics, negative)
                       : APFloat::getLargest(semantics, negative);
}

/// For a maximum or minimum of floats: upstream takes infinity in formats that
/// have none. One that prefers numbers starts from NaN, which so remains where
/// there is nothing else.
static TypedAttr getNeutralFloat(Operation *combiner, FloatType type) {
  bool isMaximum = isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner);
  if (!isMaximum && !isa<arith::MinimumFOp, arith::MinNumFOp>(combiner))
    return {};
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  arith::FastMathFlags flags = cast<arith::ArithFastMathInterface>(combiner)
                                   .getFastMathFlagsAttr()
                                   .getValue();
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(combiner) &&
      APFloat::semanticsHasNaN(semantics) &&
      !bitEnumContainsAny(flags, arith::FastMathFlags::nnan))
    return FloatAttr::get(type, APFloat::getQNaN(semantics));
  return FloatAttr::get(type, getLimit(semantics, isMaximum, flags));
}

TypedAttr mlir::hetero::getNeutralElement(Operation *combiner) {
  Type type = combiner->getResult(0).getType();
  if (type.isIndex())
    return getNeutralIndex(combiner);
  auto floatType = dyn_cast<FloatType>(type);
  if (floatType && isa<arith::AddFOp>(combiner))
    return FloatAttr::get(type, APFloat::getZero(floatType.getFloatSemantics(),
                                                 /*Negative=*/true));
  if (TypedAttr limit =
          floatType ? getNeutralFloat(combiner, floatType) : TypedAttr())
    return limit;
  return arith::getNeutralElement(combiner).value_or(TypedAttr());
}
