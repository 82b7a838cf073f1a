//===- Features.cpp - Preparation of features -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../OperatorTable.h"
#include "Scores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Each number of skipped elements is a pass over the rows.
static constexpr int64_t kMaxSkips = 256;
/// So many results a vectorizer has at most.
static constexpr int64_t kMaxGrams = int64_t(1) << 24;

/// Numbers of an attribute, one or one for each feature, of a type.
static Tensor readFeatures(NodeBuilder &n, ArrayRef<double> numbers,
                           const Tensor &x, ElementType type) {
  if (numbers.size() == 1)
    return n.constant(type, numbers.front());
  OpFoldResult features = x.rank() ? x.sizes.back() : n.ix.constant(1);
  n.checkEqual(features, n.ix.constant(numbers.size()),
               "an attribute has not one number for each feature");
  return makeNumbers(n, type, numbers.size(), numbers);
}

static void buildScaler(NodeBuilder &n) {
  ElementType type =
      n.in(0).type == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  Tensor x = castTo(n, n.in(0), type);
  Tensor offset = readFeatures(n, toDoubles(n.getFloats("offset")), x, type);
  Tensor scale = readFeatures(n, toDoubles(n.getFloats("scale")), x, type);
  if (!n.failed())
    n.set(0, castTo(n, mul(n, sub(n, x, offset), scale), ElementType::F32));
}

/// Numbers over the largest of them, the sum of their absolutes, or the root of
/// the sum of their squares, as they are where that is 0.
static void buildNormalizer(NodeBuilder &n) {
  Tensor x = castTo(n, n.in(0), ElementType::F32);
  StringRef norm = n.getString("norm", "MAX");
  if (norm != "MAX" && norm != "L1" && norm != "L2")
    n.fail("its norm is '" + norm + "', which is not known");
  if (x.rank() < 1)
    n.fail("its input has no dimensions");
  if (n.failed())
    return;
  Tensor terms = elementwise(n, {x}, [&](Scalars &s, ValueRange e) {
    return norm == "L2" ? s.mul(e[0], e[0]) : norm == "L1" ? s.abs(e[0]) : e[0];
  });
  Tensor total = reduce(n, terms, x.rank() - 1, true,
                        norm == "MAX" ? Reduction::Max : Reduction::Sum);
  n.set(0, elementwise(n, {x, total}, [&](Scalars &s, ValueRange e) {
          Value divisor = norm == "L2" ? s.sqrt(e[1]) : e[1];
          Value isZero = s.equal(divisor, s.constant(0));
          return s.select(isZero, e[0], s.div(e[0], divisor));
        }));
}

static void buildImputer(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  SmallVector<double> values = toDoubles(n.getFloats("imputed_value_floats"));
  double replaced = n.getFloat("replaced_value_float", 0);
  if (!isFloat(x.type)) {
    values = toDoubles(n.getInts("imputed_value_int64s"));
    replaced = double(n.getInt("replaced_value_int64", 0));
  }
  if (values.empty())
    return n.fail("it has no imputed values of the type of its input");
  Tensor value = readFeatures(n, values, x, x.type);
  if (n.failed())
    return;
  n.set(0, elementwise(n, {x, value}, [&](Scalars &s, ValueRange e) {
          Value isMissing = std::isnan(replaced)
                                ? s.isNan(e[0])
                                : s.equal(e[0], s.constant(replaced));
          return s.select(isMissing, e[1], e[0]);
        }));
}

static void buildBinarizer(NodeBuilder &n) {
  double threshold = n.getFloat("threshold", 0);
  if (!isFloat(n.in(0).type))
    threshold = std::floor(threshold);
  n.set(0, elementwise(n, {n.in(0)}, [&](Scalars &s, ValueRange e) {
          Value isAbove = s.less(s.constant(threshold), e[0]);
          return s.select(isAbove, s.constant(1), s.constant(0));
        }));
}

