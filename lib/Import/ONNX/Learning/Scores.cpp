//===- Scores.cpp - Scores and labels of classes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scores.h"

#include "../Compose/Normalization.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Tensor onnx::makeNumbers(NodeBuilder &n, ElementType type,
                         ArrayRef<int64_t> sizes, ArrayRef<double> numbers) {
  Tensor made{type};
  for (int64_t size : sizes)
    made.sizes.push_back(n.ix.constant(size));
  auto shape = RankedTensorType::get(sizes, n.storage(type));
  auto make = [&](auto zero) {
    SmallVector<decltype(zero)> cast(numbers.begin(), numbers.end());
    made.constant = DenseElementsAttr::get(shape, ArrayRef(cast));
  };
  switch (type) {
  case ElementType::F64:
    make(double());
    break;
  case ElementType::I32:
    make(int32_t());
    break;
  case ElementType::I64:
    make(int64_t());
    break;
  default:
    make(float());
    break;
  }
  return made;
}

SmallVector<double> onnx::readDoubles(NodeBuilder &n, const Tensor &tensor) {
  SmallVector<double> numbers;
  ElementsAttr attribute = tensor.constant;
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(attribute))
    attribute = DenseElementsAttr::getFromRawBuffer(
        cast<ShapedType>(attribute.getType()), resource.getData());
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (!dense) {
    if (auto known = n.floats(tensor, "numbers of an attribute"))
      numbers = *known;
  } else if (isFloat(tensor.type)) {
    for (const APFloat &number : dense.getValues<APFloat>()) {
      APFloat wide = number;
      bool isExact = true;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &isExact);
      numbers.push_back(wide.convertToDouble());
    }
  } else if (isInteger(tensor.type)) {
    for (const APInt &number : dense.getValues<APInt>())
      numbers.push_back(number.roundToDouble(!isUnsigned(tensor.type)));
  } else {
    n.fail("an attribute has elements of type " + getName(tensor.type));
  }
  return numbers;
}

Tensor onnx::takeElements(NodeBuilder &n, const Tensor &table,
                          const Tensor &places) {
  return gather(
      n, table, {places}, places.sizes,
      [&](OpBuilder &b, Location loc, ValueRange, ValueRange elements) {
        Value place = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(),
                                                         elements[0]);
        return SmallVector<Value>{place};
      });
}

/// Softmax of numbers but of those that are 0, which stay 0; 0.5 where all are.
static Tensor softmaxOfOthers(NodeBuilder &n, const Tensor &x) {
  Tensor top = reduce(n, x, 1, true, Reduction::Max);
  Tensor powers = elementwise(n, {x, top}, [](Scalars &s, ValueRange e) {
    Value isOther = s.less(s.constant(1e-7), s.abs(e[0]));
    return s.select(isOther, s.exp(s.sub(e[0], e[1])), s.constant(0));
  });
  Tensor sum = reduce(n, powers, 1, true, Reduction::Sum);
  return elementwise(n, {powers, sum}, [](Scalars &s, ValueRange e) {
    Value isNone = s.equal(e[1], s.constant(0));
    return s.select(isNone, s.constant(0.5), s.div(e[0], e[1]));
  });
}

/// sqrt(2) * erfinv(2 x - 1), by Winitzki's approximation as the operators
/// have it.
static Value probit(Scalars &s, Value x) {
  constexpr double kA = 0.147, kPi = 3.14159265358979323846;
  Value one = s.constant(1);
  Value moved = s.sub(s.mul(x, s.constant(2)), one);
  Value product = s.mul(s.sub(one, moved), s.add(one, moved));
  Value log = s.log(product);
  Value v = s.add(s.constant(2 / (kPi * kA)), s.mul(s.constant(0.5), log));
  Value w = s.mul(s.constant(1 / kA), log);
  Value root = s.sqrt(s.sub(s.mul(v, v), w));
  Value made = s.sqrt(s.sub(root, v));
  Value sign = s.select(s.less(moved, s.constant(0)), s.constant(-1), one);
  return s.mul(s.constant(1.41421356), s.mul(sign, made));
}

Tensor onnx::transformScores(NodeBuilder &n, const Tensor &scores,
                             StringRef name) {
  if (name.empty() || name == "NONE")
    return scores;
  if (name == "SOFTMAX")
    return softmax(n, scores, 1);
  if (name == "SOFTMAX_ZERO")
    return softmaxOfOthers(n, scores);
  bool isLogistic = name == "LOGISTIC";
  if (!isLogistic && name != "PROBIT")
    n.fail("its post_transform is '" + name + "', which is not known");
  return elementwise(n, {scores}, [&](Scalars &s, ValueRange e) {
    return isLogistic ? s.sigmoid(e[0]) : probit(s, e[0]);
  });
}

SmallVector<int64_t> onnx::readLabels(NodeBuilder &n) {
  if (!n.getStrings("classlabels_strings").empty())
    n.fail("its labels are strings, which are not supported; use integers");
  SmallVector<int64_t> labels = n.getInts("classlabels_ints");
  return labels.empty() ? n.getInts("classlabels_int64s") : labels;
}

void onnx::setBestLabel(NodeBuilder &n, const Tensor &scores,
                        ArrayRef<int64_t> labels) {
  Tensor best = argReduce(n, scores, 1, false, /*isMax=*/true,
                          /*takesLast=*/false);
  if (!labels.empty())
    best = takeElements(
        n, makeNumbers(n, ElementType::I64, labels.size(), toDoubles(labels)),
        best);
  n.set(0, best);
}

void onnx::setTwoClasses(NodeBuilder &n, const Tensor &score, double threshold,
                         ArrayRef<int64_t> labels, Pair pair,
                         StringRef transform) {
  double negative = labels.size() > 1 ? labels[0] : 0;
  double positive = labels.size() > 1 ? labels[1]
                    : labels.empty()  ? 1
                                      : labels[0];
  Tensor flat = reshape(n, score, {score.sizes[0]});
  n.set(0,
        elementwise(n, {flat}, ElementType::I64, [&](Scalars &s, ValueRange e) {
          Value isPositive = s.less(s.constant(threshold), e[0]);
          return s.select(isPositive, s.constant(ElementType::I64, positive),
                          s.constant(ElementType::I64, negative));
        }));
  // Only the logistic function is applied to two classes of one score.
  bool isLogistic = transform == "LOGISTIC";
  Tensor other = elementwise(n, {score}, [&](Scalars &s, ValueRange e) {
    return pair == Pair::Share && !isLogistic ? s.sub(s.constant(1), e[0])
                                              : s.neg(e[0]);
  });
  Tensor both = concat(n, {other, score}, 1);
  n.set(1, isLogistic ? transformScores(n, both, transform) : both);
}
