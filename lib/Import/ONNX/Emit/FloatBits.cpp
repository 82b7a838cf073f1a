//===- FloatBits.cpp - Floats that are stored as bits ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Value onnx::decodeFloat(Scalars &s, Value bits, FloatType format) {
  const llvm::fltSemantics &semantics = format.getFloatSemantics();
  unsigned width = format.getWidth();
  SmallVector<float> numbers;
  for (unsigned i = 0; i < (1u << width); ++i) {
    APFloat number(semantics, APInt(width, i));
    // The conversion of one that has no infinity makes one of its nan.
    numbers.push_back(number.isNaN() ? std::numeric_limits<float>::quiet_NaN()
                                     : number.convertToFloat());
  }
  auto type = RankedTensorType::get(int64_t(numbers.size()), s.b.getF32Type());
  Value table = arith::ConstantOp::create(
      s.b, s.loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value place =
      s.b.createOrFold<arith::IndexCastUIOp>(s.loc, s.b.getIndexType(), bits);
  return tensor::ExtractOp::create(s.b, s.loc, table, place);
}

namespace {
/// Arithmetic on the bits of an f32.
struct Bits {
  Scalars s;

  explicit Bits(Scalars &outer) : s(outer.b, outer.loc, ElementType::I32) {}

  Value number(int64_t value) { return s.constant(double(value)); }
  Value shiftLeft(Value lhs, int64_t count) {
    return s.binary<arith::ShLIOp>(lhs, number(count));
  }
  Value shiftRight(Value lhs, int64_t count) {
    return s.binary<arith::ShRUIOp>(lhs, number(count));
  }
  Value mask(Value lhs, int64_t bits) {
    return s.binary<arith::AndIOp>(lhs, number(bits));
  }
};
} // namespace

/// The bits of a power of two, whose exponent is all there is.
static Value encodePower(Scalars &f, Value value, bool saturates,
                         PowerRounding rounding) {
  Bits bits(f);
  Scalars &s = bits.s;
  Value whole =
      s.b.createOrFold<arith::BitcastOp>(s.loc, s.b.getI32Type(), value);
  Value magnitude = bits.mask(whole, 0x7fffffff);
  Value isSpecial = s.lessEqual(bits.number(0x7f800000), magnitude);
  int64_t added = rounding == PowerRounding::Up     ? 0x7fffff
                  : rounding == PowerRounding::Down ? 0
                                                    : 0x400000;
  Value power = bits.shiftRight(s.add(magnitude, bits.number(added)), 23);
  if (saturates)
    power = s.min(power, bits.number(254));
  Value isInfinite = s.equal(magnitude, bits.number(0x7f800000));
  Value special = s.select(isInfinite, bits.number(saturates ? 254 : 255),
                           bits.number(255));
  Value made = s.select(isSpecial, special, power);
  return s.b.createOrFold<arith::TruncIOp>(s.loc, s.b.getI8Type(), made);
}

Value onnx::encodeFloat(Scalars &f, Value value, FloatType format,
                        bool saturates, PowerRounding rounding) {
  if (isa<Float8E8M0FNUType>(format))
    return encodePower(f, value, saturates, rounding);
  const llvm::fltSemantics &semantics = format.getFloatSemantics();
  int64_t fraction = int64_t(APFloat::semanticsPrecision(semantics)) - 1;
  int64_t bias = 1 - APFloat::semanticsMinExponent(semantics);
  int64_t largest =
      APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue();
  bool hasNan = APFloat::semanticsHasNaN(semantics);
  int64_t nan =
      hasNan ? APFloat::getQNaN(semantics).bitcastToAPInt().getZExtValue()
             : largest;
  // All of the formats saturate where they have neither nan nor infinities.
  int64_t above = saturates || !hasNan ? largest : nan;
  Bits bits(f);
  Scalars &s = bits.s;
  Scalars wide(f.b, f.loc, ElementType::F32);
  Value whole =
      s.b.createOrFold<arith::BitcastOp>(s.loc, s.b.getI32Type(), value);
  Value magnitude = bits.mask(whole, 0x7fffffff);
  // Normal numbers: round to even, and take off the difference of the biases.
  int64_t dropped = 23 - fraction;
  Value odd = bits.mask(bits.shiftRight(magnitude, dropped), 1);
  Value half = bits.number((int64_t(1) << (dropped - 1)) - 1);
  Value rounded = bits.shiftRight(s.add(magnitude, s.add(odd, half)), dropped);
  Value normal = s.sub(rounded, bits.number((127 - bias) << fraction));
  // Smaller ones are multiples of the least.
  Value size = wide.abs(value);
  double least = std::ldexp(1.0, int(1 - bias));
  Value small = wide.less(size, wide.constant(least));
  // Others would not fit an integer.
  Value part = wide.select(small, size, wide.constant(0));
  Value multiple = wide.math<math::RoundEvenOp>(
      wide.mul(part, wide.constant(std::ldexp(1.0, int(bias - 1 + fraction)))));
  Value steps =
      s.b.createOrFold<arith::FPToSIOp>(s.loc, s.b.getI32Type(), multiple);
  Value made = s.select(small, steps, normal);
  made = s.select(s.less(bits.number(largest), made), bits.number(above), made);
  Value sign =
      bits.shiftLeft(bits.shiftRight(whole, 31), format.getWidth() - 1);
  Value isSigned = s.binary<arith::OrIOp>(made, sign);
  // A format without a negative zero has nan there.
  bool hasZeros = APFloat::getZero(semantics, true).isNegative();
  if (!hasZeros) {
    Value keeps = s.notEqual(made, bits.number(0));
    if (above == nan)
      keeps =
          s.binary<arith::AndIOp>(keeps, s.notEqual(made, bits.number(nan)));
    isSigned = s.select(keeps, isSigned, made);
  }
  Value result = s.select(wide.isNan(value), bits.number(nan), isSigned);
  return s.b.createOrFold<arith::TruncIOp>(s.loc, s.b.getI8Type(), result);
}
