//===- TosaPads.cpp - Pads of TOSA by a computed value --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = tosa.pad %x, %shape, %value : (tensor<4xf32>, ..., tensor<1xf32>)
//     ->
//   %v = tensor.extract %value[%c0] : tensor<1xf32>
//   %0 = tensor.pad %x low[1] high[2] { tensor.yield %v }
//
// Upstream's lowering makes the same of it, but inside of the region, where the
// host would read memory of the device. Before placement, the value is one
// that the host has or copies.
//
//===----------------------------------------------------------------------===//

#include "TosaPads.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

/// What is padded before and after each dimension; none if it is not known.
static std::optional<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>>
getWidths(tosa::PadOp op) {
  SmallVector<int64_t> widths, low, high;
  Operation *shape = op.getPadding().getDefiningOp();
  if (!shape || !tosa::getConstShapeValues(shape, widths))
    return std::nullopt;
  for (auto [index, width] : llvm::enumerate(widths))
    (index % 2 == 0 ? low : high).push_back(width);
  bool isKnown = llvm::all_of(widths, [](int64_t width) { return width >= 0; });
  return isKnown ? std::optional(std::pair(low, high)) : std::nullopt;
}

static void lower(tosa::PadOp op) {
  auto input = dyn_cast<RankedTensorType>(op.getInput1().getType());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto widths = getWidths(op);
  if (!input || !type || !widths ||
      !isa<RankedTensorType>(op.getPadConst().getType()))
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto toSizes = [&](ArrayRef<int64_t> sizes) {
    return getAsIndexOpFoldResult(op.getContext(), sizes);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value value = tensor::ExtractOp::create(builder, loc, op.getPadConst(), zero);
  auto pad = tensor::PadOp::create(builder, loc, /*resultType=*/Type(),
                                   op.getInput1(), toSizes(widths->first),
                                   toSizes(widths->second), value);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    pad->setDiscardableAttr(attr.getName(), attr.getValue());
  Value result = pad;
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  op.replaceAllUsesWith(result);
  op.erase();
}

void mlir::hetero::lowerComputedPads(ModuleOp module) {
  SmallVector<tosa::PadOp> ops;
  module.walk([&](tosa::PadOp op) {
    if (!matchPattern(op.getPadConst(), m_Constant()))
      ops.push_back(op);
  });
  for (tosa::PadOp op : ops)
    lower(op);
}
