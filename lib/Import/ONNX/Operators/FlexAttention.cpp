//===- FlexAttention.cpp - Attention with graphs on its scores ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Emit/Contraction.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Each head of keys or values for the queries of a group, one after the other.
static Tensor shareHeads(NodeBuilder &n, const Tensor &x, OpFoldResult heads) {
  if (x.sizes[1] == heads)
    return x;
  OpFoldResult group = n.ix.floorDiv(heads, x.sizes[1]);
  n.checkEqual(n.ix.mul(group, x.sizes[1]), heads,
               "heads of its queries are no multiple of those of its keys");
  if (n.failed())
    return x;
  Tensor spread = unsqueeze(n, x, 2);
  Sizes sizes = spread.sizes;
  sizes[2] = group;
  return reshape(n, broadcastTo(n, spread, sizes),
                 {x.sizes[0], heads, x.sizes[2], x.sizes[3]});
}

/// What a graph of the node makes of a tensor, which keeps its type and sizes.
static Tensor applyGraph(NodeBuilder &n, StringRef name, const Tensor &x) {
  const GraphProto *graph = n.getGraph(name);
  if (!graph || n.failed())
    return x;
  auto results = n.importGraph(*graph, {x});
  if (failed(results))
    return x;
  if (results->size() != 1 || results->front().type != x.type ||
      results->front().rank() != x.rank()) {
    n.fail("its graph " + name +
           " does not keep the type and rank of its input");
    return x;
  }
  Tensor made = results->front();
  for (auto [size, wanted] : llvm::zip_equal(made.sizes, x.sizes))
    size = n.checkEqual(size, wanted,
                        "its graph " + name + " does not keep sizes");
  return n.failed() ? x : n.make(made.type, made.sizes, n.value(made));
}

/// exp(x - max) over its sum, along the keys.
static Tensor weighKeys(NodeBuilder &n, const Tensor &x) {
  Tensor top = reduce(n, x, 3, true, Reduction::Max);
  Tensor powers =
      elementwise(n, {sub(n, x, top)},
                  [](Scalars &s, ValueRange e) { return s.exp(e[0]); });
  return div(n, powers, reduce(n, powers, 3, true, Reduction::Sum));
}

/// 1 / sqrt(depth), or the scale that is given.
static Tensor scaleQuery(NodeBuilder &n, const Tensor &query) {
  ElementType type = query.type;
  Tensor factor = n.constant(type, n.getFloat("scale", 0));
  if (!n.hasAttr("scale"))
    factor = elementwise(n, {makeCount(n, type, query.sizes[3])},
                         [](Scalars &s, ValueRange e) {
                           return s.div(s.constantLike(e[0], 1), s.sqrt(e[0]));
                         });
  return mul(n, query, factor);
}

/// prob_mod(softmax(score_mod(Q * K' * scale))) * V
static void buildFlexAttention(NodeBuilder &n) {
  ElementType type = n.in(0).type, wide = getAccumulator(type);
  auto precision = ElementType(n.getInt("softmax_precision", int64_t(wide)));
  for (unsigned i = 0; i < 3; ++i)
    if (n.in(i).rank() != 4)
      n.fail("input " + Twine(i) + " has not 4 dimensions");
  if (!isFloat(precision) || !isFloat(wide))
    n.fail("its softmax is of type " + getName(precision) + ", not of floats");
  if (n.failed())
    return;
  Tensor query = castTo(n, n.in(0), wide);
  Tensor key = shareHeads(n, castTo(n, n.in(1), wide), query.sizes[1]);
  Tensor value = shareHeads(n, castTo(n, n.in(2), precision), query.sizes[1]);
  if (n.failed())
    return;
  Tensor scores =
      matmul(n, scaleQuery(n, query), transpose(n, key, {0, 1, 3, 2}));
  if (n.failed())
    return;
  scores = applyGraph(n, "score_mod", castTo(n, scores, precision));
  if (n.failed())
    return;
  Tensor weights = weighKeys(n, castTo(n, scores, getAccumulator(precision)));
  weights = applyGraph(n, "prob_mod", castTo(n, weights, precision));
  if (!n.failed())
    n.set(0, castTo(n, matmul(n, weights, value), type));
}

void mlir::hetero::onnx::addFlexAttention(OperatorTable &table) {
  table.add("FlexAttention", {1}, buildFlexAttention, "ai.onnx.preview");
}
