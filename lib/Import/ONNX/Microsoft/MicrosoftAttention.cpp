//===- MicrosoftAttention.cpp - Attention of com.microsoft ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Attention.h"
#include "../Compose/Normalization.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Parts of the last dimension of these sizes, one after the other.
static SmallVector<Tensor> splitLast(NodeBuilder &n, const Tensor &tensor,
                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<Tensor> parts;
  OpFoldResult offset = n.ix.constant(0);
  for (OpFoldResult size : sizes) {
    parts.push_back(sliceAxis(n, tensor, tensor.rank() - 1, offset, size));
    offset = n.ix.add(offset, size);
  }
  n.checkEqual(offset, tensor.sizes.back(),
               "its queries, keys and values do not fit its input");
  return parts;
}

/// One place along the first dimension, without that.
static Tensor takeFirst(NodeBuilder &n, const Tensor &tensor, int64_t place) {
  Tensor one = sliceAxis(n, tensor, 0, n.ix.constant(place), n.ix.constant(1));
  return squeeze(n, one, 0);
}

static void addBias(NodeBuilder &n, Attention &attention, const Tensor &bias) {
  attention.bias = attention.bias ? add(n, *attention.bias, bias) : bias;
}

/// The factor of scores; 0 stands for the default.
static std::optional<double> readScale(NodeBuilder &n) {
  double scale = n.getFloat("scale", 0);
  return scale == 0 ? std::nullopt : std::optional(scale);
}

/// Which keys count (B, T) where each batch has one range of them: their ends,
/// and, where there are more numbers, their starts.
static Tensor readKeyRanges(NodeBuilder &n, const Tensor &mask,
                            OpFoldResult batch, OpFoldResult keys) {
  OpFoldResult two = n.ix.mul(batch, n.ix.constant(2)), zero = n.ix.constant(0);
  // Nobody reads the sums of lengths that may be after the ends.
  OpFoldResult hasStarts = n.ix.equal(mask.sizes[0], two);
  Tensor ends = sliceAxis(n, mask, 0, zero, batch);
  Tensor starts =
      sliceAxis(n, mask, 0, n.ix.select(hasStarts, batch, zero), batch);
  Value isRange = n.ix.value(hasStarts);
  return computeAt(
      n, ElementType::Bool, {unsqueeze(n, starts, 1), unsqueeze(n, ends, 1)},
      {batch, keys}, [&](Scalars &s, ValueRange at, ValueRange e) {
        Scalars i(s.b, s.loc, ElementType::I64);
        Value start =
            s.select(isRange, s.toIndex(e[0]), i.constantLike(at[1], 0));
        return s.mul(i.lessEqual(start, at[1]), i.less(at[1], s.toIndex(e[1])));
      });
}

/// A mask of integers: where the keys of each batch end, and start, or 1 for
/// each key (B, T) or score (B, S, T) that counts, or for all (B, 1, M, M) of
/// which the last queries are now.
static void addIntegerMask(NodeBuilder &n, Attention &attention, Tensor mask,
                           ElementType type, double hidden) {
  OpFoldResult queries = attention.query.sizes[2];
  OpFoldResult keys = attention.key.sizes[2];
  OpFoldResult zero = n.ix.constant(0);
  if (mask.rank() == 0 || mask.rank() > 4)
    return n.fail("its mask has " + Twine(mask.rank()) + " dimensions");
  if (mask.rank() == 1)
    mask = readKeyRanges(n, mask, attention.query.sizes[0], keys);
  if (mask.rank() == 4)
    mask = sliceAxis(n, sliceAxis(n, mask, 2, n.ix.sub(keys, queries), queries),
                     3, zero, keys);
  Tensor seen = castTo(n, mask, ElementType::Bool);
  Tensor bias = makeMaskBias(n, seen, type, hidden);
  if (bias.rank() == 2)
    bias = unsqueeze(n, bias, 1);
  addBias(n, attention, bias.rank() == 3 ? unsqueeze(n, bias, 1) : bias);
}

