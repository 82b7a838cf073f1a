//===- Padding.cpp - Pads -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Layout.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Reads pads, which are given for all dimensions or for some axes.
static std::optional<Margins> readPads(NodeBuilder &n, int64_t rank) {
  SmallVector<OpFoldResult> given;
  if (n.since() < 11)
    for (int64_t number : n.getInts("pads"))
      given.push_back(n.ix.constant(number));
  else
    given = n.indices(n.in(1));
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq(rank));
  if (n.has(3)) {
    std::optional<SmallVector<int64_t>> found = n.ints(n.in(3), "axes");
    if (!found)
      return std::nullopt;
    axes = n.axes(*found, rank);
  }
  if (!n.failed() && given.size() != 2 * axes.size())
    n.fail("it has " + Twine(given.size()) + " pads for " + Twine(axes.size()) +
           " dimensions");
  if (n.failed())
    return std::nullopt;
  Margins pads(n, rank);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    pads.low[axis] = given[i];
    pads.high[axis] = given[axes.size() + i];
  }
  return pads;
}

/// The place in a dimension that stands for one outside of it.
static Value findPlace(Scalars &s, StringRef mode, Value index, Value size) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(s.b, s.loc, number);
  };
  auto remainder = [&](Value lhs, Value rhs) {
    return s.remainder(lhs, rhs, /*signOfDivisor=*/true);
  };
  Value zero = constant(0), one = constant(1);
  Value last = s.sub(size, one);
  if (mode == "edge")
    return s.max(s.min(index, last), zero);
  if (mode == "wrap")
    return remainder(index, size);
  // Reflections are a zigzag; that of one element stays.
  Value period = s.max(s.add(last, last), one);
  Value place = remainder(index, period);
  return s.min(place, s.sub(period, place));
}

/// Pads with elements of the tensor.
static Tensor padByPlaces(NodeBuilder &n, const Tensor &x, const Margins &pads,
                          StringRef mode) {
  Sizes sizes = x.sizes;
  for (auto [size, low, high] : llvm::zip_equal(sizes, pads.low, pads.high))
    size = n.ix.add(size, n.ix.add(low, high));
  SmallVector<Value> low = n.ix.values(pads.low);
  SmallVector<Value> extents = n.ix.values(x.sizes);
  return gatherByAxis(n, x, sizes, [&](Scalars &s, size_t axis, Value index) {
    bool isWhole = getInt(pads.low[axis]) == 0 && getInt(pads.high[axis]) == 0;
    return isWhole ? index
                   : findPlace(s, mode, s.sub(index, low[axis]), extents[axis]);
  });
}

static void buildPad(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  StringRef mode = n.getString("mode", "constant");
  std::optional<Margins> pads = readPads(n, x.rank());
  if (!pads)
    return;
  Tensor cut = cutMargins(n, x, *pads);
  if (n.failed())
    return;
  if (mode == "edge" || mode == "wrap" || mode == "reflect")
    return n.set(0, padByPlaces(n, cut, *pads, mode));
  if (mode != "constant")
    return n.fail("mode \"" + mode + "\" is not known");
  OpFoldResult value = n.scalar(x.type, n.getFloat("value", 0));
  if (n.has(2))
    value = n.element(n.in(2));
  if (!n.failed())
    n.set(0, pad(n, cut, pads->low, pads->high, n.scalarValue(value)));
}

void mlir::hetero::onnx::addPadding(OperatorTable &table) {
  table.add("Pad", {2, 11, 13, 18, 19, 21, 23, 24, 25}, buildPad);
}
