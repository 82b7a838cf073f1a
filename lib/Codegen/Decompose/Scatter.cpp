//===- Scatter.cpp - Loops over the updates of a scatter ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scatter.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "TMTensorLoops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

/// True if what several updates of narrow floats make of an element is rounded
/// in each, so that it is computed in f32.
static bool isWidened(ScatterOp op) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op.getOutputs()[0]));
  if (op.getUniqueIndices() || !type || type.getWidth() >= 32)
    return false;
  auto inner = op.getRegion().front().without_terminator();
  return !inner.empty() && llvm::all_of(inner, [&](Operation &inner) {
    return inner.getNumRegions() == 0 && inner.getNumResults() == 1 &&
           inner.getResult(0).getType() == type &&
           OpTrait::hasElementwiseMappableTraits(&inner) &&
           !isa<arith::BitcastOp, CastOpInterface>(inner);
  });
}

/// The region of such a scatter in f32.
static Value cloneWide(OpBuilder &builder, ScatterOp op, Value update,
                       Value old) {
  Location loc = op.getLoc();
  Block &body = op.getRegion().front();
  IRMapping mapping;
  mapping.map(body.getArgument(0), update);
  mapping.map(body.getArgument(1), old);
  auto widen = [&](Value value) {
    value = mapping.lookupOrDefault(value);
    return isa<FloatType>(value.getType())
               ? convertFloat(builder, loc, value, builder.getF32Type())
               : value;
  };
  for (Operation &inner : body.without_terminator()) {
    IRMapping operands;
    for (Value operand : inner.getOperands())
      operands.map(operand, widen(operand));
    Operation *clone = builder.clone(inner, operands);
    clone->getResult(0).setType(builder.getF32Type());
    mapping.map(inner.getResult(0), clone->getResult(0));
  }
  return widen(body.getTerminator()->getOperand(0));
}

/// The elements of a tensor in another type, in a tensor of their own.
static Value convertTensor(OpBuilder &builder, ScatterOp op, Value from,
                           Type type) {
  Location loc = op.getLoc();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, from), type);
  return convertElements(builder, loc, from, empty);
}

/// Where in the destination an element of an update is.
static SmallVector<Value> getPlace(Elements &elements, ScatterOp op,
                                   ValueRange update) {
  auto type = cast<RankedTensorType>(op.getOutputs()[0].getType());
  ValueRange inner = update.drop_front();
  SmallVector<Value> place(type.getRank() - inner.size());
  llvm::append_range(place, inner);
  for (auto [column, dim] : llvm::enumerate(op.getDimensionMap())) {
    Value number = elements.load(op.getInputs()[1],
                                 {update.front(), elements.constant(column)});
    if (!number.getType().isIndex())
      number =
          arith::IndexCastOp::create(elements.builder, elements.loc,
                                     elements.builder.getIndexType(), number);
    place[dim] = place[dim]
                     ? arith::AddIOp::create(elements.builder, elements.loc,
                                             number, place[dim])
                           .getResult()
                     : number;
  }
  return place;
}

void mlir::hetero::tm_tensor::lowerScatter(RewriterBase &rewriter,
                                           ScatterOp op) {
  Value target = op.getOutputs()[0];
  Type type = getElementTypeOrSelf(target);
  bool isWide = isWidened(op);
  if (isWide)
    target = convertTensor(rewriter, op, target, rewriter.getF32Type());
  SmallVector<Value> results = buildRows(
      rewriter, op, op.getInputs()[0], /*except=*/-1, target,
      [&](OpBuilder &builder, ValueRange update, ValueRange carried) {
        Elements elements(builder, op);
        Value element = elements.load(op.getInputs()[0], update);
        SmallVector<Value> place = getPlace(elements, op, update);
        Value old = elements.load(carried.front(), place, /*isInside=*/false);
        Value made = isWide
                         ? cloneWide(builder, op,
                                     convertFloat(builder, op.getLoc(), element,
                                                  builder.getF32Type()),
                                     old)
                         : cloneBody(builder, op, {element, old}).front();
        return SmallVector<Value>{elements.store(made, carried.front(), place)};
      });
  if (isWide)
    results = {convertTensor(rewriter, op, results.front(), type)};
  rewriter.replaceOp(op, results);
}
