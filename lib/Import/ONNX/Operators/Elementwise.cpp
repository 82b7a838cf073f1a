//===- Elementwise.cpp - Elementwise operators ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Elementwise.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// A row for an operator of one input: `BODY` computes on `s` and `x`.
#define UNARY(NAME, COMPUTE, BODY, ...)                                        \
  table.add(NAME, {__VA_ARGS__}, [](NodeBuilder &n) {                          \
    n.set(0, elementwise(                                                      \
                 n, {n.in(0)},                                                 \
                 [](Scalars &s, ValueRange e) -> Value {                       \
                   Value x = e[0];                                             \
                   return BODY;                                                \
                 },                                                            \
                 Compute::COMPUTE));                                           \
  })

/// The operands of an operator, which have one type.
static SmallVector<Tensor> getOperands(NodeBuilder &n) {
  SmallVector<Tensor> operands;
  for (unsigned i = 0; i < std::max(n.numInputs(), 1u); ++i)
    operands.push_back(n.in(i));
  for (const Tensor &operand : operands)
    if (operand.type != operands.front().type)
      n.fail("its inputs have elements of unlike types, " +
             getName(operands.front().type) + " and " + getName(operand.type));
  return operands;
}

/// Two inputs of one type, and a result of it or of another.
static void setBinary(NodeBuilder &n, ElementBody body,
                      ElementType result = ElementType::Undefined) {
  SmallVector<Tensor> operands = getOperands(n);
  if (operands.size() != 2)
    return n.fail("it has " + Twine(operands.size()) + " inputs, not two");
  if (result == ElementType::Undefined)
    result = operands.front().type;
  n.set(0, elementwise(n, operands, result, body));
}

#define BINARY(NAME, RESULT, BODY, ...)                                        \
  table.add(NAME, {__VA_ARGS__}, [](NodeBuilder &n) {                          \
    setBinary(                                                                 \
        n,                                                                     \
        [](Scalars &s, ValueRange e) -> Value {                                \
          Value x = e[0], y = e[1];                                            \
          return BODY;                                                         \
        },                                                                     \
        ElementType::RESULT);                                                  \
  })

/// Any number of inputs, combined from the first to the last.
template <Value (Scalars::*combine)(Value, Value)>
static Tensor foldInputs(NodeBuilder &n) {
  SmallVector<Tensor> operands = getOperands(n);
  Tensor result = operands.front();
  for (const Tensor &operand : ArrayRef(operands).drop_front())
    result = elementwise(n, {result, operand}, [](Scalars &s, ValueRange e) {
      return (s.*combine)(e[0], e[1]);
    });
  return result;
}

static void buildMean(NodeBuilder &n) {
  Tensor sum = foldInputs<&Scalars::add>(n);
  double count = n.numInputs();
  n.set(0, elementwise(n, {sum}, [&](Scalars &s, ValueRange e) {
          return s.div(e[0], s.constant(count));
        }));
}

/// A power of a base by an exponent of another type.
static void buildPow(NodeBuilder &n) {
  const Tensor &base = n.in(0), &exponent = n.in(1);
  ElementType type = base.type, power = exponent.type;
  auto body = [&](Scalars &s, ValueRange e) -> Value {
    if (isFloat(type)) {
      ElementType wide = isNarrowFloat(type) ? ElementType::F32 : type;
      ElementType from = isNarrowFloat(power) && e[1].getType().isF32()
                             ? ElementType::F32
                             : power;
      return s.binary<math::PowFOp>(e[0], s.convert(e[1], from, wide));
    }
    // Integers: by doubles, as the reference, where the exponent is a float.
    if (isInteger(power) && !isUnsigned(type))
      return s.binary<math::IPowIOp>(e[0], s.convert(e[1], power, type));
    Value made =
        s.binary<math::PowFOp>(s.convert(e[0], type, ElementType::F64),
                               s.convert(e[1], power, ElementType::F64));
    return s.convert(made, ElementType::F64, type);
  };
  n.set(0, elementwise(n, {base, exponent}, type, body, Compute::Wide));
}

static void buildMod(NodeBuilder &n) {
  bool isC = n.getBool("fmod");
  setBinary(n, [&](Scalars &s, ValueRange e) {
    return s.remainder(e[0], e[1], /*signOfDivisor=*/!isC);
  });
}

