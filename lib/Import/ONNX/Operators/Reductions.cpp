//===- Reductions.cpp - Reductions ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Layout.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

static bool keepsDims(NodeBuilder &n) { return n.getInt("keepdims", 1) == 1; }

/// Axes of a reduction, an attribute or an input; nullopt where nothing is
/// reduced, or after an error.
static std::optional<SmallVector<int64_t>> readReducedAxes(NodeBuilder &n) {
  int64_t rank = n.in(0).rank();
  SmallVector<int64_t> given = n.getInts("axes");
  if (n.has(1))
    given = n.ints(n.in(1), "axes").value_or(SmallVector<int64_t>());
  if (n.failed())
    return std::nullopt;
  if (!given.empty())
    return n.axes(given, rank);
  if (n.getInt("noop_with_empty_axes", 0) == 1)
    return std::nullopt;
  SmallVector<int64_t> all;
  for (int64_t axis = 0; axis < rank; ++axis)
    all.push_back(axis);
  return all;
}

/// Prepares elements, reduces, and finishes the sum; either may be null.
template <Reduction kind, Value (*prepare)(Scalars &, Value) = nullptr,
          Value (*finish)(Scalars &, Value) = nullptr>
static void buildReduction(NodeBuilder &n) {
  std::optional<SmallVector<int64_t>> axes = readReducedAxes(n);
  if (n.failed())
    return;
  ElementType type = n.in(0).type, wide = getAccumulator(type);
  Tensor x = n.in(0);
  if constexpr (prepare != nullptr) {
    x = castTo(n, x, wide);
    x = elementwise(n, {x},
                    [](Scalars &s, ValueRange e) { return prepare(s, e[0]); });
  }
  if (axes)
    x = reduce(n, x, *axes, keepsDims(n), kind);
  if constexpr (finish != nullptr) {
    x = castTo(n, x, wide);
    x = elementwise(n, {x},
                    [](Scalars &s, ValueRange e) { return finish(s, e[0]); });
  }
  n.set(0, castTo(n, x, type));
}

static Value squareElement(Scalars &s, Value x) { return s.mul(x, x); }
static Value absolute(Scalars &s, Value x) { return s.abs(x); }

/// A function of floats that integers have too: by doubles, cut at the end.
template <Value (Scalars::*function)(Value)>
static Value throughFloat(Scalars &s, Value x) {
  if (s.isFloat())
    return (s.*function)(x);
  Value made = (s.*function)(s.convert(x, s.type, ElementType::F64));
  return s.convert(made, ElementType::F64, s.type);
}

static void buildReduceMean(NodeBuilder &n) {
  std::optional<SmallVector<int64_t>> axes = readReducedAxes(n);
  if (n.failed())
    return;
  const Tensor &x = n.in(0);
  n.set(0, axes ? castTo(n, mean(n, x, *axes, keepsDims(n)), x.type) : x);
}

/// log(sum(exp(x - m))) + m, where m is the largest, or 0 if it is infinite.
static void buildLogSumExp(NodeBuilder &n) {
  std::optional<SmallVector<int64_t>> axes = readReducedAxes(n);
  if (n.failed())
    return;
  ElementType type = n.in(0).type, wide = getAccumulator(type);
  if (!axes)
    return n.set(0, n.in(0));
  if (!isFloat(wide))
    wide = ElementType::F64;
  Tensor x = castTo(n, n.in(0), wide);
  Tensor top = reduce(n, x, *axes, true, Reduction::Max);
  top = elementwise(n, {top}, [](Scalars &s, ValueRange e) {
    Value infinity =
        s.constantLike(e[0], std::numeric_limits<double>::infinity());
    Value isFinite = s.less(s.abs(e[0]), infinity);
    return s.select(isFinite, e[0], s.constantLike(e[0], 0));
  });
  Tensor powers = elementwise(n, {x, top}, [](Scalars &s, ValueRange e) {
    return s.exp(s.sub(e[0], e[1]));
  });
  bool keepDims = keepsDims(n);
  Tensor sum = reduce(n, powers, *axes, true, Reduction::Sum);
  Tensor made = elementwise(n, {sum, top}, [](Scalars &s, ValueRange e) {
    return s.add(s.log(e[0]), e[1]);
  });
  if (!keepDims)
    made = squeeze(n, made, *axes);
  n.set(0, castTo(n, made, type));
}

template <bool isMax> static void buildArg(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (!n.failed())
    n.set(0, argReduce(n, x, axis, keepsDims(n), isMax,
                       n.getBool("select_last_index")));
}

void mlir::hetero::onnx::addReductions(OperatorTable &table) {
  table.add("ReduceSum", {1, 11, 13}, buildReduction<Reduction::Sum>);
  table.add("ReduceProd", {1, 11, 13, 18}, buildReduction<Reduction::Product>);
  table.add("ReduceMax", {1, 11, 12, 13, 18, 20},
            buildReduction<Reduction::Max>);
  table.add("ReduceMin", {1, 11, 12, 13, 18, 20},
            buildReduction<Reduction::Min>);
  table.add("ReduceMean", {1, 11, 13, 18}, buildReduceMean);
  table.add("ReduceSumSquare", {1, 11, 13, 18},
            buildReduction<Reduction::Sum, squareElement>);
  table.add("ReduceL1", {1, 11, 13, 18},
            buildReduction<Reduction::Sum, absolute>);
  table.add("ReduceL2", {1, 11, 13, 18},
            buildReduction<Reduction::Sum, squareElement,
                           throughFloat<&Scalars::sqrt>>);
  table.add(
      "ReduceLogSum", {1, 11, 13, 18},
      buildReduction<Reduction::Sum, nullptr, throughFloat<&Scalars::log>>);
  table.add("ReduceLogSumExp", {1, 11, 13, 18}, buildLogSumExp);
  table.add("ArgMax", {1, 11, 12, 13}, buildArg<true>);
  table.add("ArgMin", {1, 11, 12, 13}, buildArg<false>);
}
