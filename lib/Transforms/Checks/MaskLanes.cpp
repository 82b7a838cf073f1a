//===- MaskLanes.cpp - Which lanes of a vector are on ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of %m up to the last that is on:
//
//   %m = vector.create_mask %n : vector<8xi1>    the number min(max(%n, 0), 8)
//
//   %m = arith.cmpf ... : vector<8xf32>          the maximum of [1, 2, ..., 8]
//                                                where %m is on, of 0 elsewhere
//
//===----------------------------------------------------------------------===//

#include "MaskLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<OpFoldResult> MaskLanes::getBounds() const {
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return getAsOpFoldResult(create.getOperands());
  MLIRContext *context = mask.getContext();
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    return getAsIndexOpFoldResult(context, constant.getMaskDimSizes());
  DenseElementsAttr elements;
  if (!matchPattern(mask, m_Constant(&elements)) || !elements.isSplat())
    return {};
  SmallVector<int64_t> none(getType().getRank(), 0);
  return getAsIndexOpFoldResult(context, elements.getSplatValue<bool>()
                                             ? getType().getShape()
                                             : ArrayRef(none));
}

Value MaskLanes::compare(arith::CmpIPredicate predicate, Value value,
                         int64_t number) {
  Value constant = arith::ConstantIndexOp::create(builder, loc, number);
  return arith::CmpIOp::create(builder, loc, predicate, value, constant);
}

Value MaskLanes::reduce(DenseElementsAttr numbers, vector::CombiningKind kind) {
  VectorType type = cast<VectorType>(numbers.getType());
  Value on = arith::ConstantOp::create(builder, loc, numbers);
  Value off = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  Value chosen = arith::SelectOp::create(builder, loc, mask, on, off);
  auto flat = VectorType::get(type.getNumElements(), type.getElementType());
  if (type != flat)
    chosen = vector::ShapeCastOp::create(builder, loc, flat, chosen);
  return vector::ReductionOp::create(builder, loc, kind, chosen);
}

OpFoldResult MaskLanes::countToLast(int64_t dim) {
  int64_t size = getType().getDimSize(dim);
  SmallVector<OpFoldResult> bounds = getBounds();
  if (bounds.empty()) {
    SmallVector<int64_t> strides = computeStrides(getType().getShape());
    SmallVector<Attribute> numbers;
    for (int64_t lane = 0; lane < getType().getNumElements(); ++lane)
      numbers.push_back(builder.getIndexAttr(lane / strides[dim] % size + 1));
    auto type = getType().clone(builder.getIndexType());
    return reduce(DenseElementsAttr::get(type, numbers),
                  vector::CombiningKind::MAXUI);
  }
  if (std::optional<int64_t> bound = getConstantIntValue(bounds[dim]))
    return builder.getIndexAttr(std::clamp<int64_t>(*bound, 0, size));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all = arith::ConstantIndexOp::create(builder, loc, size);
  Value positive =
      arith::MaxSIOp::create(builder, loc, cast<Value>(bounds[dim]), zero);
  return arith::MinSIOp::create(builder, loc, positive, all).getResult();
}

Value MaskLanes::countOn() {
  auto type = getType().clone(builder.getIndexType());
  return reduce(
      DenseElementsAttr::get(type, Attribute(builder.getIndexAttr(1))),
      vector::CombiningKind::ADD);
}

Value MaskLanes::isIdle() {
  SmallVector<OpFoldResult> bounds = getBounds();
  if (bounds.empty())
    return compare(arith::CmpIPredicate::eq, countOn(), 0);
  Value idle;
  for (OpFoldResult bound : bounds) {
    if (std::optional<int64_t> constant = getConstantIntValue(bound)) {
      if (*constant <= 0)
        return arith::ConstantIntOp::create(builder, loc, 1, 1);
      continue;
    }
    Value isOff = compare(arith::CmpIPredicate::sle, cast<Value>(bound), 0);
    idle = idle ? arith::OrIOp::create(builder, loc, idle, isOff).getResult()
                : isOff;
  }
  return idle;
}
