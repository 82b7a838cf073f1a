//===- Formulas.cpp - Elements that are computed from their places --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formulas.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Tables of more elements are computed at run time.
static constexpr int64_t kMaxTable = 1 << 22;

Number::Number(OpBuilder &b, Location loc, OpFoldResult scalar)
    : b(&b), loc(loc) {
  value = dyn_cast<Value>(scalar);
  // Constants of the IR fold, too.
  if (value && !value.getType().isIndex())
    return;
  if (std::optional<int64_t> known = getInt(scalar)) {
    constant = double(*known);
    value = Value();
  }
}

Value Number::get(OpBuilder &b, Location loc, Type type) const {
  if (value && isa<FloatType>(value.getType()) && isa<ComplexType>(type)) {
    Value zero = makeScalar(b, loc, value.getType(), 0);
    return complex::CreateOp::create(b, loc, type, value, zero);
  }
  return value ? value : makeScalar(b, loc, type, *constant);
}

OpFoldResult Number::getIndex(OpBuilder &b, Location loc) const {
  if (constant)
    return b.getIndexAttr(int64_t(*constant));
  return toIndex().value;
}

namespace mlir::hetero::onnx {
/// Operations on numbers.
struct NumberMath {
  /// Gives `known` where both are constants, else the number that `make` builds
  /// of their values.
  template <typename F>
  static Number emit(Number lhs, Number rhs, double known, F make) {
    if (lhs.constant && rhs.constant)
      return known;
    Number maker =
        lhs.value && !isa_and_nonnull<ComplexType>(rhs.getType()) ? lhs : rhs;
    OpBuilder &b = *maker.b;
    Type type = maker.getType();
    Scalars s(b, maker.loc,
              isa<FloatType>(type)     ? ElementType::F64
              : isa<ComplexType>(type) ? ElementType::C128
              : type.isInteger(1)      ? ElementType::Bool
                                       : ElementType::I64);
    return Number(b, maker.loc,
                  OpFoldResult(make(s, lhs.get(b, maker.loc, type),
                                    rhs.get(b, maker.loc, type))));
  }
  /// A function of floats.
  template <typename OpTy>
  static Number call(Number x, double (*known)(double)) {
    return emit(x, x, x.constant ? known(*x.constant) : 0,
                [](Scalars &s, Value a, Value) { return s.math<OpTy>(a); });
  }
  template <typename OpTy> static Number convert(Number x, Type type) {
    return Number(*x.b, x.loc,
                  OpFoldResult(x.b->createOrFold<OpTy>(x.loc, type, x.value)));
  }
  /// A constant, or one that nobody asks for.
  static double known(Number x) { return x.constant.value_or(1); }
};
} // namespace mlir::hetero::onnx

// KNOWN is computed of the constants x and y.
#define HETERO_NUMBER_BINARY(NAME, KNOWN, METHOD)                              \
  Number onnx::NAME(Number lhs, Number rhs) {                                  \
    double x = NumberMath::known(lhs), y = NumberMath::known(rhs);             \
    return NumberMath::emit(                                                   \
        lhs, rhs, KNOWN,                                                       \
        [](Scalars &s, Value a, Value b) { return s.METHOD(a, b); });          \
  }
HETERO_NUMBER_BINARY(operator+, x + y, add)
HETERO_NUMBER_BINARY(operator-, x - y, sub)
HETERO_NUMBER_BINARY(operator*, x *y, mul)
HETERO_NUMBER_BINARY(operator/, x / y, binary<arith::DivFOp>)
HETERO_NUMBER_BINARY(floorDiv, std::floor(x / y), binary<arith::FloorDivSIOp>)
HETERO_NUMBER_BINARY(min, std::min(x, y), min)
HETERO_NUMBER_BINARY(max, std::max(x, y), max)
HETERO_NUMBER_BINARY(operator<, x < y, less)
HETERO_NUMBER_BINARY(operator<=, x <= y, lessEqual)
HETERO_NUMBER_BINARY(operator==, x == y, equal)
HETERO_NUMBER_BINARY(pow, std::pow(x, y), binary<math::PowFOp>)
#undef HETERO_NUMBER_BINARY

Number onnx::floorMod(Number lhs, Number rhs) {
  return lhs - floorDiv(lhs, rhs) * rhs;
}

Number onnx::clamp(Number index, Number low, Number high) {
  return min(max(index, low), high);
}

Number onnx::operator&&(Number lhs, Number rhs) {
  if (lhs.getConstant())
    std::swap(lhs, rhs);
  if (rhs.getConstant())
    return *rhs.getConstant() != 0 ? lhs : Number(0);
  return NumberMath::emit(lhs, rhs, 0, [](Scalars &s, Value a, Value b) {
    return s.binary<arith::AndIOp>(a, b);
  });
}

