//===- Quantization.cpp - Scaled integers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Quantization.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Scales onnx::readScales(NodeBuilder &n, unsigned scale, unsigned zero) {
  Scales scales{n.in(scale), std::nullopt};
  if (n.has(zero))
    scales.zero = n.in(zero);
  return scales;
}

/// The last block may be shorter: each place gets the scale of its block.
static Tensor spreadBlocks(NodeBuilder &n, const Tensor &scale,
                           ArrayRef<OpFoldResult> sizes, int64_t axis,
                           int64_t block) {
  return gather(n, scale, {}, sizes,
                [&](OpBuilder &b, Location loc, ValueRange at, ValueRange) {
                  SmallVector<Value> place(at);
                  Scalars s(b, loc, ElementType::U64);
                  place[axis] = s.binary<arith::DivUIOp>(
                      place[axis], s.constantLike(place[axis], block));
                  return place;
                });
}

namespace {
/// What is scaled, with a dimension for places in a block where there are some,
/// and what belongs to each element of it.
struct ScaledOperands {
  SmallVector<Tensor> tensors;
  SmallVector<AffineMap> maps;
};
} // namespace

/// Adds scales or zero points with the map from dimensions of what is scaled.
static void addScales(NodeBuilder &n, ScaledOperands &operands, Tensor scale,
                      const Scales &by, bool isSplit) {
  const Tensor x = operands.tensors.front();
  OpBuilder &b = n.b;
  SmallVector<AffineExpr> exprs;
  if (scale.count() == 1) {
    scale = reshape(n, scale, {});
  } else if (by.block == 0) {
    int64_t axis = n.axis(by.axis, x.rank());
    if (scale.rank() != 1)
      n.fail("its scales are no vector");
    if (n.failed())
      return;
    if (getInt(scale.sizes[0]))
      n.checkEqual(scale.sizes[0], x.sizes[axis],
                   "its scales do not fit the axis");
    else
      scale = broadcastTo(n, scale, x.sizes[axis]);
    if (n.failed())
      return;
    exprs.push_back(b.getAffineDimExpr(axis));
  } else {
    int64_t axis = n.axis(by.axis, scale.rank());
    if (!isSplit)
      scale = spreadBlocks(n, scale, x.sizes, axis, by.block);
    for (int64_t i = 0; i < x.rank(); ++i)
      if (!isSplit || i != axis + 1)
        exprs.push_back(b.getAffineDimExpr(i));
  }
  operands.tensors.push_back(scale);
  operands.maps.push_back(AffineMap::get(x.rank(), 0, exprs, b.getContext()));
}

/// Checks scales of blocks: their sizes are those of `x`, but along the axis.
static void checkBlocks(NodeBuilder &n, const Tensor &x, const Scales &by) {
  if (by.block < 0 || by.scale.rank() != x.rank())
    n.fail("its scales do not fit its blocks");
  int64_t axis = n.axis(by.axis, x.rank());
  for (int64_t i = 0; i < x.rank() && !n.failed(); ++i) {
    OpFoldResult size = x.sizes[i];
    if (i == axis)
      size = n.ix.ceilDiv(size, n.ix.constant(by.block));
    n.checkEqual(by.scale.sizes[i], size, "its scales do not fit its blocks");
  }
}