static void buildOneHotEncoder(NodeBuilder &n) {
  SmallVector<int64_t> categories = n.getInts("cats_int64s");
  if (categories.empty())
    return n.fail("its categories are strings, which are not supported; use "
                  "integers");
  Tensor x = castTo(n, n.in(0), ElementType::I64);
  Tensor all = makeNumbers(n, ElementType::I64, categories.size(),
                           toDoubles(categories));
  Tensor isOne =
      elementwise(n, {unsqueeze(n, x, x.rank()), all}, ElementType::Bool,
                  [](Scalars &s, ValueRange e) { return s.equal(e[0], e[1]); });
  Tensor made = castTo(n, isOne, ElementType::F32);
  n.set(0, made);
  if (n.getBool("zeros", true))
    return;
  auto axes = llvm::to_vector(llvm::seq(made.rank()));
  Tensor found = reduce(n, made, axes.back(), true, Reduction::Max);
  Tensor least = reduce(n, found, axes, false, Reduction::Min);
  Tensor isKnown = castTo(n, least, ElementType::Bool);
  n.check(n.element(isKnown), "an element is none of its categories");
}

/// A list of an encoder's attributes: PREFIX_tensor, _floats or _int64s.
static std::optional<Tensor> readList(NodeBuilder &n, StringRef prefix) {
  if (auto tensor = n.getTensor((prefix + "s_tensor").str())) {
    if (tensor->type == ElementType::String || tensor->rank() != 1)
      n.fail("its " + prefix +
             "s are strings, which are not supported, or no "
             "vector");
    return tensor;
  }
  SmallVector<float> floats = n.getFloats((prefix + "s_floats").str());
  if (!floats.empty())
    return makeNumbers(n, ElementType::F32, floats.size(), toDoubles(floats));
  SmallVector<int64_t> ints = n.getInts((prefix + "s_int64s").str());
  if (!ints.empty())
    return makeNumbers(n, ElementType::I64, ints.size(), toDoubles(ints));
  n.fail("its " + prefix +
         "s are strings, which are not supported, or missing");
  return std::nullopt;
}

/// The result for keys that are not in the list. Values of a tensor have their
/// own default.
static Tensor readDefault(NodeBuilder &n, ElementType type) {
  bool isOfTensor = n.getTensor("values_tensor").has_value();
  if (auto tensor = n.getTensor("default_tensor"))
    if (auto elements = n.known(*tensor);
        elements && elements->size() == 1 && tensor->type == type)
      return n.makeKnown(type, {n.ix.constant(1)}, *elements);
  double number = isFloat(type) ? -0.0 : -1;
  if (!isOfTensor)
    number = isFloat(type) ? n.getFloat("default_float", number)
                           : double(n.getInt("default_int64", number));
  return reshape(n, n.constant(type, number), {n.ix.constant(1)});
}

static void buildLabelEncoder(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  std::optional<Tensor> keys = readList(n, "key"), values;
  if (keys)
    values = readList(n, "value");
  if (!n.failed() && (keys->type != x.type || keys->count() != values->count()))
    n.fail("its keys fit neither its input nor its values");
  if (n.failed())
    return;
  // The last place of a key in the list, from 1 on, or 0.
  int64_t count = *keys->count();
  SmallVector<double> numbers;
  for (int64_t i = 1; i <= count; ++i)
    numbers.push_back(double(i));
  Tensor places = makeNumbers(n, ElementType::I32, count, numbers);
  Tensor matches = elementwise(
      n, {unsqueeze(n, x, x.rank()), *keys, places}, ElementType::I32,
      [](Scalars &s, ValueRange e) {
        Value isSame = s.equal(e[0], e[1]);
        if (s.isFloat())
          isSame = s.binary<arith::OrIOp>(
              isSame, s.binary<arith::AndIOp>(s.isNan(e[0]), s.isNan(e[1])));
        return s.select(isSame, e[2], s.constant(ElementType::I32, 0));
      });
  Tensor place = reduce(n, matches, x.rank(), false, Reduction::Max);
  Tensor table = concat(n, {readDefault(n, values->type), *values}, 0);
  n.set(0, takeElements(n, table, place));
}

static void buildArrayFeatureExtractor(NodeBuilder &n) {
  Tensor x = n.in(0);
  if (x.rank() == 0)
    return n.fail("its input has no dimensions");
  if (x.rank() == 1)
    x = unsqueeze(n, x, 0);
  const Tensor &given = n.in(1);
  OpFoldResult count = n.ix.product(given.sizes);
  Tensor places = reshape(n, given, {count});
  Sizes sizes = x.sizes;
  sizes.back() = count;
  Value size = n.ix.value(x.sizes.back());
  n.set(0, gather(n, x, {places}, sizes,
                  [&](OpBuilder &b, Location loc, ValueRange at,
                      ValueRange elements) {
                    SmallVector<Value> place(at);
                    Value index = b.createOrFold<arith::IndexCastOp>(
                        loc, b.getIndexType(), elements[0]);
                    place.back() = wrapIndex(b, loc, index, size);
                    return place;
                  }));
}

