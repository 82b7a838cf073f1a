//===- Attention.cpp - Attention and rotary embeddings --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Attention.h"

#include "../Emit/Contraction.h"
#include "Normalization.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The quotient of a number of heads, which must divide them.
static OpFoldResult divideHeads(NodeBuilder &n, OpFoldResult size,
                                OpFoldResult divisor, const Twine &message) {
  OpFoldResult each = n.ix.floorDiv(size, divisor);
  n.checkEqual(n.ix.mul(each, divisor), size, message);
  return each;
}

Tensor onnx::splitHeads(NodeBuilder &n, const Tensor &tensor, int64_t heads) {
  std::string message =
      "its inputs do not divide into " + std::to_string(heads) + " heads";
  if (tensor.rank() != 3 || heads < 1) {
    n.fail(message);
    return tensor;
  }
  OpFoldResult count = n.ix.constant(heads);
  OpFoldResult each = divideHeads(n, tensor.sizes[2], count, message);
  if (n.failed())
    return tensor;
  Tensor split =
      reshape(n, tensor, {tensor.sizes[0], tensor.sizes[1], count, each});
  return transpose(n, split, {0, 2, 1, 3});
}

Tensor onnx::joinHeads(NodeBuilder &n, const Tensor &tensor) {
  Tensor rows = transpose(n, tensor, {0, 2, 1, 3});
  return reshape(
      n, rows,
      {rows.sizes[0], rows.sizes[1], n.ix.mul(rows.sizes[2], rows.sizes[3])});
}

/// Each head for several queries, one after the other.
static Tensor repeatHeads(NodeBuilder &n, const Tensor &tensor,
                          OpFoldResult heads) {
  if (tensor.sizes[1] == heads)
    return tensor;
  OpFoldResult times =
      divideHeads(n, heads, tensor.sizes[1],
                  "its heads of queries do not divide into those of keys");
  if (n.failed())
    return tensor;
  Tensor spread = unsqueeze(n, tensor, 2);
  Sizes sizes = spread.sizes;
  sizes[2] = times;
  return reshape(n, broadcastTo(n, spread, sizes),
                 {tensor.sizes[0], heads, tensor.sizes[2], tensor.sizes[3]});
}

Tensor onnx::makeRangeBias(NodeBuilder &n, const KeyRange &range,
                           ElementType type, OpFoldResult batch,
                           OpFoldResult queries, OpFoldResult keys,
                           double hidden) {
  Sizes sizes{queries, keys};
  SmallVector<Tensor> counts;
  if (range.count) {
    sizes = {batch, n.ix.constant(1), queries, keys};
    counts.push_back(unsqueeze(n, *range.count, {1, 2, 3}));
  }
  Value offset = n.ix.value(range.offset ? range.offset : n.ix.constant(0));
  Value size = n.ix.value(queries);
  return computeAt(
      n, type, counts, sizes,
      [&](Scalars &s, ValueRange at, ValueRange elements) {
        Scalars whole(s.b, s.loc, ElementType::I64);
        Value key = at.back(), first = offset;
        Value seen = s.constant(ElementType::Bool, 1);
        auto require = [&](Value lhs, Value rhs) {
          seen = s.binary<arith::AndIOp>(seen, whole.lessEqual(lhs, rhs));
        };
        auto move = [&](Value value, int64_t steps) {
          return whole.add(value, s.constantLike(value, steps));
        };
        Value count = range.count ? s.toIndex(elements[0]) : Value();
        if (count)
          first = whole.sub(count, size);
        Value query = whole.add(at[at.size() - 2], first);
        if (range.isCausal)
          require(key, query);
        if (range.left >= 0)
          require(query, move(key, range.left));
        if (range.right >= 0)
          require(key, move(query, range.right));
        if (count)
          require(move(key, 1), count);
        return s.select(seen, s.constant(0), s.constant(hidden));
      });
}

