//===- Einsum.cpp - Einsum ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Contraction.h"
#include "../Emit/Iteration.h"
#include "../Emit/Reduction.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// Labels of dimensions: letters, and negative numbers for those that "..."
/// stands for, -1 for the last of them.
using Labels = SmallVector<int64_t>;

/// An operand with a label for each dimension, each once.
struct Term {
  Tensor tensor;
  Labels labels;
};
} // namespace

static bool contains(ArrayRef<int64_t> labels, int64_t label) {
  return llvm::is_contained(labels, label);
}

/// The labels of a term of an equation; `rest` is the number of dimensions that
/// "..." stands for. False if the term is wrong.
static bool parseLabels(StringRef text, int64_t rest, Labels &labels) {
  bool hasDots = false;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (hasDots)
        return false;
      hasDots = true;
      for (int64_t i = rest; i > 0; --i)
        labels.push_back(-i);
    } else if (llvm::isAlpha(text.front())) {
      labels.push_back(text.front());
      text = text.drop_front();
    } else {
      return false;
    }
  }
  return true;
}

/// Takes diagonals, so that each label is there once.
static Term takeDiagonals(NodeBuilder &n, const Tensor &tensor,
                          ArrayRef<int64_t> labels) {
  Term term;
  Sizes sizes;
  SmallVector<int64_t> places;
  for (auto [axis, label] : llvm::enumerate(labels)) {
    auto *it = llvm::find(term.labels, label);
    places.push_back(it - term.labels.begin());
    if (it == term.labels.end()) {
      term.labels.push_back(label);
      sizes.push_back(tensor.sizes[axis]);
    } else {
      OpFoldResult &size = sizes[places.back()];
      size = n.checkEqual(size, tensor.sizes[axis],
                          "dimensions of one label have unlike sizes");
    }
  }
  term.tensor = tensor;
  if (term.labels.size() == labels.size() || n.failed())
    return term;
  term.tensor = gather(n, tensor, {}, sizes,
                       [&](OpBuilder &, Location, ValueRange at, ValueRange) {
                         return llvm::map_to_vector(
                             places, [&](int64_t place) { return at[place]; });
                       });
  return term;
}

/// Sums over the labels that nobody keeps.
static Term sumOthers(NodeBuilder &n, const Term &term,
                      llvm::function_ref<bool(int64_t)> isKept) {
  SmallVector<int64_t> axes;
  Term sum = term;
  for (auto [axis, label] : llvm::enumerate(term.labels))
    if (!isKept(label)) {
      axes.push_back(axis);
      llvm::erase(sum.labels, label);
    }
  if (!axes.empty())
    sum.tensor = castTo(n, reduce(n, term.tensor, axes, false, Reduction::Sum),
                        term.tensor.type);
  return sum;
}

/// The operand with these labels; it has 1 for those that it lacks.
static Tensor arrange(NodeBuilder &n, const Term &term,
                      ArrayRef<int64_t> labels) {
  SmallVector<int64_t> permutation, missing;
  for (auto [axis, label] : llvm::enumerate(labels)) {
    const auto *it = llvm::find(term.labels, label);
    if (it == term.labels.end())
      missing.push_back(axis);
    else
      permutation.push_back(it - term.labels.begin());
  }
  return unsqueeze(n, transpose(n, term.tensor, permutation), missing);
}