/// Features of inputs one after the other, cut or with zeros to their numbers.
static void buildFeatureVectorizer(NodeBuilder &n) {
  SmallVector<int64_t> counts = n.getInts("inputdimensions");
  SmallVector<Tensor> parts;
  for (unsigned i = 0; i < n.numInputs(); ++i) {
    Tensor x = castTo(n, n.in(i), ElementType::F32);
    if (x.rank() == 1)
      x = unsqueeze(n, x, 1);
    if (x.rank() != 2 || counts.size() != n.numInputs() || counts[i] < 0)
      return n.fail("its inputs do not fit inputdimensions");
    OpFoldResult count = n.ix.constant(counts[i]), zero = n.ix.constant(0);
    x = sliceAxis(n, x, 1, zero, n.ix.min(count, x.sizes[1]));
    OpFoldResult missing = n.ix.sub(count, x.sizes[1]);
    parts.push_back(
        pad(n, x, {zero, zero}, {zero, missing}, n.scalar(x.type, 0)));
  }
  if (parts.empty())
    return n.fail("it has no inputs");
  n.set(0, concat(n, parts, 1));
}

/// How often each n-gram of a pool is in each row of `x`, of sizes [rows,
/// n-grams], where `step` is from each of its elements to the next.
static Tensor countGrams(NodeBuilder &n, const Tensor &x,
                         ArrayRef<int64_t> pool, int64_t length, int64_t step) {
  int64_t grams = pool.size() / length;
  OpFoldResult none = n.ix.constant(0);
  OpFoldResult places =
      n.ix.max(n.ix.sub(x.sizes[1], n.ix.constant((length - 1) * step)), none);
  SmallVector<Tensor> operands;
  for (int64_t i = 0; i < length; ++i) {
    OpFoldResult start = n.ix.min(n.ix.constant(i * step), x.sizes[1]);
    operands.push_back(unsqueeze(n, sliceAxis(n, x, 1, start, places), 1));
    SmallVector<OpFoldResult> elements;
    for (int64_t gram = 0; gram < grams; ++gram)
      elements.push_back(n.ix.constant(pool[gram * length + i]));
    operands.push_back(unsqueeze(n, n.makeInts(elements), {0, 2}));
  }
  Tensor found =
      elementwise(n, operands, ElementType::F32, [&](Scalars &s, ValueRange e) {
        Value isEqual = s.equal(e[0], e[1]);
        for (int64_t i = 1; i < length; ++i)
          isEqual =
              s.binary<arith::AndIOp>(isEqual, s.equal(e[2 * i], e[2 * i + 1]));
        return s.select(isEqual, s.constant(ElementType::F32, 1),
                        s.constant(ElementType::F32, 0));
      });
  return reduce(n, found, 2, false, Reduction::Sum);
}

/// The counts of all n-grams of the pool that are of a wanted length, with all
/// skips; nullopt if there are none. `first` gets the place of the first one
/// among all n-grams.
static std::optional<Tensor> countPool(NodeBuilder &n, const Tensor &x,
                                       int64_t &first) {
  SmallVector<int64_t> pool = n.getInts("pool_int64s");
  SmallVector<int64_t> starts = n.getInts("ngram_counts");
  starts.push_back(pool.size());
  int64_t least = n.getInt("min_gram_length", 1);
  int64_t most = n.getInt("max_gram_length", 1);
  SmallVector<Tensor> counts;
  first = 0;
  for (int64_t length = 1; length < int64_t(starts.size()); ++length) {
    int64_t start = starts[length - 1], end = starts[length];
    if (start < 0 || start > end || end > int64_t(pool.size()) ||
        (end - start) % length) {
      n.fail("its ngram_counts do not fit its pool");
      return std::nullopt;
    }
    if (length < least)
      first += (end - start) / length;
    if (start == end || length < least || length > most)
      continue;
    // Elements that are skipped make no other 1-grams.
    int64_t skips = length == 1 ? 0 : n.getInt("max_skip_count", 0);
    ArrayRef<int64_t> grams = ArrayRef<int64_t>(pool).slice(start, end - start);
    Tensor count = countGrams(n, x, grams, length, 1);
    for (int64_t skip = 1; skip <= skips; ++skip)
      count = add(n, count, countGrams(n, x, grams, length, skip + 1));
    counts.push_back(count);
  }
  if (counts.empty())
    return std::nullopt;
  return concat(n, counts, 1);
}