static void buildBitShift(NodeBuilder &n) {
  bool isLeft = n.getString("direction") == "LEFT";
  setBinary(n, [&](Scalars &s, ValueRange e) -> Value {
    Value width = s.constant(getBitWidth(s.type)), zero = s.constant(0);
    // A negative count is a large one.
    Value isShort = s.b.createOrFold<arith::CmpIOp>(
        s.loc, arith::CmpIPredicate::ult, e[1], width);
    Value count = s.select(isShort, e[1], zero);
    if (isLeft)
      return s.select(isShort, s.binary<arith::ShLIOp>(e[0], count), zero);
    if (isUnsigned(s.type))
      return s.select(isShort, s.binary<arith::ShRUIOp>(e[0], count), zero);
    // Nothing but signs is left of a number that is moved out.
    Value most = s.constant(getBitWidth(s.type) - 1);
    return s.binary<arith::ShRSIOp>(e[0], s.select(isShort, e[1], most));
  });
}

static void buildWhere(NodeBuilder &n) {
  const Tensor &condition = n.in(0), &yes = n.in(1), &no = n.in(2);
  n.set(0, elementwise(n, {condition, yes, no}, yes.type,
                       [](Scalars &s, ValueRange e) {
                         return s.select(e[0], e[1], e[2]);
                       }));
}

/// min(max(x, low), high): nan stays nan, and `high` wins over `low`.
static void buildClip(NodeBuilder &n) {
  SmallVector<Tensor> operands{n.in(0)};
  bool hasLow, hasHigh;
  if (n.since() < 11) {
    hasLow = n.findAttr("min");
    hasHigh = n.findAttr("max");
    if (hasLow)
      operands.push_back(n.constant(operands[0].type, n.getFloat("min", 0)));
    if (hasHigh)
      operands.push_back(n.constant(operands[0].type, n.getFloat("max", 0)));
  } else {
    hasLow = n.has(1);
    hasHigh = n.has(2);
    if (hasLow)
      operands.push_back(n.in(1));
    if (hasHigh)
      operands.push_back(n.in(2));
  }
  n.set(0, elementwise(n, operands, [&](Scalars &s, ValueRange e) {
          Value x = e[0];
          if (hasLow)
            x = s.max(x, e[1]);
          return hasHigh ? s.min(x, e.back()) : x;
        }));
}

static void buildIsInf(NodeBuilder &n) {
  bool positive = n.getBool("detect_positive", true);
  bool negative = n.getBool("detect_negative", true);
  n.set(0,
        elementwise(n, {n.in(0)}, ElementType::Bool,
                    [&](Scalars &s, ValueRange e) -> Value {
                      double infinity = std::numeric_limits<double>::infinity();
                      Value up = s.equal(e[0], s.constantLike(e[0], infinity));
                      Value down =
                          s.equal(e[0], s.constantLike(e[0], -infinity));
                      if (positive && negative)
                        return s.binary<arith::OrIOp>(up, down);
                      if (!positive && !negative)
                        return s.constant(ElementType::Bool, 0);
                      return positive ? up : down;
                    }));
}

/// 1, -1 or 0; nan stays nan.
static Value sign(Scalars &s, Value x) {
  Value zero = s.constantLike(x, 0), one = s.constantLike(x, 1);
  Value rest = s.isFloat() ? s.select(s.isNan(x), x, zero) : zero;
  Value positive = s.less(zero, x);
  if (isUnsigned(s.type))
    return s.select(positive, one, zero);
  Value other = s.select(s.less(x, zero), s.constantLike(x, -1), rest);
  return s.select(positive, one, other);
}

static Value reciprocal(Scalars &s, Value x) {
  return s.div(s.constantLike(x, 1), x);
}

/// Code generation takes floats below the least normal one for that one: they
/// are made larger.
static Value logarithm(Scalars &s, Value x) {
  if (!x.getType().isF32())
    return s.log(x);
  Value isSmall = s.less(x, s.constant(std::numeric_limits<float>::min()));
  Value larger = s.select(isSmall, s.mul(x, s.constant(0x1p24)), x);
  Value less = s.select(isSmall, s.constant(24 * M_LN2), s.constant(0));
  return s.sub(s.log(larger), less);
}