/// Multiplies two terms and sums over what only they have: one product of
/// matrices, whose rows, columns and batches are the labels of one operand, of
/// the other, and of both.
static Term contract(NodeBuilder &n, Term lhs, Term rhs,
                     llvm::function_ref<bool(int64_t)> isKept) {
  lhs = sumOthers(n, lhs, [&](int64_t label) {
    return isKept(label) || contains(rhs.labels, label);
  });
  rhs = sumOthers(n, rhs, [&](int64_t label) {
    return isKept(label) || contains(lhs.labels, label);
  });
  Labels batch, inner, rows, columns;
  for (int64_t label : lhs.labels) {
    bool isShared = contains(rhs.labels, label);
    (!isShared ? rows : isKept(label) ? batch : inner).push_back(label);
  }
  for (int64_t label : rhs.labels)
    if (!contains(lhs.labels, label))
      columns.push_back(label);
  auto join = [](std::initializer_list<ArrayRef<int64_t>> lists) {
    Labels all;
    for (ArrayRef<int64_t> list : lists)
      llvm::append_range(all, list);
    return all;
  };
  Labels made = join({batch, rows, columns});
  if (inner.empty())
    return {mul(n, arrange(n, lhs, made), arrange(n, rhs, made)), made};
  Tensor left = arrange(n, lhs, join({batch, rows, inner}));
  Tensor right = arrange(n, rhs, join({batch, inner, columns}));
  // Sizes of one label are equal, or 1.
  size_t outer = batch.size();
  for (size_t i = 0; i < inner.size(); ++i) {
    OpFoldResult &a = left.sizes[outer + rows.size() + i];
    OpFoldResult &b = right.sizes[outer + i];
    a = b = n.checkEqual(a, b, "dimensions of one label have unlike sizes");
  }
  if (n.failed())
    return lhs;
  left = n.make(left.type, left.sizes, n.value(left));
  right = n.make(right.type, right.sizes, n.value(right));
  auto collapse = [&](const Tensor &tensor, size_t first) {
    ArrayRef<OpFoldResult> sizes = tensor.sizes;
    Sizes joined(sizes.take_front(outer));
    joined.push_back(n.ix.product(sizes.slice(outer, first)));
    joined.push_back(n.ix.product(sizes.drop_front(outer + first)));
    return reshape(n, tensor, joined);
  };
  Tensor product =
      matmul(n, collapse(left, rows.size()), collapse(right, inner.size()));
  Sizes sizes(ArrayRef(product.sizes).take_front(outer));
  llvm::append_range(sizes, ArrayRef(left.sizes).slice(outer, rows.size()));
  llvm::append_range(sizes,
                     ArrayRef(right.sizes).drop_front(outer + inner.size()));
  return {castTo(n, reshape(n, product, sizes), lhs.tensor.type), made};
}

/// The labels of the result: those that are given, or all that are there once,
/// in the order of the alphabet, after those of "...".
static bool readResult(StringRef text, bool isGiven, int64_t rest,
                       ArrayRef<Labels> operands, Labels &result) {
  Labels all;
  for (const Labels &labels : operands)
    llvm::append_range(all, labels);
  if (isGiven) {
    Labels seen;
    return parseLabels(text, rest, result) &&
           llvm::all_of(result, [&](int64_t label) {
             bool isNew = !contains(seen, label);
             seen.push_back(label);
             return isNew && (contains(all, label) || label < 0);
           });
  }
  parseLabels("...", rest, result);
  llvm::sort(all);
  for (int64_t label : all)
    if (label > 0 && llvm::count(all, label) == 1)
      result.push_back(label);
  return true;
}

/// Reads the equation into the labels of operands and of the result.
static bool readEquation(NodeBuilder &n, SmallVectorImpl<Labels> &operands,
                         Labels &result) {
  std::string equation = n.getString("equation").str();
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  bool isGiven = StringRef(equation).contains("->");
  SmallVector<StringRef> texts;
  left.split(texts, ',');
  int64_t most = 0;
  operands.resize(texts.size());
  bool isRight = texts.size() == n.numInputs();
  for (size_t i = 0; isRight && i < texts.size(); ++i) {
    int64_t letters = texts[i].size() - 3 * texts[i].contains("...");
    int64_t rest = n.in(i).rank() - letters;
    isRight = parseLabels(texts[i], rest, operands[i]) &&
              int64_t(operands[i].size()) == n.in(i).rank();
    if (texts[i].contains("..."))
      most = std::max(most, rest);
  }
  isRight = isRight && readResult(right, isGiven, most, operands, result);
  if (!isRight)
    n.fail("its equation \"" + n.getString("equation") +
           "\" does not fit its inputs");
  return isRight && !n.failed();
}

static void buildEinsum(NodeBuilder &n) {
  SmallVector<Labels> operands;
  Labels result;
  if (!readEquation(n, operands, result))
    return;
  std::vector<Term> terms;
  for (auto [i, labels] : llvm::enumerate(operands))
    terms.push_back(takeDiagonals(n, n.in(i), labels));
  Term all = terms.front();
  for (size_t i = 1; i < terms.size() && !n.failed(); ++i)
    all = contract(n, all, terms[i], [&](int64_t label) {
      return contains(result, label) ||
             llvm::any_of(ArrayRef<Term>(terms).drop_front(i + 1),
                          [&](const Term &term) {
                            return contains(term.labels, label);
                          });
    });
  if (n.failed())
    return;
  all =
      sumOthers(n, all, [&](int64_t label) { return contains(result, label); });
  n.set(0, arrange(n, all, result));
}

void mlir::hetero::onnx::addEinsum(OperatorTable &table) {
  table.add("Einsum", {12, 28}, buildEinsum);
}
