//===- Attention.cpp - Attention and rotary embeddings --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Attention.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The keys or values after those of the past.
static Tensor appendToPast(NodeBuilder &n, unsigned past, const Tensor &now) {
  if (!n.has(past))
    return now;
  if (n.in(past, 4).type != now.type || now.rank() != 4) {
    n.fail("its past does not fit its keys and values");
    return now;
  }
  return concat(n, {n.in(past), now}, 2);
}

/// The attribute's mask; what it has too few of is hidden.
static Tensor readMask(NodeBuilder &n, const Tensor &mask, ElementType type,
                       OpFoldResult keys) {
  Tensor bias = makeMaskBias(n, mask, type, -kInfinity);
  if (bias.rank() == 0 || bias.sizes.back() == keys)
    return bias;
  Sizes low(bias.rank(), n.ix.constant(0)), high = low;
  high.back() = n.ix.max(n.ix.sub(keys, bias.sizes.back()), n.ix.constant(0));
  Tensor padded = pad(n, bias, low, high, n.scalar(type, -kInfinity));
  padded.sizes.back() = n.checkEqual(padded.sizes.back(), keys,
                                     "its mask has more columns than keys");
  return n.failed() ? bias : n.make(type, padded.sizes, n.value(padded));
}

/// Which keys are seen, and the mask, as one bias.
static void readBias(NodeBuilder &n, Attention &attention, ElementType type) {
  OpFoldResult keys = attention.key.sizes[2],
               queries = attention.query.sizes[2];
  KeyRange range;
  range.isCausal = n.getBool("is_causal");
  range.left = n.getInt("left_window_size", -1);
  range.right = n.getInt("right_window_size", -1);
  if (range.left < -1 || range.right < -1)
    n.fail("a size of its window is below -1");
  if (n.has(4))
    range.offset = n.in(4, 4).sizes[2];
  if (n.has(6)) {
    range.count = n.in(6, 1);
    range.count->sizes[0] =
        n.checkEqual(range.count->sizes[0], attention.query.sizes[0],
                     "its lengths do not fit its batch");
  }
  if (n.failed())
    return;
  if (!range.hidesNothing())
    attention.bias = makeRangeBias(n, range, type, attention.query.sizes[0],
                                   queries, keys, -kInfinity);
  if (n.has(3)) {
    Tensor mask = readMask(n, n.in(3), type, keys);
    attention.bias = attention.bias ? add(n, *attention.bias, mask) : mask;
  }
  attention.mayHideAll =
      n.has(3) || range.count || range.left >= 0 || range.right >= 0;
}