Number onnx::operator||(Number lhs, Number rhs) {
  if (lhs.getConstant())
    std::swap(lhs, rhs);
  if (rhs.getConstant())
    return *rhs.getConstant() != 0 ? Number(1) : lhs;
  return NumberMath::emit(lhs, rhs, 0, [](Scalars &s, Value a, Value b) {
    return s.binary<arith::OrIOp>(a, b);
  });
}

Number onnx::select(Number condition, Number yes, Number no) {
  if (condition.getConstant())
    return *condition.getConstant() != 0 ? yes : no;
  if (yes.getConstant() && yes.getConstant() == no.getConstant())
    return yes;
  return NumberMath::emit(condition, condition, 0,
                          [&](Scalars &s, Value truth, Value) {
                            // Two constants make a float of 64 bits.
                            Type type = yes.getType()  ? yes.getType()
                                        : no.getType() ? no.getType()
                                                       : s.b.getF64Type();
                            return s.select(truth, yes.get(s.b, s.loc, type),
                                            no.get(s.b, s.loc, type));
                          });
}

#define HETERO_NUMBER_FUNCTION(NAME, OP, KNOWN)                                \
  Number onnx::NAME(Number x) { return NumberMath::call<math::OP>(x, KNOWN); }
HETERO_NUMBER_FUNCTION(floor, FloorOp, std::floor)
HETERO_NUMBER_FUNCTION(ceil, CeilOp, std::ceil)
HETERO_NUMBER_FUNCTION(roundEven, RoundEvenOp, std::nearbyint)
HETERO_NUMBER_FUNCTION(abs, AbsFOp, std::abs)
HETERO_NUMBER_FUNCTION(cos, CosOp, std::cos)
HETERO_NUMBER_FUNCTION(exp, ExpOp, std::exp)
HETERO_NUMBER_FUNCTION(log, LogOp, std::log)
HETERO_NUMBER_FUNCTION(sqrt, SqrtOp, std::sqrt)
HETERO_NUMBER_FUNCTION(rsqrt, RsqrtOp,
                       [](double x) { return 1 / std::sqrt(x); })
HETERO_NUMBER_FUNCTION(tanh, TanhOp, std::tanh)
HETERO_NUMBER_FUNCTION(erf, ErfOp, std::erf)
HETERO_NUMBER_FUNCTION(expm1, ExpM1Op, std::expm1)
HETERO_NUMBER_FUNCTION(log1p, Log1pOp, std::log1p)
#undef HETERO_NUMBER_FUNCTION

Number onnx::operator-(Number x) {
  return NumberMath::emit(x, x, -NumberMath::known(x),
                          [](Scalars &s, Value a, Value) { return s.neg(a); });
}

Number onnx::sigmoid(Number x) {
  return NumberMath::emit(
      x, x, 1 / (1 + std::exp(-NumberMath::known(x))),
      [](Scalars &s, Value a, Value) { return s.sigmoid(a); });
}

Number Number::toIndex() const {
  if (constant)
    return std::trunc(*constant);
  if (value.getType().isIndex())
    return *this;
  Number whole = *this;
  if (isa<FloatType>(value.getType()))
    whole = NumberMath::convert<arith::FPToSIOp>(*this, b->getI64Type());
  return NumberMath::convert<arith::IndexCastOp>(whole, b->getIndexType());
}

Number Number::toFloat(unsigned width) const {
  if (constant)
    return *this;
  FloatType type = width == 32 ? FloatType(b->getF32Type()) : b->getF64Type();
  Type own = value.getType();
  if (own == type)
    return *this;
  if (isa<FloatType>(own))
    return own.getIntOrFloatBitWidth() < width
               ? NumberMath::convert<arith::ExtFOp>(*this, type)
               : NumberMath::convert<arith::TruncFOp>(*this, type);
  if (own.isInteger(1))
    return NumberMath::convert<arith::UIToFPOp>(*this, type);
  Number whole = *this;
  if (own.isIndex())
    whole = NumberMath::convert<arith::IndexCastOp>(*this, b->getI64Type());
  return NumberMath::convert<arith::SIToFPOp>(whole, type);
}

Number Number::rounded() const {
  return constant ? Number(double(float(*constant))) : toFloat(32).toFloat(64);
}

/// A scalar as a number: floats of fewer than 32 bits are widened.
static Number widen(OpBuilder &b, Location loc, ElementType type,
                    Value scalar) {
  Scalars s(b, loc, type);
  return Number(b, loc,
                OpFoldResult(s.convert(scalar, type, getAccumulator(type))));
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
  Scalars s(b, loc, type);
  if (made.getType().isIndex())
    return s.fromIndex(made);
  return made.getType() == storage ? made : s.convert(made, wide, type);
}

