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

TypedAttr mlir::hetero::getNeutralElement(Operation *combiner) {
  Type type = combiner->getResult(0).getType();
  if (type.isIndex())
    return getNeutralIndex(combiner);
  auto floatType = dyn_cast<FloatType>(type);
  if (floatType && isa<arith::AddFOp>(combiner))
    return FloatAttr::get(type, APFloat::getZero(floatType.getFloatSemantics(),
                                                 /*Negative=*/true));
  return arith::getNeutralElement(combiner).value_or(TypedAttr());
}
