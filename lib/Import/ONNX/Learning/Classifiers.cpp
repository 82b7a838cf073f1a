//===- Classifiers.cpp - Linear models and support vectors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Contraction.h"
#include "../OperatorTable.h"
#include "Scores.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The input as rows of features.
static Tensor readRows(NodeBuilder &n) {
  Tensor x = castTo(n, n.in(0), ElementType::F32);
  if (x.rank() == 1)
    x = unsqueeze(n, x, 0);
  if (x.rank() != 2)
    n.fail("its input has " + Twine(x.rank()) + " dimensions, not two");
  return x;
}

/// Coefficients of so many rows as (features, rows).
static Tensor makeColumns(NodeBuilder &n, ArrayRef<double> numbers,
                          int64_t rows) {
  int64_t columns = rows > 0 ? int64_t(numbers.size()) / rows : 0;
  if (columns < 1 || columns * rows != int64_t(numbers.size()))
    n.fail("its " + Twine(numbers.size()) +
           " coefficients do not divide into " + Twine(rows) + " rows");
  SmallVector<double> transposed;
  for (int64_t column = 0; column < columns && !n.failed(); ++column)
    for (int64_t row = 0; row < rows; ++row)
      transposed.push_back(numbers[row * columns + column]);
  return n.failed()
             ? n.constant(ElementType::F32, 0)
             : makeNumbers(n, ElementType::F32, {columns, rows}, transposed);
}

/// Products of the rows of the input with those of the coefficients.
static Tensor multiplyLinear(NodeBuilder &n, const Tensor &x,
                             ArrayRef<double> numbers, int64_t rows) {
  Tensor columns = makeColumns(n, numbers, rows);
  return n.failed() ? x : matmul(n, x, columns);
}

/// Scores of a linear model; its intercepts may be left out.
static Tensor evaluateLinear(NodeBuilder &n, int64_t rows) {
  Tensor made = multiplyLinear(n, readRows(n),
                               toDoubles(n.getFloats("coefficients")), rows);
  SmallVector<double> intercepts = toDoubles(n.getFloats("intercepts"));
  if (intercepts.empty() || n.failed())
    return made;
  if (int64_t(intercepts.size()) != rows)
    n.fail("it has not one intercept for each of its results");
  return n.failed()
             ? made
             : add(n, made, makeNumbers(n, ElementType::F32, rows, intercepts));
}

static void buildLinearRegressor(NodeBuilder &n) {
  Tensor made = evaluateLinear(n, n.getInt("targets", 1));
  if (!n.failed())
    n.set(0, transformScores(n, made, n.getString("post_transform")));
}

static void buildLinearClassifier(NodeBuilder &n) {
  SmallVector<int64_t> labels = readLabels(n);
  int64_t rows = n.getFloats("intercepts").size();
  if (rows == 0)
    rows = std::max<int64_t>(labels.size(), 1);
  Tensor scores = evaluateLinear(n, rows);
  StringRef transform = n.getString("post_transform");
  if (n.failed())
    return;
  if (rows > 1) {
    if (!labels.empty() && int64_t(labels.size()) != rows)
      return n.fail("it has not one label for each of its classes");
    setBestLabel(n, scores, labels);
    return n.set(1, transformScores(n, scores, transform));
  }
  setTwoClasses(n, scores, 0, labels, Pair::Share, transform);
  if (labels.size() < 2)
    n.set(1, transformScores(n, scores, transform));
}

//===----------------------------------------------------------------------===//
// Support vectors
//===----------------------------------------------------------------------===//

/// The kernel's value of each row with each of the support vectors.
static Tensor evaluateKernel(NodeBuilder &n, const Tensor &x,
                             ArrayRef<double> vectors, int64_t count) {
  StringRef kind = n.getString("kernel_type", "LINEAR");
  SmallVector<double> numbers = toDoubles(n.getFloats("kernel_params"));
  numbers.resize(3, 0);
  double gamma = numbers[0], offset = numbers[1], degree = numbers[2];
  if (kind == "RBF") {
    int64_t features = vectors.size() / std::max<int64_t>(count, 1);
    if (count < 1 || features * count != int64_t(vectors.size()))
      n.fail("its support vectors are of unlike sizes");
    if (n.failed())
      return x;
    Tensor all = makeNumbers(n, ElementType::F32, {count, features}, vectors);
    Tensor difference = sub(n, unsqueeze(n, x, 1), all);
    Tensor sum =
        reduce(n, mul(n, difference, difference), 2, false, Reduction::Sum);
    return elementwise(n, {sum}, [&](Scalars &s, ValueRange e) {
      return s.exp(s.mul(e[0], s.constant(-gamma)));
    });
  }
  Tensor product = multiplyLinear(n, x, vectors, count);
  if (n.failed() || kind == "LINEAR")
    return product;
  if (kind != "POLY" && kind != "SIGMOID")
    n.fail("its kernel_type is '" + kind + "', which is not known");
  return elementwise(n, {product}, [&](Scalars &s, ValueRange e) -> Value {
    Value line = s.add(s.mul(e[0], s.constant(gamma)), s.constant(offset));
    return kind == "POLY" ? s.binary<math::PowFOp>(line, s.constant(degree))
                          : s.tanh(line);
  });
}

static Tensor addNumber(NodeBuilder &n, const Tensor &x, double number) {
  return elementwise(n, {x}, [&](Scalars &s, ValueRange e) {
    return s.add(e[0], s.constant(number));
  });
}

