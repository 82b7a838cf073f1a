//===- Selection.cpp - Orders, sums along axes, and places ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Selection.h"

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Tensor onnx::generate(NodeBuilder &n, ElementType type,
                      ArrayRef<Tensor> operands, ArrayRef<OpFoldResult> sizes,
                      PlacedBody body) {
  return computeAt(n, type, broadcastOperands(n, operands, sizes), sizes,
                   [&](Scalars &s, ValueRange indices, ValueRange elements) {
                     Scalars whole(s.b, s.loc, ElementType::I64);
                     auto place =
                         llvm::map_to_vector(indices, [&](Value index) {
                           return whole.fromIndex(index);
                         });
                     return body(s, place, elements);
                   });
}

/// Fills the region of an operation, whose arguments are two elements of each
/// of the tensors. `s` has the type of the first one.
static void
buildBody(NodeBuilder &n, Operation *op, ArrayRef<Tensor> tensors,
          llvm::function_ref<Value(Scalars &s, ValueRange elements)> body) {
  OpBuilder::InsertionGuard guard(n.b);
  SmallVector<Type> types;
  for (const Tensor &tensor : tensors)
    types.append(2, n.storage(tensor.type));
  Block *block = n.b.createBlock(&op->getRegion(0), {}, types,
                                 SmallVector<Location>(types.size(), n.loc));
  Scalars s(n.b, n.loc, tensors.front().type);
  tm_tensor::YieldOp::create(n.b, n.loc, body(s, block->getArguments()));
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
  buildBody(n, op, tensor,
            [&](Scalars &s, ValueRange e) { return combine(s, e[0], e[1]); });
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
  buildBody(n, op, {tensor, places}, [&](Scalars &s, ValueRange e) {
    Value first = e[isDescending], second = e[!isDescending];
    Value isBefore = s.lessEqual(first, second);
    return s.isFloat() ? s.binary<arith::OrIOp>(isBefore, s.isNan(second))
                       : isBefore;
  });
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
  buildBody(n, op, tensor, [](Scalars &, ValueRange e) { return e[0]; });
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
  Tensor sum = reduce(n, flags, 0, false, Reduction::Sum);
  return sliceAxis(n, sorted, 0, n.ix.constant(0), readIndex(n, sum));
}

Tensor onnx::takeAt(NodeBuilder &n, const Tensor &tensor, const Tensor &places,
                    int64_t axis) {
  Sizes sizes = tensor.sizes;
  sizes[axis] = places.sizes[0];
  auto after = llvm::to_vector(llvm::seq<int64_t>(1, tensor.rank() - axis));
  return gather(
      n, tensor, unsqueeze(n, places, after), sizes,
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange elements) {
        SmallVector<Value> place(at);
        place[axis] = Scalars(b, loc, places.type).toIndex(elements[0]);
        return place;
      });
}

Tensor onnx::flatten(NodeBuilder &n, const Tensor &tensor) {
  return reshape(n, tensor, {n.ix.product(tensor.sizes)});
}
