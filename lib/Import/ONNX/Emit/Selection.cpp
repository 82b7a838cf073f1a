//===- Selection.cpp - Orders, sums along axes, and places ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Selection.h"

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Tensor onnx::generate(NodeBuilder &n, ElementType type,
                      ArrayRef<Tensor> operands, ArrayRef<OpFoldResult> sizes,
                      PlacedBody body) {
  return computeAt(
      n, type, broadcastOperands(n, operands, sizes), sizes,
      [&](OpBuilder &b, Location loc, ValueRange indices, ValueRange elements) {
        SmallVector<Value> place;
        for (Value index : indices)
          place.push_back(
              arith::IndexCastOp::create(b, loc, b.getI64Type(), index));
        Scalars s(b, loc, type);
        return body(s, place, elements);
      });
}

Tensor onnx::makePlaces(NodeBuilder &n, ArrayRef<OpFoldResult> sizes,
                        int64_t axis) {
  return generate(
      n, ElementType::I64, {}, sizes,
      [&](Scalars &, ValueRange place, ValueRange) { return place[axis]; });
}

Tensor onnx::accumulate(
    NodeBuilder &n, const Tensor &tensor, int64_t axis, bool isExclusive,
    Value start,
    llvm::function_ref<Value(Scalars &s, Value before, Value next)> combine) {
  Sizes last = tensor.sizes;
  last.erase(last.begin() + axis);
  SmallVector<Value> outputs{n.empty(tensor.type, tensor.sizes),
                             n.fill(tensor.type, last, start)};
  auto op = tm_tensor::ScanOp::create(
      n.b, n.loc, ValueRange(outputs).getTypes(), n.value(tensor), outputs,
      n.b.getI64IntegerAttr(axis), n.b.getBoolAttr(!isExclusive));
  Type element = n.storage(tensor.type);
  OpBuilder::InsertionGuard guard(n.b);
  Block *block =
      n.b.createBlock(&op.getRegion(), {}, {element, element}, {n.loc, n.loc});
  Scalars s(n.b, n.loc, tensor.type);
  Value made = combine(s, block->getArgument(0), block->getArgument(1));
  tm_tensor::YieldOp::create(n.b, n.loc, made);
  n.b.setInsertionPointAfter(op);
  return n.make(tensor.type, tensor.sizes, op.getResult(0));
}

Tensor onnx::accumulate(NodeBuilder &n, const Tensor &tensor, int64_t axis) {
  return accumulate(
      n, tensor, axis, false, n.scalar(tensor.type, 0),
      [](Scalars &s, Value before, Value next) { return s.add(before, next); });
}

std::pair<Tensor, Tensor> onnx::sort(NodeBuilder &n, const Tensor &tensor,
                                     const Tensor &places, int64_t axis,
                                     bool isDescending) {
  SmallVector<Value> outputs{n.value(tensor), n.value(places)};
  auto op = tm_tensor::SortOp::create(
      n.b, n.loc, ValueRange(outputs).getTypes(), ValueRange(), outputs,
      n.b.getI64IntegerAttr(axis));
  Type element = n.storage(tensor.type), place = n.storage(places.type);
  {
    OpBuilder::InsertionGuard guard(n.b);
    Block *block =
        n.b.createBlock(&op.getRegion(), {}, {element, element, place, place},
                        SmallVector<Location>(4, n.loc));
    Scalars s(n.b, n.loc, tensor.type);
    Value first = block->getArgument(0), second = block->getArgument(1);
    if (isDescending)
      std::swap(first, second);
    Value isBefore = s.lessEqual(first, second);
    if (s.isFloat())
      isBefore = s.binary<arith::OrIOp>(isBefore, s.isNan(second));
    tm_tensor::YieldOp::create(n.b, n.loc, isBefore);
  }
  return {n.make(tensor.type, tensor.sizes, op.getResult(0)),
          n.make(places.type, places.sizes, op.getResult(1))};
}

Tensor onnx::permute(NodeBuilder &n, const Tensor &tensor,
                     const Tensor &places) {
  Value init = n.empty(tensor.type, tensor.sizes);
  SmallVector<Value> inputs{n.value(tensor), n.value(unsqueeze(n, places, 1))};
  auto op = tm_tensor::ScatterOp::create(
      n.b, n.loc, TypeRange(init.getType()), inputs, init,
      n.b.getDenseI64ArrayAttr({0}), n.b.getBoolAttr(true));
  Type element = n.storage(tensor.type);
  OpBuilder::InsertionGuard guard(n.b);
  Block *block =
      n.b.createBlock(&op.getRegion(), {}, {element, element}, {n.loc, n.loc});
  tm_tensor::YieldOp::create(n.b, n.loc, block->getArgument(0));
  n.b.setInsertionPointAfter(op);
  return n.make(tensor.type, tensor.sizes, op.getResult(0));
}

Tensor onnx::findTrue(NodeBuilder &n, const Tensor &mask) {
  Tensor flags = castTo(n, mask, ElementType::I64);
  Tensor sums = accumulate(n, flags, 0);
  Tensor places = makePlaces(n, mask.sizes, 0);
  OpFoldResult size = mask.sizes[0];
  Tensor last = n.makeKnown(
      ElementType::I64, {},
      {n.ix.toElement(n.ix.sub(size, n.ix.constant(1)), ElementType::I64)});
  // True ones go to the front in their order, others to the back.
  Tensor targets =
      elementwise(n, {sums, mask, places, last}, [](Scalars &s, ValueRange e) {
        Value front = s.sub(e[0], s.constant(1));
        return s.select(e[1], front, s.sub(e[3], s.sub(e[2], e[0])));
      });
  Tensor sorted = permute(n, places, targets);
  SmallVector<AffineMap> maps{n.b.getMultiDimIdentityMap(1),
                              AffineMap::get(1, 0, n.b.getContext())};
  Value zero = n.fill(ElementType::I64, {}, n.scalar(ElementType::I64, 0));
  auto sum = linalg::GenericOp::create(
      n.b, n.loc, zero.getType(), n.value(flags), zero, maps,
      utils::IteratorType::reduction,
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(
            b, loc,
            ValueRange{arith::AddIOp::create(b, loc, args[0], args[1])});
      });
  OpFoldResult count =
      n.indices(n.make(ElementType::I64, {}, sum.getResult(0))).front();
  return sliceAxis(n, sorted, 0, n.ix.constant(0), count);
}

Tensor onnx::takeAt(NodeBuilder &n, const Tensor &tensor, const Tensor &places,
                    int64_t axis) {
  Sizes sizes = tensor.sizes;
  sizes[axis] = places.sizes[0];
  SmallVector<int64_t> after;
  for (int64_t i = axis + 1; i < tensor.rank(); ++i)
    after.push_back(i - axis);
  return gather(
      n, tensor, unsqueeze(n, places, after), sizes,
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange elements) {
        SmallVector<Value> place(at);
        place[axis] =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), elements[0]);
        return place;
      });
}

Tensor onnx::flatten(NodeBuilder &n, const Tensor &tensor) {
  return reshape(n, tensor, {n.ix.product(tensor.sizes)});
}
