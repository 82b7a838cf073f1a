//===- Formulas.cpp - Elements that are computed from their places --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Tables of more elements are computed at run time.
static constexpr int64_t kMaxTable = 1 << 22;

/// A scalar as a number: floats of fewer than 32 bits are widened.
static Number widen(OpBuilder &b, Location loc, ElementType type,
                    Value scalar) {
  Scalars s(b, loc, type);
  return Number(b, loc, s.convert(scalar, type, getAccumulator(type)));
}

/// The scalar of the type that a number is.
static Value narrow(OpBuilder &b, Location loc, ElementType type,
                    Number number) {
  ElementType wide = getAccumulator(type);
  Type storage = getStorageType(b.getContext(), type);
  if (isFloat(type))
    number = number.toFloat(getBitWidth(wide));
  else if (number.getType() && number.getType() != storage)
    number = number.toIndex();
  Value made = number.get(b, loc, getStorageType(b.getContext(), wide));
  if (made.getType().isIndex())
    made = b.createOrFold<arith::IndexCastOp>(loc, storage, made);
  return made.getType() == storage
             ? made
             : Scalars(b, loc, wide).convert(made, wide, type);
}

Number Loop::read(const Tensor &tensor, ArrayRef<Number> place) const {
  SmallVector<Value> indices;
  for (Number index : place)
    indices.push_back(index.toIndex().get(b, loc, b.getIndexType()));
  return widen(b, loc, tensor.type,
               tensor::ExtractOp::create(b, loc, tensor.value, indices));
}

Tensor onnx::materialize(NodeBuilder &n, const Tensor &tensor) {
  return n.make(tensor.type, tensor.sizes, n.value(tensor));
}

Number onnx::number(NodeBuilder &n, OpFoldResult size) {
  return Number(n.b, n.loc, size);
}

Number onnx::number(NodeBuilder &n, ElementType type, OpFoldResult scalar) {
  if (auto attribute = dyn_cast<Attribute>(scalar)) {
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return number.getValueAsDouble();
    APInt whole = cast<IntegerAttr>(attribute).getValue();
    return isUnsigned(type) ? double(whole.getZExtValue())
                            : double(whole.getSExtValue());
  }
  return widen(n.b, n.loc, type, cast<Value>(scalar));
}

Number onnx::readScalar(NodeBuilder &n, unsigned input) {
  SmallVector<OpFoldResult> elements = n.elements(n.in(input));
  if (elements.size() == 1)
    return number(n, n.in(input).type, elements.front());
  n.fail("input " + Twine(input) + " has not one element");
  return 1;
}

OpFoldResult onnx::readSize(NodeBuilder &n, unsigned input) {
  SmallVector<OpFoldResult> sizes = n.indices(n.in(input));
  if (sizes.size() != 1) {
    n.fail("input " + Twine(input) + " has not one element");
    return n.ix.constant(1);
  }
  n.check(n.ix.less(n.ix.constant(-1), sizes.front()),
          "input " + Twine(input) + " is negative");
  return sizes.front();
}

/// Loops over the sizes, and inner ones, with a body.
static Tensor makeLoops(NodeBuilder &n, ElementType type,
                        ArrayRef<OpFoldResult> sizes, ArrayRef<Tensor> operands,
                        ArrayRef<OpFoldResult> inner, Value init,
                        CombineFormula body) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  int64_t rank = sizes.size(), loops = rank + inner.size();
  for (const Tensor &operand : operands)
    if (isComplex(operand.type))
      n.fail("complex numbers are not supported");
  if (isComplex(type))
    n.fail("complex numbers are not supported");
  if (n.failed())
    return n.make(type, sizes, init);
  SmallVector<AffineExpr> all, last;
  for (int64_t i = 0; i < loops; ++i)
    (i < rank ? all : last).push_back(n.b.getAffineDimExpr(i));
  for (const Tensor &operand : operands) {
    inputs.push_back(n.value(operand));
    maps.push_back(getBroadcastMap(n, operand, sizes));
  }
  if (!inner.empty()) {
    // A tensor of the inner sizes tells them.
    inputs.push_back(n.empty(type, inner));
    maps.push_back(AffineMap::get(loops, 0, last, n.b.getContext()));
  }
  maps.push_back(AffineMap::get(loops, 0, all, n.b.getContext()));
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.append(inner.size(), utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(
      n.b, n.loc, init.getType(), inputs, init, maps, kinds,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Loop loop{b, loc, {}, {}};
        for (int64_t axis = 0; axis < loops; ++axis)
          loop.at.push_back(
              loop.number(linalg::IndexOp::create(b, loc, axis).getResult()));
        for (auto [operand, scalar] : llvm::zip(operands, args))
          loop.in.push_back(widen(b, loc, operand.type, scalar));
        Number before = inner.empty() ? Number(0) : loop.number(args.back());
        Value made = narrow(b, loc, type, body(loop, before));
        linalg::YieldOp::create(b, loc, made);
      });
  return n.make(type, sizes, op.getResult(0));
}

