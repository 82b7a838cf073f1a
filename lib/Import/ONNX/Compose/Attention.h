//===- Attention.h - Attention and rotary embeddings ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention as products around softmax, in the form that is recognized as one
// operation, and what goes before it: heads, rotary embeddings, masks.

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_ATTENTION_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_ATTENTION_H

#include "../Emit/Layout.h"
#include "../Emit/Reduction.h"

namespace mlir::hetero::onnx {

/// The negative of this number hides a key.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// (B, S, heads * D) as (B, heads, S, D).
Tensor splitHeads(NodeBuilder &n, const Tensor &tensor, int64_t heads);
/// (B, heads, S, D) as (B, S, heads * D).
Tensor joinHeads(NodeBuilder &n, const Tensor &tensor);

/// Which keys a query may see, by their places: `offset` keys are before the
/// first query.
struct KeyRange {
  bool isCausal = false;
  /// How many keys before and after its own place; -1 for all.
  int64_t left = -1, right = -1;
  OpFoldResult offset;
  /// For each batch how many keys there are, null for all of them; the last
  /// query is at the last of them.
  std::optional<Tensor> count;

  bool hidesNothing() const {
    return !isCausal && left < 0 && right < 0 && !count;
  }
};
/// What is added to scores (S, T), or (B, 1, S, T): 0, and `hidden` for keys
/// that are not seen.
Tensor makeRangeBias(NodeBuilder &n, const KeyRange &range, ElementType type,
                     OpFoldResult batch, OpFoldResult queries,
                     OpFoldResult keys, double hidden);
/// The same of a mask: elements of Bool are true where keys are seen, others
/// are added as they are.
Tensor makeMaskBias(NodeBuilder &n, const Tensor &mask, ElementType type,
                    double hidden);

struct Attention {
  /// (B, heads, S, D); (B, heads of keys, T, D); (B, heads of keys, T, E).
  Tensor query, key, value;
  /// Added to scores (B, heads, S, T), with room for broadcasts.
  std::optional<Tensor> bias;
  /// True if rows of the bias may be -inf everywhere: their results are 0.
  bool mayHideAll = false;
  /// By default 1 / sqrt(D).
  std::optional<double> scale;
  double softcap = 0;
  ElementType softmaxType = ElementType::F32;
  /// The score of a key without a value, one for each head or for all.
  std::optional<Tensor> sink;
  /// Change scores with their bias, and weights, if they are there.
  std::function<Tensor(const Tensor &)> changeScores, changeWeights;
  /// Whether the weights are asked for.
  bool wantsWeights = false;
};
struct AttentionResults {
  /// (B, heads, S, E)
  Tensor output;
  /// Scores as they are, capped, and with the bias, and the weights.
  Tensor scores, capped, biased, weights;
};
AttentionResults attend(NodeBuilder &n, const Attention &attention);

/// Turns pairs of the first elements of heads, two for each of the angles: `x`
/// is (B, heads, S, D), cosines and sines (B, S, angles).
Tensor rotate(NodeBuilder &n, const Tensor &x, const Tensor &cosines,
              const Tensor &sines, bool isInterleaved);
/// (B, S): the numbers from the first of each row on.
Tensor countPlaces(NodeBuilder &n, const Tensor &firsts, OpFoldResult count);
/// Rows of a table at places (B, S).
Tensor takeRows(NodeBuilder &n, const Tensor &table, const Tensor &places);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_ATTENTION_H