/// Reads what all attentions of the domain have: the mask, what is added to
/// scores, and attributes. Sets output 0.
static void setAttention(NodeBuilder &n, Attention &attention, unsigned mask,
                         unsigned bias, OpFoldResult past) {
  ElementType wide = getAccumulator(attention.query.type);
  double hidden = n.getFloat("mask_filter_value", -10000);
  if (n.getBool("unidirectional")) {
    KeyRange range;
    range.isCausal = true;
    range.offset = past;
    addBias(n, attention,
            makeRangeBias(n, range, wide, attention.query.sizes[0],
                          attention.query.sizes[2], attention.key.sizes[2],
                          std::numeric_limits<float>::lowest()));
  }
  if (n.has(mask))
    addIntegerMask(n, attention, n.in(mask), wide, hidden);
  if (n.has(bias))
    addBias(n, attention, castTo(n, n.in(bias), wide));
  attention.scale = readScale(n);
  if (n.failed())
    return;
  AttentionResults results = attend(n, attention);
  if (!n.failed())
    n.set(0, joinHeads(n, results.output));
}

/// Queries, keys and values are products of one input with weights.
static void buildPackedAttention(NodeBuilder &n) {
  int64_t heads = n.getInt("num_heads", 0);
  if (n.getBool("do_rotary") || n.has(6))
    return n.fail("do_rotary and past_sequence_length are not supported");
  Tensor joined = matmul(n, n.in(0), n.in(1));
  if (n.has(2) && !n.failed())
    joined = add(n, joined, castTo(n, n.in(2), joined.type));
  if (n.failed() || joined.rank() != 3)
    return n.fail("its input has not three dimensions");
  joined = castTo(n, joined, n.in(0).type);
  Sizes sizes(3, n.ix.floorDiv(joined.sizes[2], n.ix.constant(3)));
  SmallVector<int64_t> given = n.getInts("qkv_hidden_sizes");
  if (given.size() == 3)
    sizes = Sizes(llvm::map_range(
        given, [&](int64_t size) { return n.ix.constant(size); }));
  SmallVector<Tensor> parts = splitLast(n, joined, sizes);
  Attention attention;
  attention.query = splitHeads(n, parts[0], heads);
  attention.key = splitHeads(n, parts[1], heads);
  attention.value = splitHeads(n, parts[2], heads);
  OpFoldResult past = n.ix.constant(0);
  if (n.has(4) && !n.failed()) {
    past = n.in(4, 5).sizes[3];
    attention.key = concat(n, {takeFirst(n, n.in(4, 5), 0), attention.key}, 2);
    attention.value =
        concat(n, {takeFirst(n, n.in(4, 5), 1), attention.value}, 2);
  }
  if (n.failed())
    return;
  if (n.wants(1))
    n.set(1, concat(n,
                    {unsqueeze(n, attention.key, 0),
                     unsqueeze(n, attention.value, 0)},
                    0));
  setAttention(n, attention, 3, 5, past);
}

/// (B, S, heads, count, D) as `count` tensors (B, heads, S, D).
static SmallVector<Tensor> unpackHeads(NodeBuilder &n, const Tensor &packed,
                                       int64_t count) {
  SmallVector<Tensor> parts;
  if (packed.rank() != 5 || (packed.dim(3) && *packed.dim(3) != count)) {
    n.fail("its packed input is not (batch, sequence, heads, " + Twine(count) +
           ", size)");
    return SmallVector<Tensor>(count, packed);
  }
  for (int64_t i = 0; i < count; ++i) {
    Tensor part = sliceAxis(n, packed, 3, n.ix.constant(i), n.ix.constant(1));
    parts.push_back(transpose(n, squeeze(n, part, 3), {0, 2, 1, 3}));
  }
  return parts;
}

/// The heads of an input of three dimensions, or of four, after its part of
/// the bias is added.
static Tensor readHeads(NodeBuilder &n, unsigned input, int64_t heads,
                        OpFoldResult offset) {
  Tensor given = n.in(input);
  if (given.rank() == 4)
    return given;
  if (n.has(3) && given.rank() == 3) {
    Tensor bias = sliceAxis(n, n.in(3, 1), 0, offset, given.sizes[2]);
    given = castTo(n, add(n, given, bias), given.type);
  }
  return splitHeads(n, given, heads);
}