/// Integers are computed as doubles and rounded to floats, which are 1 from 4
/// on.
static Value erf(Scalars &s, Value x) {
  if (s.isFloat())
    return s.math<math::ErfOp>(x);
  ElementType wide = ElementType::F64, narrow = ElementType::F32;
  Value made = s.math<math::ErfOp>(s.convert(x, s.type, wide));
  return s.convert(s.convert(made, wide, narrow), narrow, s.type);
}

/// A tensor whose elements have the bits of another's.
static Value castBits(NodeBuilder &n, Value value, ElementType type) {
  auto from = cast<RankedTensorType>(value.getType());
  RankedTensorType to = from.clone(n.storage(type));
  if (from == to)
    return value;
  int64_t rank = from.getRank();
  SmallVector<AffineMap> maps(2, n.b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value init = n.empty(type, tensor::getMixedSizes(n.b, n.loc, value));
  return linalg::GenericOp::create(
             n.b, n.loc, to, value, init, maps, loops,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value made =
                   arith::BitcastOp::create(b, loc, args[1].getType(), args[0]);
               linalg::YieldOp::create(b, loc, made);
             })
      .getResult(0);
}

/// The bits of each element as another type of as many bits.
static void buildBitCast(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  auto type = ElementType(n.getInt("to", 0));
  Type storage = n.storage(type);
  if (!storage || isComplex(type) != isComplex(x.type) ||
      getBitWidth(type) != getBitWidth(x.type))
    return n.fail("elements of type " + getName(x.type) +
                  " have not the bits of type " + getName(type));
  if (isComplex(type) || type == x.type)
    return n.set(0, x);
  // As an integer; elementwise operations would widen narrow floats.
  Tensor bits{ElementType::U8, x.sizes};
  unsigned width = n.storage(x.type).getIntOrFloatBitWidth();
  if (width > 8)
    bits.type = width == 16   ? ElementType::U16
                : width == 32 ? ElementType::U32
                              : ElementType::U64;
  if (x.type == ElementType::Bool)
    bits = castTo(n, x, bits.type);
  else
    bits.value = castBits(n, n.value(x), bits.type);
  if (type == ElementType::Bool)
    return n.set(0, castTo(n, bits, type));
  // Types of less than a byte have zeros or copies of the sign above.
  if (getBitWidth(type) < 8)
    bits = elementwise(n, {bits}, [&](Scalars &s, ValueRange e) {
      return s.cutBits(e[0], isInteger(type)          ? type
                             : getBitWidth(type) == 4 ? ElementType::U4
                                                      : ElementType::U8);
    });
  n.set(0, n.make(type, x.sizes, castBits(n, n.value(bits), type)));
}

/// A conversion. One to powers of two rounds up, to the nearest or down: then
/// floats are made powers before.
static void buildCast(NodeBuilder &n, ElementType type) {
  Tensor x = n.in(0);
  StringRef mode = n.getString("round_mode", "up");
  if (type == ElementType::F8E8M0 && mode != "up" && isFloat(x.type))
    x = elementwise(
        n, {castTo(n, x, ElementType::F32)}, [&](Scalars &s, ValueRange e) {
          Scalars bits(s.b, s.loc, ElementType::I32);
          Value half = bits.constant(mode == "nearest" ? 0x400000 : 0);
          Value sum =
              bits.add(s.cast<arith::BitcastOp>(e[0], s.b.getI32Type()), half);
          Value power = bits.binary<arith::AndIOp>(
              sum, bits.constant(ElementType::I32, 0x7f800000));
          return s.select(s.isNan(e[0]), e[0],
                          s.cast<arith::BitcastOp>(power, s.b.getF32Type()));
        });
  n.set(0, castTo(n, x, type, n.getBool("saturate", true)));
}

