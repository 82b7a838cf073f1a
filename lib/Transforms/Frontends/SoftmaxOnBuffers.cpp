//===- SoftmaxOnBuffers.cpp - Takes softmax on memrefs apart --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   linalg.softmax dimension(1) ins(%x : memref<3x4xf16>) outs(%y)
//
// becomes four loops over all elements, of which the first and the third have
// a result for each row:
//
//   %max = maximum of the row     : memref<3xf32>
//   %y   = exp(%x - %max)         : memref<3x4xf16>
//   %sum = sum of the row of %y   : memref<3xf32>
//   %y   = %y / %sum
//
// The input may be the output. Rows are f32 at least, in which a sum of narrow
// floats does not stop growing.
//
//===----------------------------------------------------------------------===//

#include "SoftmaxOnBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// One operation.
class SoftmaxLoops {
public:
  explicit SoftmaxLoops(linalg::SoftmaxOp op)
      : op(op), loc(op.getLoc()), builder(op),
        type(cast<MemRefType>(op.getInput().getType())) {}
  void run();

private:
  using Body = function_ref<Value(OpBuilder &, Value, Value)>;

  Type getWideType();
  Value convert(OpBuilder &at, Value value, Type to);
  Value createRows(arith::AtomicRMWKind kind, Value source);
  void createLoop(ValueRange inputs, Value output, Body body);
  AffineMap getMap(Value buffer);

  linalg::SoftmaxOp op;
  Location loc;
  OpBuilder builder;
  MemRefType type;
};
} // namespace

Type SoftmaxLoops::getWideType() {
  Type element = type.getElementType();
  return element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
}

Value SoftmaxLoops::convert(OpBuilder &at, Value value, Type to) {
  if (value.getType() == to)
    return value;
  bool isWider =
      value.getType().getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  return isWider ? arith::ExtFOp::create(at, loc, to, value).getResult()
                 : arith::TruncFOp::create(at, loc, to, value).getResult();
}

/// Rows lack the dimension of the softmax.
AffineMap SoftmaxLoops::getMap(Value buffer) {
  AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
  bool isRow = cast<MemRefType>(buffer.getType()).getRank() < type.getRank();
  return isRow ? all.dropResult(op.getDimension()) : all;
}

/// The loop's body gets the last input and the old value of the output, both
/// in wide elements; or both inputs, if there are two.
void SoftmaxLoops::createLoop(ValueRange inputs, Value output, Body body) {
  SmallVector<AffineMap> maps;
  for (Value buffer : inputs)
    maps.push_back(getMap(buffer));
  maps.push_back(getMap(output));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  if (maps.back().getNumResults() < type.getRank())
    iterators[op.getDimension()] = utils::IteratorType::reduction;
  linalg::GenericOp::create(
      builder, loc, inputs, ValueRange{output}, maps, iterators,
      [&](OpBuilder &at, Location, ValueRange values) {
        Value first = convert(at, values[0], getWideType());
        Value second = convert(at, values[1], getWideType());
        Value result =
            convert(at, body(at, first, second), values.back().getType());
        linalg::YieldOp::create(at, loc, result);
      });
}

/// Combines the elements of each row.
Value SoftmaxLoops::createRows(arith::AtomicRMWKind kind, Value source) {
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> sizes;
  shape.erase(shape.begin() + op.getDimension());
  for (int64_t dim : llvm::seq(type.getRank()))
    if (type.isDynamicDim(dim) &&
        dim != static_cast<int64_t>(op.getDimension()))
      sizes.push_back(memref::DimOp::create(builder, loc, op.getInput(), dim));
  Value rows = memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, getWideType()), sizes);
  Value neutral = arith::getIdentityValue(kind, getWideType(), builder, loc);
  linalg::FillOp::create(builder, loc, neutral, rows);
  createLoop(source, rows, [&](OpBuilder &at, Value element, Value row) {
    return arith::getReductionOp(kind, at, loc, element, row);
  });
  return rows;
}

void SoftmaxLoops::run() {
  Value input = op.getInput(), output = op.getOutput();
  Value maxima = createRows(arith::AtomicRMWKind::maxnumf, input);
  createLoop({input, maxima}, output,
             [&](OpBuilder &at, Value element, Value maximum) -> Value {
               return math::ExpOp::create(
                   at, loc, arith::SubFOp::create(at, loc, element, maximum));
             });
  Value sums = createRows(arith::AtomicRMWKind::addf, output);
  createLoop({output, sums}, output,
             [&](OpBuilder &at, Value element, Value sum) -> Value {
               return arith::DivFOp::create(at, loc, element, sum);
             });
  op.erase();
}

int64_t mlir::hetero::decomposeSoftmaxOnBuffers(ModuleOp module) {
  SmallVector<linalg::SoftmaxOp> ops;
  module.walk([&](linalg::SoftmaxOp op) {
    if (op->getNumResults() == 0)
      ops.push_back(op);
  });
  for (linalg::SoftmaxOp op : ops)
    SoftmaxLoops(op).run();
  return static_cast<int64_t>(ops.size());
}