static void buildMultiHeadAttention(NodeBuilder &n) {
  int64_t heads = n.getInt("num_heads", 0);
  Attention attention;
  const Tensor &query = n.in(0);
  if (query.rank() == 5) {
    SmallVector<Tensor> parts = unpackHeads(n, query, 3);
    attention.query = parts[0];
    attention.key = parts[1];
    attention.value = parts[2];
  } else {
    OpFoldResult offset = n.ix.constant(0);
    attention.query = readHeads(n, 0, heads, offset);
    if (n.failed())
      return;
    if (n.in(1).rank() == 5) {
      SmallVector<Tensor> parts = unpackHeads(n, n.in(1), 2);
      attention.key = parts[0];
      attention.value = parts[1];
    } else {
      offset = query.sizes.back();
      attention.key = readHeads(n, 1, heads, offset);
      if (n.failed())
        return;
      offset = n.ix.add(offset, n.in(1).sizes.back());
      attention.value = readHeads(n, 2, heads, offset);
    }
  }
  OpFoldResult past = n.ix.constant(0);
  if (n.failed())
    return;
  if (n.has(6) && n.has(7)) {
    past = n.in(6, 4).sizes[2];
    attention.key = concat(n, {n.in(6, 4), attention.key}, 2);
    attention.value = concat(n, {n.in(7, 4), attention.value}, 2);
  }
  if (n.failed())
    return;
  n.set(1, attention.key);
  n.set(2, attention.value);
  if (n.wants(3))
    return n.fail("its fourth output is not supported");
  setAttention(n, attention, 4, 5, past);
}

namespace {
/// How much of the cache there is.
struct Cache {
  /// For each batch how many keys were there before.
  Tensor before;
  /// The size of what is returned.
  OpFoldResult size;
};
} // namespace

/// The cache with the new keys or values of each batch after its own.
static Tensor extendCache(NodeBuilder &n, const Cache &cache, unsigned past,
                          const Tensor &now) {
  if (!n.has(past))
    return now;
  Tensor all = concat(n, {n.in(past, 4), now}, 2);
  if (n.failed())
    return now;
  Sizes sizes = now.sizes;
  sizes[2] = cache.size;
  Value old = n.ix.value(n.in(past, 4).sizes[2]);
  // Elements after the last one are 0.
  Value last = n.ix.value(all.sizes[2]);
  Sizes low(4, n.ix.constant(0)), high = low;
  high[2] = n.ix.constant(1);
  all = pad(n, all, low, high, n.scalar(all.type, 0));
  Tensor before = unsqueeze(n, cache.before, {1, 2, 3});
  return gather(
      n, all, {before}, sizes,
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange elements) {
        Scalars s(b, loc, ElementType::I64);
        SmallVector<Value> place(at);
        Value count = s.toIndex(elements[0]);
        Value moved = s.min(s.add(old, s.sub(at[2], count)), last);
        place[2] = s.select(s.less(at[2], count), at[2], moved);
        return place;
      });
}

/// From the lengths less one (5) and the largest length (6).
static std::optional<Cache> readCache(NodeBuilder &n, OpFoldResult queries) {
  OpFoldResult size = readIndex(n, n.in(6));
  const Tensor &lengths = n.in(5);
  if (lengths.rank() == 0 || lengths.rank() > 2)
    n.fail("its lengths do not fit its batch");
  if (n.failed())
    return std::nullopt;
  // The first queries of all come without a past.
  Value isFirst = n.ix.value(n.ix.equal(queries, size));
  Tensor count = makeCount(n, lengths.type, queries);
  Tensor before =
      elementwise(n, {reshape(n, lengths, {lengths.sizes[0]}), count},
                  [&](Scalars &s, ValueRange e) {
                    Value length = s.sub(s.add(e[0], s.constant(1)), e[1]);
                    return s.select(isFirst, s.constant(0), length);
                  });
  if (n.has(3))
    size = n.ix.max(size, n.in(3, 4).sizes[2]);
  return Cache{before, size};
}

/// The weights, or the scores before, where those of hidden keys are 0.
static Tensor readScores(NodeBuilder &n, const AttentionResults &results) {
  ElementType type = results.output.type;
  if (n.getInt("qk_output", 0) == 2)
    return castTo(n, results.weights, type);
  Tensor seen = elementwise(n, {results.biased}, [](Scalars &s, ValueRange e) {
    return s.select(s.equal(e[0], s.constantLike(e[0], -kInfinity)),
                    s.constantLike(e[0], 0), e[0]);
  });
  return castTo(n, seen, type);
}