static void addUnary(OperatorTable &table) {
  UNARY("Abs", Native, s.abs(x), 6, 13);
  UNARY("Neg", Native, s.neg(x), 6, 13);
  UNARY("Sign", Native, sign(s, x), 9, 13);
  UNARY("Ceil", Native, s.math<math::CeilOp>(x), 6, 13);
  UNARY("Floor", Native, s.math<math::FloorOp>(x), 6, 13);
  UNARY("Round", Native, s.math<math::RoundEvenOp>(x), 11, 22);
  UNARY("Reciprocal", Native, reciprocal(s, x), 6, 13);
  UNARY("Sqrt", Native, s.sqrt(x), 6, 13);
  UNARY("Exp", Wide, s.exp(x), 6, 13);
  UNARY("Log", Wide, logarithm(s, x), 6, 13);
  UNARY("Erf", Wide, erf(s, x), 9, 13);
  UNARY("Sin", Wide, s.math<math::SinOp>(x), 7, 22);
  UNARY("Cos", Wide, s.math<math::CosOp>(x), 7, 22);
  UNARY("Tan", Wide, s.math<math::TanOp>(x), 7, 22);
  UNARY("Asin", Wide, s.math<math::AsinOp>(x), 7, 22);
  UNARY("Acos", Wide, s.math<math::AcosOp>(x), 7, 22);
  UNARY("Atan", Wide, s.math<math::AtanOp>(x), 7, 22);
  UNARY("Sinh", Wide, s.math<math::SinhOp>(x), 9, 22);
  UNARY("Cosh", Wide, s.math<math::CoshOp>(x), 9, 22);
  UNARY("Asinh", Wide, s.math<math::AsinhOp>(x), 9, 22);
  UNARY("Acosh", Wide, s.math<math::AcoshOp>(x), 9, 22);
  UNARY("Atanh", Wide, s.math<math::AtanhOp>(x), 9, 22);
  UNARY("Not", Native, s.logicalNot(x), 1);
  UNARY("BitwiseNot", Native,
        s.binary<arith::XOrIOp>(x, s.constant(ElementType(s.type), -1)), 18);
  table.add("IsNaN", {9, 13, 20}, [](NodeBuilder &n) {
    n.set(0,
          elementwise(n, {n.in(0)}, ElementType::Bool,
                      [](Scalars &s, ValueRange e) { return s.isNan(e[0]); }));
  });
  table.add("IsInf", {10, 20}, buildIsInf);
  table.add("Cast", {6, 9, 13, 19, 21, 23, 24, 25}, [](NodeBuilder &n) {
    buildCast(n, ElementType(n.getInt("to", 0)));
  });
  table.add("BitCast", {26}, buildBitCast);
  table.add("CastLike", {15, 19, 21, 23, 24, 25},
            [](NodeBuilder &n) { buildCast(n, n.in(1).type); });
}

void mlir::hetero::onnx::addElementwise(OperatorTable &table) {
  addUnary(table);
  BINARY("Add", Undefined, s.add(x, y), 7, 13, 14);
  BINARY("Sub", Undefined, s.sub(x, y), 7, 13, 14);
  BINARY("Mul", Undefined, s.mul(x, y), 7, 13, 14);
  BINARY("Div", Undefined, s.div(x, y), 7, 13, 14);
  BINARY("And", Bool, s.binary<arith::AndIOp>(x, y), 7);
  BINARY("Or", Bool, s.binary<arith::OrIOp>(x, y), 7);
  BINARY("Xor", Bool, s.binary<arith::XOrIOp>(x, y), 7);
  BINARY("BitwiseAnd", Undefined, s.binary<arith::AndIOp>(x, y), 18);
  BINARY("BitwiseOr", Undefined, s.binary<arith::OrIOp>(x, y), 18);
  BINARY("BitwiseXor", Undefined, s.binary<arith::XOrIOp>(x, y), 18);
  BINARY("Equal", Bool, s.equal(x, y), 7, 11, 13, 19);
  BINARY("Less", Bool, s.less(x, y), 7, 9, 13);
  BINARY("Greater", Bool, s.less(y, x), 7, 9, 13);
  BINARY("LessOrEqual", Bool, s.lessEqual(x, y), 12, 16);
  BINARY("GreaterOrEqual", Bool, s.lessEqual(y, x), 12, 16);
  table.add("Sum", {6, 8, 13},
            [](NodeBuilder &n) { n.set(0, foldInputs<&Scalars::add>(n)); });
  table.add("Max", {6, 8, 12, 13},
            [](NodeBuilder &n) { n.set(0, foldInputs<&Scalars::max>(n)); });
  table.add("Min", {6, 8, 12, 13},
            [](NodeBuilder &n) { n.set(0, foldInputs<&Scalars::min>(n)); });
  table.add("Mean", {6, 8, 13}, buildMean);
  table.add("Pow", {7, 12, 13, 15}, buildPow);
  table.add("Mod", {10, 13}, buildMod);
  table.add("BitShift", {11}, buildBitShift);
  table.add("Where", {9, 16}, buildWhere);
  table.add("Clip", {6, 11, 12, 13}, buildClip);
}