/// Computes each element from that of `x`, its scale and its zero point (null
/// if there is none, or all are 0).
static Tensor applyScales(
    NodeBuilder &n, const Tensor &data, const Scales &by, ElementType result,
    llvm::function_ref<Value(Scalars &s, Value x, Value scale, Value zero)>
        body) {
  Tensor x = data;
  bool isSplit = false;
  if (by.block != 0 && by.scale.count() != 1) {
    checkBlocks(n, x, by);
    int64_t axis = n.axis(by.axis, x.rank());
    std::optional<int64_t> size = x.rank() ? x.dim(axis) : std::nullopt;
    isSplit = !n.failed() && size && *size % by.block == 0;
    if (isSplit) {
      Sizes sizes = x.sizes;
      sizes[axis] = n.ix.constant(*size / by.block);
      sizes.insert(sizes.begin() + axis + 1, n.ix.constant(by.block));
      x = reshape(n, x, sizes);
    }
  }
  ScaledOperands operands{{x}, {n.b.getMultiDimIdentityMap(x.rank())}};
  if (!n.failed())
    addScales(n, operands, by.scale, by, isSplit);
  bool hasZero = by.zero && !isZero(n, &*by.zero);
  if (!n.failed() && hasZero)
    addScales(n, operands, *by.zero, by, isSplit);
  if (n.failed())
    return n.makeEmpty(result, x.sizes);
  operands.maps.push_back(operands.maps.front());
  Tensor made =
      buildLoops(n, operands.tensors, n.makeEmpty(result, x.sizes),
                 operands.maps, [&](Scalars &s, ValueRange e) {
                   Scalars wide(s.b, s.loc, ElementType::F32);
                   return body(wide, e[0], e[1], hasZero ? e[2] : Value());
                 });
  return reshape(n, made, data.sizes);
}

/// The type that differences of integers of a type are computed in.
static ElementType getDifferenceType(ElementType type) {
  return getBitWidth(type) < 32 ? ElementType::I32 : type;
}

Tensor onnx::dequantize(NodeBuilder &n, const Tensor &data,
                        const Scales &scales, ElementType result) {
  ElementType wide =
      result == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  return applyScales(
      n, data, scales, result,
      [&](Scalars &s, Value x, Value scale, Value zero) {
        Value real;
        if (zero && isInteger(data.type)) {
          ElementType type = getDifferenceType(data.type);
          Value moved =
              s.binary<arith::SubIOp>(s.convert(x, data.type, type),
                                      s.convert(zero, scales.zero->type, type));
          real = s.convert(moved, type, wide);
        } else {
          real = s.convert(x, data.type, wide);
          if (zero)
            real = s.sub(real, s.convert(zero, scales.zero->type, wide));
        }
        Value product = s.mul(real, s.convert(scale, scales.scale.type, wide));
        return s.convert(product, wide, result);
      });
}

/// The least and the largest integer of a type.
static std::pair<double, double> getRange(ElementType type) {
  double values = std::ldexp(1.0, getBitWidth(type));
  return isUnsigned(type) ? std::make_pair(0.0, values - 1)
                          : std::make_pair(-values / 2, values / 2 - 1);
}

Value onnx::roundTo(Scalars &s, Value real, Value zero, ElementType result) {
  auto [least, most] = getRange(result);
  Value whole = s.math<math::RoundEvenOp>(real);
  if (zero)
    whole = s.binary<arith::AddFOp>(whole, zero);
  whole = s.binary<arith::MaxNumFOp>(whole, s.constantLike(whole, least));
  whole = s.binary<arith::MinNumFOp>(whole, s.constantLike(whole, most));
  ElementType from =
      whole.getType().isF64() ? ElementType::F64 : ElementType::F32;
  return s.convert(s.convert(whole, from, ElementType::I32), ElementType::I32,
                   result);
}

/// A float as one of a narrow format: what is outside of its range becomes the
/// largest finite number.
static Value saturateTo(Scalars &s, Value real, ElementType from,
                        ElementType to) {
  FloatType type = getBitsFormat(s.b.getContext(), to);
  if (!type)
    type = cast<FloatType>(getStorageType(s.b.getContext(), to));
  double most = APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  Value low = s.binary<arith::MaximumFOp>(real, s.constantLike(real, -most));
  Value cut = s.binary<arith::MinimumFOp>(low, s.constantLike(real, most));
  return s.convert(cut, from, to);
}