Tensor onnx::makeMaskBias(NodeBuilder &n, const Tensor &mask, ElementType type,
                          double hidden) {
  if (mask.type != ElementType::Bool)
    return castTo(n, mask, type);
  return elementwise(n, {mask}, type, [&](Scalars &s, ValueRange e) {
    return s.select(e[0], s.constant(type, 0), s.constant(type, hidden));
  });
}

/// The scores times a factor.
static Tensor scaleScores(NodeBuilder &n, const Tensor &scores,
                          std::optional<double> scale, OpFoldResult depth) {
  std::optional<int64_t> size = getInt(depth);
  if (!scale && !size) {
    Tensor count = makeCount(n, scores.type, depth);
    return elementwise(n, {scores, count}, [](Scalars &s, ValueRange e) {
      return s.mul(e[0], s.math<math::RsqrtOp>(e[1]));
    });
  }
  double factor = scale ? *scale : 1 / std::sqrt(double(*size));
  if (factor == 1)
    return scores;
  return elementwise(n, {scores}, [&](Scalars &s, ValueRange e) {
    return s.mul(e[0], s.constantLike(e[0], factor));
  });
}

/// A tensor, and 0 in rows of which all keys are hidden.
static Tensor clearRows(NodeBuilder &n, const Tensor &tensor,
                        const std::optional<Tensor> &isHidden) {
  if (!isHidden)
    return tensor;
  return elementwise(n, {tensor, *isHidden}, [](Scalars &s, ValueRange e) {
    return s.select(e[1], s.constantLike(e[0], 0), e[0]);
  });
}

/// Rows of a bias that hide all keys; softmax would make nan of them.
static Tensor findHiddenRows(NodeBuilder &n, const Tensor &bias) {
  Tensor most = reduce(n, bias, bias.rank() - 1, true, Reduction::Max);
  return elementwise(n, {most}, ElementType::Bool,
                     [](Scalars &s, ValueRange e) {
                       return s.equal(e[0], s.constantLike(e[0], -kInfinity));
                     });
}

/// Scores with those of a key more.
static Tensor appendSink(NodeBuilder &n, const Tensor &scores,
                         const Tensor &sink) {
  Tensor each = castTo(n, sink, scores.type);
  if (sink.rank() == 1)
    each = unsqueeze(n, each, {1, 2});
  Sizes sizes = scores.sizes;
  sizes[3] = n.ix.constant(1);
  return concat(n, {scores, broadcastTo(n, each, sizes)}, 3);
}

AttentionResults onnx::attend(NodeBuilder &n, const Attention &attention) {
  AttentionResults results;
  const Tensor &query = attention.query;
  for (const Tensor *tensor : {&query, &attention.key, &attention.value})
    if (tensor->rank() != 4 || attention.key.type != query.type)
      n.fail("its queries, keys and values are of unlike ranks or types");
  if (n.failed())
    return results;
  OpFoldResult heads = query.sizes[1];
  Tensor key = repeatHeads(n, attention.key, heads);
  Tensor value = repeatHeads(n, attention.value, heads);
  if (n.failed())
    return results;
  Tensor product = matmul(n, query, transpose(n, key, {0, 1, 3, 2}));
  if (n.failed())
    return results;
  results.scores = scaleScores(n, product, attention.scale, query.sizes[3]);
  results.capped = results.scores;
  double cap = attention.softcap;
  if (cap > 0)
    results.capped =
        elementwise(n, {results.scores}, [&](Scalars &s, ValueRange e) {
          Value limit = s.constantLike(e[0], cap);
          return s.mul(s.tanh(s.div(e[0], limit)), limit);
        });
  results.biased = results.capped;
  std::optional<Tensor> hidden;
  Tensor logits = results.capped;
  if (attention.bias) {
    Tensor bias = castTo(n, *attention.bias, logits.type);
    results.biased = add(n, results.capped, bias);
    if (attention.mayHideAll) {
      hidden = findHiddenRows(n, bias);
      bias = clearRows(n, bias, hidden);
    }
    logits = add(n, results.capped, bias);
  }
  if (attention.changeScores)
    logits = attention.changeScores(logits);
  if (n.failed())
    return results;
  if (attention.softmaxType == ElementType::F64)
    logits = castTo(n, logits, ElementType::F64);
  OpFoldResult keys = logits.sizes[3];
  if (attention.sink)
    logits = appendSink(n, logits, *attention.sink);
  Tensor weights =
      sliceAxis(n, softmax(n, logits, 3), 3, n.ix.constant(0), keys);
  if (attention.changeWeights)
    weights = attention.changeWeights(weights);
  if (n.failed())
    return results;
  ElementType wide = getBitWidth(value.type) > getBitWidth(query.type)
                         ? value.type
                         : query.type;
  weights = castTo(n, weights, wide);
  if (attention.wantsWeights)
    results.weights = clearRows(n, weights, hidden);
  value = castTo(n, value, wide);
  Tensor output = castTo(n, matmul(n, weights, value), query.type);
  results.output = clearRows(n, output, hidden);
  return results;
}