/// Counts of n-grams, weighted, each at its place of the result.
static void buildTfIdfVectorizer(NodeBuilder &n) {
  Tensor x = castTo(n, n.in(0), ElementType::I64);
  StringRef mode = n.getString("mode");
  SmallVector<int64_t> places = n.getInts("ngram_indexes");
  SmallVector<float> weights = n.getFloats("weights");
  if (n.findAttr("pool_strings"))
    n.fail("its pool has strings, which are not supported; use integers");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
    n.fail("its mode is '" + mode + "', which is not known");
  if (x.rank() < 1 || x.rank() > 2)
    n.fail("its input has " + Twine(x.rank()) +
           " dimensions, and 1 or 2 are "
           "expected");
  if (n.getInt("max_skip_count", 0) > kMaxSkips)
    n.fail("it skips more than " + Twine(kMaxSkips) + " elements");
  if (places.empty() || llvm::any_of(places, [](int64_t place) {
        return place < 0 || place >= kMaxGrams;
      }))
    n.fail("its ngram_indexes are negative or too large, or there are none");
  bool isVector = x.rank() == 1;
  int64_t first = 0;
  if (n.failed())
    return;
  if (isVector)
    x = unsqueeze(n, x, 0);
  std::optional<Tensor> counts = countPool(n, x, first);
  Sizes sizes{
      x.sizes[0],
      n.ix.constant(*std::max_element(places.begin(), places.end()) + 1)};
  int64_t size = *getInt(sizes[1]);
  if (!weights.empty() && int64_t(weights.size()) < size)
    n.fail("it has fewer weights than results");
  int64_t grams = counts ? *counts->dim(1) : 0;
  if (first + grams > int64_t(places.size()))
    n.fail("it has fewer ngram_indexes than n-grams");
  if (n.failed())
    return;
  Tensor zero{ElementType::F32, {x.sizes[0], n.ix.constant(1)}};
  zero.value = n.fillZero(zero.type, zero.sizes);
  Tensor all = counts ? concat(n, {*counts, zero}, 1) : zero;
  // The column of each result; that of zeros for one without an n-gram.
  SmallVector<OpFoldResult> columns(size, n.ix.constant(grams));
  for (int64_t gram = 0; gram < grams; ++gram)
    columns[places[first + gram]] = n.ix.constant(gram);
  Tensor result =
      gather(n, all, {n.makeInts(columns)}, sizes,
             [](OpBuilder &b, Location loc, ValueRange at, ValueRange e) {
               Value column =
                   arith::IndexCastOp::create(b, loc, b.getIndexType(), e[0]);
               return SmallVector<Value>{at[0], column};
             });
  Tensor weight =
      weights.empty() || mode == "TF"
          ? n.constant(ElementType::F32, 1)
          : makeNumbers(n, ElementType::F32, size,
                        ArrayRef(toDoubles(weights)).take_front(size));
  result = elementwise(n, {result, weight}, [&](Scalars &s, ValueRange e) {
    Value found = s.less(s.constant(0), e[0]);
    return mode == "IDF" ? s.select(found, e[1], s.constant(0))
                         : s.mul(e[0], e[1]);
  });
  n.set(0, isVector ? squeeze(n, result, 0) : result);
}

void mlir::hetero::onnx::addFeatures(OperatorTable &table) {
  auto add = [&](StringRef name, ArrayRef<int64_t> since,
                 OperatorFunction build) {
    table.add(name, since, build, kLearning);
  };
  table.add("TfIdfVectorizer", 9, buildTfIdfVectorizer);
  add("Scaler", 1, buildScaler);
  add("Normalizer", 1, buildNormalizer);
  add("Imputer", 1, buildImputer);
  add("Binarizer", 1, buildBinarizer);
  add("OneHotEncoder", 1, buildOneHotEncoder);
  add("LabelEncoder", {2, 4}, buildLabelEncoder);
  add("ArrayFeatureExtractor", 1, buildArrayFeatureExtractor);
  add("FeatureVectorizer", 1, buildFeatureVectorizer);
}
