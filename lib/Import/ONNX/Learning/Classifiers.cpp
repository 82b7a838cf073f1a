//===- Classifiers.cpp - Linear models and support vectors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Iteration.h"
#include "../Emit/Selection.h"
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

/// The probability (N, classes, classes) of each class against each other one,
/// from a number of each pair; 0 on the diagonal.
static Tensor readPairs(NodeBuilder &n, const Tensor &line, int64_t classes) {
  Tensor first = elementwise(n, {line}, [](Scalars &s, ValueRange e) {
    Value chance = s.sigmoid(s.neg(e[0]));
    return s.min(s.max(chance, s.constant(1e-7)), s.constant(1 - 1e-7));
  });
  Tensor second = elementwise(n, {first}, [](Scalars &s, ValueRange e) {
    return s.sub(s.constant(1), e[0]);
  });
  OpFoldResult rows = line.sizes[0];
  Tensor none = n.makeFilled(ElementType::F32, {rows, n.ix.constant(1)},
                             n.scalar(ElementType::F32, 0));
  int64_t pairs = classes * (classes - 1) / 2, pair = 0;
  SmallVector<double> places(classes * classes, double(2 * pairs));
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      places[i * classes + j] = double(pair);
      places[j * classes + i] = double(pairs + pair);
    }
  Tensor all =
      takeAt(n, concat(n, {first, second, none}, 1),
             makeNumbers(n, ElementType::I64, classes * classes, places), 1);
  OpFoldResult count = n.ix.constant(classes);
  return reshape(n, all, {rows, count, count});
}

/// Probabilities of the classes that fit those of pairs best, as libsvm finds
/// them: a pass moves one class after the other; rows that are near stay.
static Tensor joinPairs(NodeBuilder &n, const Tensor &pairs, int64_t classes) {
  const int64_t passes = std::max<int64_t>(100, classes) * classes;
  OpFoldResult count = n.ix.constant(classes), one = n.ix.constant(1);
  Tensor cross = mul(n, pairs, transpose(n, pairs, {0, 2, 1}));
  Tensor squares = reduce(n, mul(n, pairs, pairs), 1, false, Reduction::Sum);
  Sizes sizes{pairs.sizes[0], count}, single{pairs.sizes[0], one};
  Tensor start = n.makeFilled(ElementType::F32, sizes,
                              n.scalar(ElementType::F32, 1.0 / classes));
  Tensor open =
      n.makeFilled(ElementType::Bool, single, n.scalar(ElementType::Bool, 1));
  auto pass = [&](OpFoldResult number,
                  ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    const Tensor &chances = carried[0];
    OpFoldResult round = n.ix.floorDiv(number, count);
    OpFoldResult place = n.ix.sub(number, n.ix.mul(round, count));
    Value at = n.ix.value(place),
          isFirst = n.ix.value(n.ix.equal(place, n.ix.constant(0)));
    Tensor sums = reduce(n, mul(n, cross, unsqueeze(n, chances, 1)), 2, false,
                         Reduction::Sum);
    Tensor slope = sub(n, mul(n, squares, chances), sums);
    Tensor total = reduce(n, mul(n, chances, slope), 1, true, Reduction::Sum);
    Tensor error = elementwise(n, {slope, total}, [](Scalars &s, ValueRange e) {
      return s.abs(s.sub(e[0], e[1]));
    });
    error = reduce(n, error, 1, true, Reduction::Max);
    Tensor isOpen = elementwise(
        n, {error, carried[1]}, ElementType::Bool,
        [&](Scalars &s, ValueRange e) {
          Value isFar = s.lessEqual(s.constant(0.005 / classes), e[0]);
          return s.select(isFirst, s.binary<arith::AndIOp>(isFar, e[1]), e[1]);
        });
    Tensor own = sliceAxis(n, slope, 1, place, one);
    Tensor step =
        elementwise(n, {total, own, sliceAxis(n, squares, 1, place, one)},
                    [](Scalars &s, ValueRange e) {
                      return s.div(s.sub(e[0], e[1]), e[2]);
                    });
    Tensor moved = computeAt(
        n, ElementType::F32, {chances, step, isOpen}, sizes,
        [&](Scalars &s, ValueRange index, ValueRange e) {
          Value isOwn = s.b.createOrFold<arith::CmpIOp>(
              s.loc, arith::CmpIPredicate::eq, index[1], at);
          Value sum = s.add(e[0], s.select(isOwn, e[1], s.constant(0)));
          return s.select(e[2], s.div(sum, s.add(s.constant(1), e[1])), e[0]);
        });
    Tensor goesOn = reduce(n, isOpen, {0, 1}, false, Reduction::Max);
    return LoopPass{n.element(goesOn), {moved, isOpen}, {}};
  };
  auto made = loop(n, n.ix.constant(passes), n.b.getBoolAttr(true),
                   {start, open}, pass);
  return failed(made) ? start : made->carried[0];
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
  SmallVector<double> slopes = toDoubles(n.getFloats("prob_a"));
  SmallVector<double> shifts = toDoubles(n.getFloats("prob_b"));
  if (classes < 2 || int64_t(machine.rho.size()) != pairs ||
      int64_t(machine.weights.size()) != (classes - 1) * machine.vectors ||
      int64_t(labels.size()) != classes || slopes.size() != shifts.size() ||
      (!slopes.empty() && int64_t(slopes.size()) != pairs))
    return n.fail("its coefficients, rho, prob_a, prob_b and labels do not fit "
                  "its classes");
  Tensor kernel = evaluateKernel(
      n, x, toDoubles(n.getFloats("support_vectors")), machine.vectors);
  if (n.failed())
    return;
  Tensor scores = matmul(n, kernel, makePairWeights(n, machine));
  scores = add(n, scores, makeNumbers(n, ElementType::F32, pairs, machine.rho));
  setBestLabel(n, countVotes(n, scores, classes), labels);
  StringRef transform = n.getString("post_transform");
  if (!slopes.empty()) {
    Tensor line =
        mul(n, scores, makeNumbers(n, ElementType::F32, pairs, slopes));
    line = add(n, line, makeNumbers(n, ElementType::F32, pairs, shifts));
    scores = joinPairs(n, readPairs(n, line, classes), classes);
  }
  if (classes > 2 || !slopes.empty())
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