Tensor onnx::countPlaces(NodeBuilder &n, const Tensor &firsts,
                         OpFoldResult count) {
  return computeAt(n, firsts.type, unsqueeze(n, firsts, 1),
                   {firsts.sizes[0], count},
                   [](Scalars &s, ValueRange at, ValueRange first) {
                     return s.add(first[0], s.fromIndex(at[1]));
                   });
}

Tensor onnx::takeRows(NodeBuilder &n, const Tensor &table,
                      const Tensor &places) {
  Sizes sizes = places.sizes;
  sizes.push_back(table.sizes[1]);
  int64_t rank = places.rank();
  Value size = n.ix.value(table.sizes[0]);
  return gather(
      n, table, unsqueeze(n, places, rank), sizes,
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange elements) {
        Value row = Scalars(b, loc, places.type).toIndex(elements[0]);
        return SmallVector<Value>{wrapIndex(b, loc, row, size), at[rank]};
      });
}

/// Elements of the last dimension.
static Tensor takeLast(NodeBuilder &n, const Tensor &x, OpFoldResult offset,
                       OpFoldResult count, int64_t step) {
  Sizes offsets(x.rank(), n.ix.constant(0)), sizes = x.sizes;
  Sizes strides(x.rank(), n.ix.constant(1));
  offsets.back() = offset;
  sizes.back() = count;
  strides.back() = n.ix.constant(step);
  return slice(n, x, offsets, sizes, strides);
}

Tensor onnx::rotate(NodeBuilder &n, const Tensor &given, const Tensor &cosines,
                    const Tensor &sines, bool isInterleaved) {
  ElementType type = given.type, wide = getAccumulator(type);
  OpFoldResult half = cosines.sizes.back(), zero = n.ix.constant(0);
  OpFoldResult turned = n.ix.add(half, half);
  Tensor x = castTo(n, given, wide);
  Tensor cosine = unsqueeze(n, castTo(n, cosines, wide), 1);
  Tensor sine = unsqueeze(n, castTo(n, sines, wide), 1);
  int64_t step = isInterleaved ? 2 : 1;
  Tensor first = takeLast(n, x, zero, half, step);
  Tensor second =
      takeLast(n, x, isInterleaved ? n.ix.constant(1) : half, half, step);
  Tensor real = sub(n, mul(n, cosine, first), mul(n, sine, second));
  Tensor imaginary = add(n, mul(n, sine, first), mul(n, cosine, second));
  int64_t rank = x.rank();
  Tensor made;
  if (isInterleaved) {
    made = concat(n, {unsqueeze(n, real, rank), unsqueeze(n, imaginary, rank)},
                  rank);
    Sizes sizes = x.sizes;
    sizes.back() = turned;
    made = reshape(n, made, sizes);
  } else {
    made = concat(n, {real, imaginary}, rank - 1);
  }
  OpFoldResult rest = n.ix.sub(x.sizes.back(), turned);
  if (getInt(rest) != 0)
    made = concat(n, {made, takeLast(n, x, turned, rest, 1)}, rank - 1);
  return castTo(n, made, type);
}