Tensor onnx::compute(NodeBuilder &n, ElementType type,
                     ArrayRef<OpFoldResult> sizes, ArrayRef<Tensor> operands,
                     FormulaBody body) {
  return makeLoops(n, type, sizes, operands, {}, n.empty(type, sizes),
                   [&](const Loop &loop, Number) { return body(loop); });
}

Tensor onnx::combine(NodeBuilder &n, ElementType type,
                     ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> inner,
                     Value start, CombineFormula body) {
  return makeLoops(n, type, sizes, {}, inner, n.fill(type, sizes, start), body);
}

Tensor onnx::tabulate(NodeBuilder &n, ElementType type,
                      ArrayRef<OpFoldResult> sizes, FormulaBody body) {
  Tensor table{type, Sizes(sizes)};
  std::optional<int64_t> count = table.count();
  if (!count || *count > kMaxTable)
    return compute(n, type, sizes, {}, body);
  SmallVector<Attribute> numbers;
  for (int64_t place = 0; place < *count; ++place) {
    Loop loop{n.b, n.loc, {}, {}};
    int64_t rest = place;
    for (int64_t axis = table.rank() - 1; axis >= 0; --axis) {
      loop.at.insert(loop.at.begin(), Number(double(rest % *table.dim(axis))));
      rest /= *table.dim(axis);
    }
    std::optional<double> number = body(loop).getConstant();
    if (!number)
      return compute(n, type, sizes, {}, body);
    numbers.push_back(makeNumber(n.storage(type), *number));
  }
  table.constant =
      DenseElementsAttr::get(getTensorType(n.storage(type), sizes), numbers);
  return table;
}

std::optional<SmallVector<double>> onnx::getNumbers(const Tensor &table) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(table.constant);
  if (!dense)
    return std::nullopt;
  SmallVector<double> numbers;
  for (Attribute element : dense.getValues<Attribute>())
    numbers.push_back(isa<FloatAttr>(element)
                          ? cast<FloatAttr>(element).getValueAsDouble()
                          : double(cast<IntegerAttr>(element).getInt()));
  return numbers;
}

Tensor onnx::alongAxis(NodeBuilder &n, const Tensor &vector, int64_t axis,
                       int64_t rank) {
  Sizes sizes(rank - axis, n.ix.constant(1));
  sizes.front() = vector.sizes.front();
  auto dense = dyn_cast_or_null<DenseElementsAttr>(vector.constant);
  if (!dense)
    return reshape(n, vector, sizes);
  Tensor column{vector.type, sizes};
  column.constant = dense.reshape(getTensorType(n.storage(vector.type), sizes));
  return column;
}

Tensor onnx::gatherAxes(NodeBuilder &n, const Tensor &x,
                        ArrayRef<AxisPlaces> axes) {
  if (axes.empty())
    return x;
  SmallVector<Tensor> tables;
  Sizes sizes = x.sizes;
  for (const AxisPlaces &axis : axes) {
    tables.push_back(alongAxis(n, axis.places, axis.axis, x.rank()));
    sizes[axis.axis] = axis.places.sizes.front();
  }
  return gather(
      n, x, tables, sizes,
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange in) {
        SmallVector<Value> place(at);
        for (auto [axis, index] : llvm::zip_equal(axes, in))
          place[axis.axis] =
              Number(b, loc, index).toIndex().get(b, loc, b.getIndexType());
        return place;
      });
}

Tensor
onnx::gatherAt(NodeBuilder &n, const Tensor &x, ArrayRef<OpFoldResult> sizes,
               llvm::function_ref<SmallVector<Number>(const Loop &loop)> body) {
  return gather(n, x, {}, sizes,
                [&](OpBuilder &b, Location loc, ValueRange at, ValueRange) {
                  Loop loop{b, loc, {}, {}};
                  for (Value index : at)
                    loop.at.push_back(loop.number(index));
                  SmallVector<Value> place;
                  for (Number index : body(loop))
                    place.push_back(
                        index.toIndex().get(b, loc, b.getIndexType()));
                  return place;
                });
}