Tensor onnx::quantize(NodeBuilder &n, const Tensor &x, const Scales &scales,
                      ElementType result, const Rounding &rounding) {
  ElementType precision = rounding.precision;
  ElementType wide =
      precision == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  return applyScales(
      n, x, scales, result,
      [&](Scalars &s, Value element, Value scale, Value zero) {
        auto read = [&](Value value, ElementType type) {
          Value exact = s.convert(value, type, wide);
          return s.convert(s.convert(exact, wide, precision), precision, wide);
        };
        Value quotient = s.binary<arith::DivFOp>(
            read(element, x.type), read(scale, scales.scale.type));
        quotient =
            s.convert(s.convert(quotient, wide, precision), precision, wide);
        if (zero)
          zero = s.convert(zero, scales.zero->type, wide);
        if (isInteger(result))
          return roundTo(s, quotient, zero, result);
        if (zero)
          quotient = s.binary<arith::AddFOp>(quotient, zero);
        return rounding.saturates || getBitWidth(result) < 8
                   ? saturateTo(s, quotient, wide, result)
                   : s.convert(quotient, wide, result, /*saturates=*/false);
      });
}

DynamicScales onnx::measureScales(NodeBuilder &n, const Tensor &x) {
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq(x.rank()));
  // The range has 0 in it.
  auto bound = [&](Reduction kind) {
    Tensor found = reduce(n, x, axes, false, kind);
    return elementwise(n, {found}, [&](Scalars &s, ValueRange e) {
      Value zero = s.constantLike(e[0], 0);
      return kind == Reduction::Max ? s.max(e[0], zero) : s.min(e[0], zero);
    });
  };
  Tensor low = bound(Reduction::Min), high = bound(Reduction::Max);
  Tensor scale = elementwise(n, {low, high}, [](Scalars &s, ValueRange e) {
    // Zeros alone have no range; ONNX Runtime takes them as they are.
    Value step = s.div(s.sub(e[1], e[0]), s.constant(255));
    return s.select(s.equal(e[0], e[1]), s.constant(1), step);
  });
  Tensor zero = elementwise(n, {low, scale}, ElementType::U8,
                            [](Scalars &s, ValueRange e) {
                              // Infinite ranges have the largest one.
                              Value real = s.binary<arith::MinNumFOp>(
                                  s.neg(s.div(e[0], e[1])), s.constant(255));
                              return roundTo(s, real, nullptr, ElementType::U8);
                            });
  return {scale, zero};
}

Tensor onnx::requantize(NodeBuilder &n, const Tensor &sums,
                        const Tensor &factor, const Tensor &zero) {
  return elementwise(
      n, {sums, factor, zero}, zero.type, [&](Scalars &s, ValueRange e) {
        Value real = s.convert(e[0], sums.type, ElementType::F32);
        Value scaled = s.binary<arith::MulFOp>(real, e[1]);
        return roundTo(s, scaled, s.convert(e[2], zero.type, ElementType::F32),
                       zero.type);
      });
}

bool onnx::isZero(NodeBuilder &n, const Tensor *tensor) {
  if (!tensor)
    return true;
  auto elements = n.known(*tensor);
  return elements && llvm::all_of(*elements, [](OpFoldResult element) {
           auto attribute = dyn_cast<Attribute>(element);
           if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
             return number.getValue().isZero();
           auto number = dyn_cast_or_null<IntegerAttr>(attribute);
           return number && number.getValue().isZero();
         });
}

Tensor onnx::alignToChannels(NodeBuilder &n, const Tensor &tensor,
                             int64_t rank) {
  if (tensor.count() == 1)
    return reshape(n, tensor, {});
  return tensor.rank() == 1
             ? unsqueeze(n, tensor,
                         llvm::to_vector(llvm::seq<int64_t>(1, rank - 1)))
             : tensor;
}

/// The sums along one axis, which stays, as i32.
static Tensor sumIntegers(NodeBuilder &n, const Tensor &tensor, int64_t axis) {
  return reduce(n, castTo(n, tensor, ElementType::I32), axis, true,
                Reduction::Sum);
}