static void setScores(NodeBuilder &n, const AttentionResults &results,
                      ElementType type) {
  if (!n.wants(3))
    return;
  const Tensor *chosen[] = {&results.scores, &results.capped, &results.biased,
                            &results.weights};
  int64_t mode = n.getInt("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3)
    return n.fail("its qk_matmul_output_mode is " + Twine(mode));
  const Tensor &heads = results.scores;
  n.set(3, castTo(n, broadcastTo(n, *chosen[mode], heads.sizes), type));
}

/// Both sides of the product are multiplied by the root of the attribute: a
/// negative one gives nan.
static std::optional<double> readScale(NodeBuilder &n) {
  if (!n.findAttr("scale"))
    return std::nullopt;
  return std::pow(std::sqrt(n.getFloat("scale", 1)), 2);
}

static void buildAttention(NodeBuilder &n) {
  Attention attention;
  attention.query = n.in(0);
  attention.key = n.in(1);
  attention.value = n.in(2);
  bool isFlat = attention.query.rank() == 3;
  if (isFlat) {
    int64_t heads = n.getInt("kv_num_heads", 0);
    attention.query = splitHeads(n, n.in(0), n.getInt("q_num_heads", 0));
    attention.key = splitHeads(n, n.in(1), heads);
    attention.value = splitHeads(n, n.in(2), heads);
  }
  if (n.has(4) != n.has(5) || (n.has(6) && n.has(4)))
    n.fail("its past_key, past_value and nonpad_kv_seqlen do not go together");
  for (const Tensor *tensor :
       {&attention.query, &attention.key, &attention.value})
    if (tensor->rank() != 4)
      n.fail("its inputs have neither three nor four dimensions");
  if (n.failed())
    return;
  attention.key = appendToPast(n, 4, attention.key);
  attention.value = appendToPast(n, 5, attention.value);
  ElementType type = attention.query.type, wide = getAccumulator(type);
  readBias(n, attention, wide);
  attention.scale = readScale(n);
  attention.softcap = n.getFloat("softcap", 0);
  attention.softmaxType =
      ElementType(n.getInt("softmax_precision", int64_t(wide)));
  attention.wantsWeights = n.wants(3);
  if (n.failed())
    return;
  AttentionResults results = attend(n, attention);
  if (n.failed())
    return;
  n.set(0, isFlat ? joinHeads(n, results.output) : results.output);
  n.set(1, attention.key);
  n.set(2, attention.value);
  setScores(n, results, type);
}

/// A graph of the node as a function of one tensor, which keeps its sizes.
static std::function<Tensor(const Tensor &)>
readChange(NodeBuilder &n, StringRef name, ElementType type) {
  const GraphProto *graph = n.getGraph(name);
  if (!graph)
    return nullptr;
  return [&n, graph, type](const Tensor &given) {
    auto results = n.importGraph(*graph, castTo(n, given, type));
    if (failed(results) || results->size() != 1 ||
        results->front().type != type ||
        results->front().rank() != given.rank()) {
      n.fail("its score_mod or prob_mod does not keep its input's type and "
             "sizes");
      return given;
    }
    return castTo(n, results->front(), given.type);
  };
}

static void buildFlexAttention(NodeBuilder &n) {
  Attention attention;
  attention.query = n.in(0);
  attention.key = n.in(1);
  attention.value = n.in(2);
  ElementType wide = getAccumulator(attention.query.type);
  attention.scale = readScale(n);
  attention.softmaxType =
      ElementType(n.getInt("softmax_precision", int64_t(wide)));
  // Scores are of the softmax's type.
  ElementType type = attention.softmaxType == ElementType::F64
                         ? ElementType::F64
                         : ElementType::F32;
  attention.changeScores = readChange(n, "score_mod", type);
  attention.changeWeights = readChange(n, "prob_mod", type);
  if (n.failed())
    return;
  AttentionResults results = attend(n, attention);
  if (!n.failed())
    n.set(0, results.output);
}

/// Rotates by tables: their rows at `places` (B, S), or those of (B, S) if
/// there are none. Of one place, rows from there on are taken.
static void buildRotaryEmbedding(NodeBuilder &n, Tensor cosines, Tensor sines,
                                 std::optional<Tensor> places) {
  Tensor x = n.in(0);
  bool isFlat = x.rank() == 3;
  int64_t heads = n.getInt("num_heads", 0);
  std::optional<int64_t> angles =
      cosines.rank() ? cosines.dim(cosines.rank() - 1) : std::nullopt;
  if (isFlat && heads == 0 && angles && *angles > 0 && x.dim(2))
    heads = *x.dim(2) / (2 * *angles);
  if (isFlat)
    x = splitHeads(n, x, heads);
  if (x.rank() != 4)
    n.fail("its input has neither three nor four dimensions");
  int64_t rank = places ? 2 : 3, turned = n.getInt("rotary_embedding_dim", 0);
  if (cosines.rank() != rank || sines.rank() != rank ||
      (turned && angles && *angles * 2 != turned))
    n.fail("its cosines and sines do not fit its input");
  if (n.failed())
    return;
  if (places && places->rank() == 1)
    places = countPlaces(n, *places, x.sizes[2]);
  if (places) {
    cosines = takeRows(n, cosines, *places);
    sines = takeRows(n, sines, *places);
  }
  Tensor made = rotate(n, x, cosines, sines, n.getBool("interleaved"));
  n.set(0, isFlat ? joinHeads(n, made) : made);
}

void mlir::hetero::onnx::addAttention(OperatorTable &table) {
  table.add("Attention", {23, 24, 25}, buildAttention);
  table.add("FlexAttention", {1}, buildFlexAttention, "ai.onnx.preview");
  table.add("RotaryEmbedding", {23}, [](NodeBuilder &n) {
    buildRotaryEmbedding(n, n.in(1), n.in(2),
                         n.has(3) ? std::optional(n.in(3)) : std::nullopt);
  });
  table.add(
      "RotaryEmbedding", {1},
      [](NodeBuilder &n) {
        buildRotaryEmbedding(n, n.in(2), n.in(3), n.in(1));
      },
      kMicrosoft);
}