/// Numbers as the indices of a place.
static SmallVector<Value> getPlace(OpBuilder &b, Location loc,
                                   ArrayRef<Number> numbers) {
  return llvm::map_to_vector(numbers, [&](Number index) {
    return index.toIndex().get(b, loc, b.getIndexType());
  });
}

/// The arguments of a body at a place.
static Loop makeLoop(OpBuilder &b, Location loc, ValueRange at) {
  Loop loop{b, loc, {}, {}};
  for (Value index : at)
    loop.at.push_back(loop.number(index));
  return loop;
}

Number Loop::read(const Tensor &tensor, ArrayRef<Number> place) const {
  return widen(
      b, loc, tensor.type,
      tensor::ExtractOp::create(b, loc, tensor.value, getPlace(b, loc, place)));
}

Tensor onnx::materialize(NodeBuilder &n, const Tensor &tensor) {
  return n.make(tensor.type, tensor.sizes, n.value(tensor));
}

Number onnx::number(NodeBuilder &n, OpFoldResult size) {
  return Number(n.b, n.loc, size);
}

Number onnx::number(NodeBuilder &n, ElementType type, OpFoldResult scalar) {
  if (auto value = dyn_cast<Value>(scalar))
    return widen(n.b, n.loc, type, value);
  if (auto number = dyn_cast<FloatAttr>(cast<Attribute>(scalar)))
    return number.getValueAsDouble();
  APInt whole = cast<IntegerAttr>(cast<Attribute>(scalar)).getValue();
  return whole.roundToDouble(!isUnsigned(type));
}

Number onnx::readScalar(NodeBuilder &n, unsigned input) {
  const Tensor &tensor = n.in(input);
  return number(n, tensor.type, n.element(tensor));
}

OpFoldResult onnx::readSize(NodeBuilder &n, unsigned input) {
  OpFoldResult size = readIndex(n, n.in(input));
  n.check(n.ix.less(n.ix.constant(-1), size),
          "input " + Twine(input) + " is negative");
  return size;
}

Tensor onnx::map(NodeBuilder &n, ArrayRef<Tensor> operands, NumberBody body,
                 Compute compute) {
  auto make = [&](Scalars &s, ValueRange elements) {
    SmallVector<Number> numbers;
    for (Value element : elements)
      numbers.push_back(Number(s.b, s.loc, element));
    return body(numbers).get(s.b, s.loc, elements[0].getType());
  };
  return elementwise(n, operands, make, compute);
}

Tensor onnx::compute(NodeBuilder &n, ElementType type,
                     ArrayRef<OpFoldResult> sizes, ArrayRef<Tensor> operands,
                     FormulaBody body) {
  if (n.failed())
    return n.makeEmpty(type, sizes);
  return computeAt(
      n, type, operands, sizes,
      [&](Scalars &s, ValueRange at, ValueRange elements) {
        Loop loop = makeLoop(s.b, s.loc, at);
        for (auto [operand, scalar] : llvm::zip_equal(operands, elements))
          loop.in.push_back(widen(s.b, s.loc, operand.type, scalar));
        return narrow(s.b, s.loc, type, body(loop));
      });
}

Tensor onnx::combine(NodeBuilder &n, ElementType type,
                     ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> inner,
                     Value start, CombineFormula body) {
  Tensor init = n.makeFilled(type, sizes, start);
  if (n.failed())
    return init;
  // A tensor of the inner sizes tells them.
  AffineMap all = n.b.getMultiDimIdentityMap(sizes.size() + inner.size());
  return buildLoops(
      n, n.makeEmpty(type, inner), init,
      {all.getMinorSubMap(inner.size()), all.getMajorSubMap(sizes.size())},
      [&](Scalars &s, ValueRange elements) {
        SmallVector<Value> at;
        for (unsigned loop = 0; loop < all.getNumDims(); ++loop)
          at.push_back(s.index(loop));
        Loop loop = makeLoop(s.b, s.loc, at);
        return narrow(s.b, s.loc, type, body(loop, loop.number(elements[1])));
      });
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
  return gather(n, x, tables, sizes,
                [&](OpBuilder &b, Location loc, ValueRange at, ValueRange in) {
                  Loop loop = makeLoop(b, loc, at);
                  for (auto [axis, index] : llvm::zip_equal(axes, in))
                    loop.at[axis.axis] = loop.number(index);
                  return getPlace(b, loc, loop.at);
                });
}

Tensor
onnx::gatherAt(NodeBuilder &n, const Tensor &x, ArrayRef<OpFoldResult> sizes,
               llvm::function_ref<SmallVector<Number>(const Loop &loop)> body) {
  return gather(n, x, {}, sizes,
                [&](OpBuilder &b, Location loc, ValueRange at, ValueRange) {
                  return getPlace(b, loc, body(makeLoop(b, loc, at)));
                });
}