static void buildGroupQueryAttention(NodeBuilder &n) {
  int64_t heads = n.getInt("num_heads", 0),
          groups = n.getInt("kv_num_heads", 0);
  if (heads < 1 || groups < 1 || n.in(0).rank() != 3)
    return n.fail("its input does not divide into its heads");
  SmallVector<Tensor> parts{n.in(0)};
  if (n.has(1)) {
    parts.append({n.in(1), n.in(2)});
  } else {
    OpFoldResult each =
        n.ix.floorDiv(n.in(0).sizes[2], n.ix.constant(heads + 2 * groups));
    OpFoldResult keys = n.ix.mul(each, n.ix.constant(groups));
    parts = splitLast(n, n.in(0),
                      {n.ix.mul(each, n.ix.constant(heads)), keys, keys});
  }
  Attention attention;
  attention.query = splitHeads(n, parts[0], heads);
  attention.key = splitHeads(n, parts[1], groups);
  attention.value = splitHeads(n, parts[2], groups);
  if (n.failed())
    return;
  OpFoldResult queries = attention.query.sizes[2];
  std::optional<Cache> cache = readCache(n, queries);
  if (!cache)
    return;
  if (n.getBool("do_rotary")) {
    Tensor places =
        n.has(9) ? n.in(9, 2) : countPlaces(n, cache->before, queries);
    bool isInterleaved = n.getBool("rotary_interleaved");
    Tensor cosines = takeRows(n, n.in(7, 2), places);
    Tensor sines = takeRows(n, n.in(8, 2), places);
    attention.query = rotate(n, attention.query, cosines, sines, isInterleaved);
    attention.key = rotate(n, attention.key, cosines, sines, isInterleaved);
  }
  attention.key = extendCache(n, *cache, 3, attention.key);
  attention.value = extendCache(n, *cache, 4, attention.value);
  n.set(1, attention.key);
  n.set(2, attention.value);
  KeyRange range;
  range.isCausal = true;
  int64_t window = n.getInt("local_window_size", -1);
  range.left = window > 0 ? window - 1 : -1;
  range.count =
      add(n, cache->before, makeCount(n, cache->before.type, queries));
  ElementType wide = getAccumulator(attention.query.type);
  attention.bias = makeRangeBias(n, range, wide, attention.query.sizes[0],
                                 queries, attention.key.sizes[2], -kInfinity);
  if (n.has(10))
    addBias(n, attention, castTo(n, n.in(10), wide));
  attention.scale = readScale(n);
  attention.softcap = n.getFloat("softcap", 0);
  if (n.has(11))
    attention.sink = n.in(11);
  else if (n.getInt("smooth_softmax", 0) > 0)
    attention.sink = n.constant(wide, 0);
  attention.wantsWeights = n.wants(3);
  if (n.failed())
    return;
  AttentionResults results = attend(n, attention);
  if (n.failed())
    return;
  n.set(0, joinHeads(n, results.output));
  if (n.wants(3))
    n.set(3, readScores(n, results));
}

/// The sum of the rows of words, positions and segments, normalized.
static void buildEmbedLayerNormalization(NodeBuilder &n) {
  const Tensor &words = n.in(0, 2);
  for (unsigned input : {1, 2, 3, 4, 7, 8})
    if (n.has(input) || input == 2 || input == 3)
      (void)n.in(input, 2);
  if (n.failed())
    return;
  ElementType type = n.in(2).type, wide = getAccumulator(type);
  Tensor sum = castTo(n, takeRows(n, n.in(2), words), wide);
  Tensor positions =
      n.has(8) ? takeRows(n, n.in(3), n.in(8))
               : sliceAxis(n, n.in(3), 0, n.ix.constant(0), words.sizes[1]);
  sum = add(n, sum, castTo(n, positions, wide));
  if (n.has(1))
    sum = add(n, sum, castTo(n, takeRows(n, n.in(4), n.in(1)), wide));
  Moments moments = measure(n, sum, 2);
  Tensor inverse =
      invertDeviation(n, moments.variance, n.getFloat("epsilon", 1e-12f));
  Tensor made = mul(n, moments.centered, inverse);
  made = mul(n, made, castTo(n, n.in(5), wide));
  made = add(n, made, castTo(n, n.in(6), wide));
  n.set(0, castTo(n, made, type));
  n.set(2, castTo(n, sum, type));
  if (!n.wants(1))
    return;
  // How many words of each batch count.
  if (n.has(7)) {
    Tensor mask = castTo(n, n.in(7), ElementType::I32);
    return n.set(1, reduce(n, mask, 1, false, Reduction::Sum));
  }
  Value none = n.fillZero(ElementType::I32, words.sizes[0]);
  n.set(1, n.make(ElementType::I32, words.sizes[0], none));
}

void mlir::hetero::onnx::addMicrosoftAttention(OperatorTable &table) {
  table.add("Attention", {1}, buildPackedAttention, kMicrosoft);
  table.add("MultiHeadAttention", {1}, buildMultiHeadAttention, kMicrosoft);
  table.add("GroupQueryAttention", {1}, buildGroupQueryAttention, kMicrosoft);
  table.add("EmbedLayerNormalization", {1}, buildEmbedLayerNormalization,
            kMicrosoft);
}