Tensor onnx::multiplyIntegers(NodeBuilder &n, Tensor lhs, const Tensor *lhsZero,
                              Tensor rhs, const Tensor *rhsZero) {
  bool isRow = lhs.rank() == 1, isColumn = rhs.rank() == 1;
  if (isRow)
    lhs = unsqueeze(n, lhs, 0);
  if (isColumn)
    rhs = unsqueeze(n, rhs, 1);
  Tensor made = matmul(n, lhs, rhs);
  if (n.failed())
    return made;
  // (a - x)(b - y) = ab - x sum(b) - y sum(a) + k x y
  std::optional<Tensor> left, right;
  if (!isZero(n, lhsZero)) {
    // One for each row.
    left = alignToChannels(n, castTo(n, *lhsZero, ElementType::I32), 3);
    made = sub(n, made, mul(n, *left, sumIntegers(n, rhs, rhs.rank() - 2)));
  }
  if (!isZero(n, rhsZero)) {
    right = alignToChannels(n, castTo(n, *rhsZero, ElementType::I32), 2);
    Tensor sums = sumIntegers(n, lhs, lhs.rank() - 1);
    if (left)
      sums =
          sub(n, sums,
              mul(n, *left, makeCount(n, ElementType::I32, lhs.sizes.back())));
    made = sub(n, made, mul(n, *right, sums));
  }
  if (isColumn)
    made = squeeze(n, made, made.rank() - 1);
  if (isRow)
    made = squeeze(n, made, made.rank() - (isColumn ? 1 : 2));
  return made;
}

Tensor onnx::multiplyMeasured(NodeBuilder &n, const Tensor &x,
                              const Tensor &weights, const Tensor &scale,
                              const Tensor *zero) {
  DynamicScales own = measureScales(n, x);
  Tensor bytes = quantize(n, x, {own.scale, own.zero}, ElementType::U8);
  Tensor sums = multiplyIntegers(n, bytes, &own.zero, weights, zero);
  if (n.failed())
    return x;
  return mul(n, castTo(n, sums, own.scale.type), mul(n, own.scale, scale));
}

/// Weights less their zero points, one or one for each result channel.
static Tensor centerWeights(NodeBuilder &n, const Tensor &weights,
                            const Tensor &zero) {
  // Channels are first here, and second in (N, C, ...).
  Tensor each =
      alignToChannels(n, castTo(n, zero, ElementType::I32), weights.rank() + 1);
  return sub(n, castTo(n, weights, ElementType::I32), each);
}

std::optional<Tensor> onnx::convolveIntegers(NodeBuilder &n, const Tensor &x,
                                             const Tensor *zero,
                                             const Tensor &weights,
                                             const Tensor *weightsZero,
                                             const Tensor *bias) {
  bool hasZero = !isZero(n, zero);
  Value pad = n.scalar(x.type, 0);
  if (hasZero) {
    if (zero->count() != 1 || zero->type != x.type) {
      n.fail("its input has not one zero point of its type");
      return std::nullopt;
    }
    pad = n.scalarValue(n.element(reshape(n, *zero, {})));
  }
  Tensor kernel = isZero(n, weightsZero)
                      ? weights
                      : centerWeights(n, weights, *weightsZero);
  auto convolution = readConvolution(n, x, kernel, pad);
  if (!convolution)
    return std::nullopt;
  Tensor start = startAtBias(n, convolution->sizes, ElementType::I32, bias);
  if (n.failed())
    return std::nullopt;
  Tensor sums = convolve(n, *convolution, kernel, start);
  if (!hasZero)
    return sums;
  // Each sum has the zero point times the sum of its weights too much.
  auto axes = llvm::to_vector(llvm::seq<int64_t>(1, kernel.rank()));
  Tensor total = reduce(n, castTo(n, kernel, ElementType::I32), axes, false,
                        Reduction::Sum);
  Tensor number = castTo(n, reshape(n, *zero, {}), ElementType::I32);
  return sub(n, sums, alignToChannels(n, mul(n, total, number), x.rank()));
}