static void buildSVMRegressor(NodeBuilder &n) {
  Tensor x = readRows(n);
  SmallVector<double> weights = toDoubles(n.getFloats("coefficients"));
  SmallVector<double> rho = toDoubles(n.getFloats("rho"));
  int64_t count = n.getInt("n_supports", 0);
  if (rho.empty())
    n.fail("it has no rho");
  if (n.failed())
    return;
  Tensor values = x;
  if (count > 0)
    values =
        evaluateKernel(n, x, toDoubles(n.getFloats("support_vectors")), count);
  if (n.failed())
    return;
  Tensor made = multiplyLinear(n, values, weights, 1);
  if (n.failed())
    return;
  made = addNumber(n, made, rho.front());
  if (n.getBool("one_class"))
    made = elementwise(n, {made}, [](Scalars &s, ValueRange e) {
      return s.select(s.less(s.constant(0), e[0]), s.constant(1),
                      s.constant(-1));
    });
  n.set(0, transformScores(n, made, n.getString("post_transform")));
}

/// A linear classifier by another name.
static void buildLinearSVM(NodeBuilder &n, const Tensor &x,
                           ArrayRef<int64_t> labels) {
  SmallVector<double> weights = toDoubles(n.getFloats("coefficients"));
  SmallVector<double> rho = toDoubles(n.getFloats("rho"));
  int64_t classes = std::max<int64_t>(labels.size(), 1);
  if (rho.empty() || classes < 2)
    return n.fail("it has neither support vectors nor two classes");
  Tensor scores = multiplyLinear(n, x, weights, classes);
  if (n.failed())
    return;
  scores = addNumber(n, scores, rho.front());
  setBestLabel(n, scores, labels);
  n.set(1, transformScores(n, scores, n.getString("post_transform")));
}

namespace {
/// Support vectors of each class, one class after the other.
struct Machine {
  SmallVector<int64_t> counts, starts;
  SmallVector<double> weights, rho;
  int64_t vectors = 0;
};
} // namespace

/// The weights (vectors, pairs) whose sums decide between two classes each.
static Tensor makePairWeights(NodeBuilder &n, const Machine &machine) {
  int64_t classes = machine.counts.size(), pairs = classes * (classes - 1) / 2;
  SmallVector<double> weights(machine.vectors * pairs, 0);
  int64_t pair = 0;
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      auto take = [&](int64_t of, int64_t row) {
        for (int64_t k = 0; k < machine.counts[of]; ++k) {
          int64_t place = machine.starts[of] + k;
          weights[place * pairs + pair] =
              machine.weights[row * machine.vectors + place];
        }
      };
      take(i, j - 1);
      take(j, i);
    }
  return makeNumbers(n, ElementType::F32, {machine.vectors, pairs}, weights);
}

/// How many pairs each class wins.
static Tensor countVotes(NodeBuilder &n, const Tensor &scores,
                         int64_t classes) {
  SmallVector<double> first, second;
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j)
      for (int64_t k = 0; k < classes; ++k) {
        first.push_back(k == i);
        second.push_back(k == j);
      }
  int64_t pairs = classes * (classes - 1) / 2;
  auto table = [&](ArrayRef<double> numbers) {
    return makeNumbers(n, ElementType::F32, {pairs, classes}, numbers);
  };
  Tensor votes =
      elementwise(n, {unsqueeze(n, scores, 2), table(first), table(second)},
                  [](Scalars &s, ValueRange e) {
                    return s.select(s.less(s.constant(0), e[0]), e[1], e[2]);
                  });
  return reduce(n, votes, 1, false, Reduction::Sum);
}

static void buildSVMClassifier(NodeBuilder &n) {
  SmallVector<int64_t> labels = readLabels(n);
  Tensor x = readRows(n);
  Machine machine;
  machine.counts = n.getInts("vectors_per_class");
  machine.weights = toDoubles(n.getFloats("coefficients"));
  machine.rho = toDoubles(n.getFloats("rho"));
  for (int64_t count : machine.counts) {
    if (count < 0)
      n.fail("a class has a negative number of support vectors");
    machine.starts.push_back(machine.vectors);
    machine.vectors += count;
  }
  if (n.failed())
    return;
  if (machine.vectors == 0)
    return buildLinearSVM(n, x, labels);
  int64_t classes = machine.counts.size(), pairs = classes * (classes - 1) / 2;
  if (!n.getFloats("prob_a").empty())
    return n.fail("its probabilities are not supported; leave out prob_a and "
                  "prob_b");
  if (classes < 2 || int64_t(machine.rho.size()) != pairs ||
      int64_t(machine.weights.size()) != (classes - 1) * machine.vectors ||
      int64_t(labels.size()) != classes)
    return n.fail("its coefficients, rho and labels do not fit its classes");
  Tensor kernel = evaluateKernel(
      n, x, toDoubles(n.getFloats("support_vectors")), machine.vectors);
  if (n.failed())
    return;
  Tensor scores = matmul(n, kernel, makePairWeights(n, machine));
  scores = add(n, scores, makeNumbers(n, ElementType::F32, pairs, machine.rho));
  setBestLabel(n, countVotes(n, scores, classes), labels);
  StringRef transform = n.getString("post_transform");
  if (classes > 2)
    return n.set(1, transformScores(n, scores, transform));
  Tensor other = elementwise(
      n, {scores}, [](Scalars &s, ValueRange e) { return s.neg(e[0]); });
  n.set(1, transformScores(n, concat(n, {other, scores}, 1), transform));
}

void mlir::hetero::onnx::addClassifiers(OperatorTable &table) {
  table.add("LinearRegressor", {1}, buildLinearRegressor, kLearning);
  table.add("LinearClassifier", {1}, buildLinearClassifier, kLearning);
  table.add("SVMRegressor", {1}, buildSVMRegressor, kLearning);
  table.add("SVMClassifier", {1}, buildSVMClassifier, kLearning);
}
