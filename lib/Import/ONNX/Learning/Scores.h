//===- Scores.h - Scores and labels of classes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores and labels of classes, as operators of ai.onnx.ml have them.

#ifndef HETERO_LIB_IMPORT_ONNX_LEARNING_SCORES_H
#define HETERO_LIB_IMPORT_ONNX_LEARNING_SCORES_H

#include "../Emit/Layout.h"
#include "../Emit/Reduction.h"

namespace mlir::hetero::onnx {

/// A constant of numbers, of type F32, F64, I32 or I64.
Tensor makeNumbers(NodeBuilder &n, ElementType type, ArrayRef<int64_t> sizes,
                   ArrayRef<double> numbers);
template <typename T> SmallVector<double> toDoubles(const T &numbers) {
  return SmallVector<double>(numbers.begin(), numbers.end());
}

/// The numbers of a tensor of an attribute, however many; an error if it has
/// other elements.
SmallVector<double> readDoubles(NodeBuilder &n, const Tensor &tensor);
/// The elements at places along the only dimension of a table.
Tensor takeElements(NodeBuilder &n, const Tensor &table, const Tensor &places);

/// Scores (N, classes) after the function that post_transform names.
Tensor transformScores(NodeBuilder &n, const Tensor &scores, StringRef name);

/// The labels of classes: classlabels_ints or classlabels_int64s. Strings are
/// an error.
SmallVector<int64_t> readLabels(NodeBuilder &n);
/// Sets the label of the largest of scores.
void setBestLabel(NodeBuilder &n, const Tensor &scores,
                  ArrayRef<int64_t> labels);

/// How one score stands for two classes.
enum class Pair {
  /// The second has the score, the first 1 less it.
  Share,
  /// The second has the score, the first its negative.
  Opposite
};
/// Sets labels and scores of two classes of which one score (N, 1) is known:
/// the second class where it is above the threshold.
void setTwoClasses(NodeBuilder &n, const Tensor &score, double threshold,
                   ArrayRef<int64_t> labels, Pair pair, StringRef transform);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_LEARNING_SCORES_H
