//===- Trees.cpp - Ensembles of decision trees ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All rows walk down all trees at once, as many steps as the deepest tree has:
// leaves lead to themselves. What the leaves have is then added up.

#include "../OperatorTable.h"
#include "Scores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Steps of a walk are written out.
static constexpr int64_t kMaxDepth = 256;

namespace {
enum class Test { LessEqual, Less, GreaterEqual, Greater, Equal, NotEqual };

/// A step: where to go if the test of a feature holds, and if not.
struct TreeNode {
  Test test = Test::LessEqual;
  int64_t feature = 0, yes = 0, no = 0;
  double threshold = 0;
  bool nanIsYes = false;
  bool isLeaf = false;
  /// The numbers that it adds to the targets.
  std::map<int64_t, double> weights;
};

enum class Combine { Sum, Average, Min, Max };

/// Trees whose nodes have their numbers in one list.
struct Forest {
  std::vector<TreeNode> nodes;
  SmallVector<int64_t> roots;
  int64_t targets = 1;
  Combine combine = Combine::Sum;
  SmallVector<double> base;
};
} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The number of steps to the farthest leaf; an error where there is none, or a
/// number of a node is outside of the list.
static int64_t getDepth(NodeBuilder &n, const Forest &forest) {
  int64_t depth = 0, count = forest.nodes.size();
  std::set<int64_t> level(forest.roots.begin(), forest.roots.end());
  for (;; ++depth) {
    std::set<int64_t> next;
    for (int64_t place : level) {
      if (place < 0 || place >= count) {
        n.fail("its trees have a node " + Twine(place) + " that is not there");
        return 0;
      }
      const TreeNode &node = forest.nodes[place];
      if (!node.isLeaf)
        next.insert({node.yes, node.no});
    }
    if (next.empty())
      return depth;
    if (depth >= std::min(count, kMaxDepth)) {
      n.fail("its trees are deeper than " + Twine(kMaxDepth) +
             " nodes, or a node leads back to one before it");
      return 0;
    }
    level = std::move(next);
  }
}

/// Checks numbers of features and targets.
static void checkForest(NodeBuilder &n, const Forest &forest, const Tensor &x) {
  int64_t features = 0;
  for (const TreeNode &node : forest.nodes) {
    if (node.feature < 0)
      n.fail("its trees have a negative feature");
    if (!node.isLeaf)
      features = std::max(features, node.feature + 1);
    for (const auto &[target, weight] : node.weights)
      if (target < 0 || target >= forest.targets)
        n.fail("a leaf has target " + Twine(target) + " of " +
               Twine(forest.targets));
  }
  if (x.rank() != 2)
    return n.fail("its input has " + Twine(x.rank()) + " dimensions, not two");
  n.check(n.ix.less(n.ix.constant(features - 1), x.sizes[1]),
          "its trees have features that its input has not");
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

namespace {
/// The nodes as constants.
struct ForestTables {
  Value feature, threshold, yes, no, nanIsYes, test;
};
} // namespace

/// Numbers of all nodes, or none if all have the first one's.
static Tensor makeTable(NodeBuilder &n, const Forest &forest, ElementType type,
                        llvm::function_ref<double(const TreeNode &node)> get) {
  SmallVector<double> numbers;
  for (const TreeNode &node : forest.nodes)
    numbers.push_back(get(node));
  return makeNumbers(n, type, numbers.size(), numbers);
}

/// Whether one value of a test holds.
static Value emitTest(Scalars &s, Test test, Value x, Value threshold) {
  switch (test) {
  case Test::LessEqual:
    return s.lessEqual(x, threshold);
  case Test::Less:
    return s.less(x, threshold);
  case Test::GreaterEqual:
    return s.lessEqual(threshold, x);
  case Test::Greater:
    return s.less(threshold, x);
  case Test::Equal:
    return s.equal(x, threshold);
  case Test::NotEqual:
    return s.notEqual(x, threshold);
  }
  return {};
}

/// One step from a node, of a row of the input.
static Value emitStep(Scalars &s, const ForestTables &tables,
                      ArrayRef<Test> tests, Value x, Value row, Value node) {
  auto read = [&](Value table, ValueRange place) -> Value {
    return tensor::ExtractOp::create(s.b, s.loc, table, place);
  };
  auto toIndex = [&](Value number) -> Value {
    return arith::IndexCastOp::create(s.b, s.loc, s.b.getIndexType(), number);
  };
  Value feature = toIndex(read(tables.feature, node));
  Value element = read(x, {row, feature});
  Value threshold = read(tables.threshold, node);
  Value holds = emitTest(s, tests.front(), element, threshold);
  if (tests.size() > 1) {
    Value kind = read(tables.test, node);
    for (Test test : tests.drop_front()) {
      Value number = s.constantLike(kind, double(test));
      Value isThis = arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::eq,
                                           kind, number);
      holds = s.select(isThis, emitTest(s, test, element, threshold), holds);
    }
  }
  if (tables.nanIsYes) {
    Value nan = read(tables.nanIsYes, node);
    Value isYes = arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::ne,
                                        nan, s.constantLike(nan, 0));
    holds = s.binary<arith::OrIOp>(
        holds, s.binary<arith::AndIOp>(s.isNan(element), isYes));
  }
  return toIndex(
      s.select(holds, read(tables.yes, node), read(tables.no, node)));
}

/// The leaf of each row (N) in each tree (T), as its number.
static Tensor findLeaves(NodeBuilder &n, const Forest &forest, const Tensor &x,
                         int64_t depth) {
  auto table = [&](ElementType type, auto get) {
    return n.value(makeTable(n, forest, type, get));
  };
  ElementType number = ElementType::I32;
  ForestTables tables;
  tables.feature = table(number, [](auto &node) { return node.feature; });
  tables.threshold = table(x.type, [](auto &node) { return node.threshold; });
  tables.yes = table(number, [](auto &node) { return node.yes; });
  tables.no = table(number, [](auto &node) { return node.no; });
  std::set<Test> kinds;
  bool hasNan = false;
  for (const TreeNode &node : forest.nodes) {
    if (!node.isLeaf)
      kinds.insert(node.test);
    hasNan |= node.nanIsYes;
  }
  if (kinds.empty())
    kinds.insert(Test::LessEqual);
  SmallVector<Test> tests(kinds.begin(), kinds.end());
  if (hasNan)
    tables.nanIsYes =
        table(number, [](auto &node) { return double(node.nanIsYes); });
  if (tests.size() > 1)
    tables.test = table(number, [](auto &node) { return double(node.test); });
  Value data = n.value(x);
  Tensor roots =
      makeNumbers(n, number, forest.roots.size(), toDoubles(forest.roots));
  Sizes sizes{x.sizes[0], roots.sizes[0]};
  SmallVector<AffineMap> maps{AffineMap::get(2, 0, n.b.getAffineDimExpr(1)),
                              n.b.getMultiDimIdentityMap(2)};
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  Value init = n.empty(number, sizes);
  auto op = linalg::GenericOp::create(
      n.b, n.loc, init.getType(), n.value(roots), init, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Scalars s(b, loc, x.type);
        Value row = linalg::IndexOp::create(b, loc, 0);
        Value node =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
        for (int64_t step = 0; step < depth; ++step)
          node = emitStep(s, tables, tests, data, row, node);
        Value leaf = arith::IndexCastOp::create(b, loc, b.getI32Type(), node);
        linalg::YieldOp::create(b, loc, leaf);
      });
  return n.make(number, sizes, op.getResult(0));
}

/// What the leaves say of the targets (N, targets), in the type of `x`.
static std::optional<Tensor> evaluate(NodeBuilder &n, const Forest &forest,
                                      const Tensor &x) {
  if (forest.nodes.empty() || forest.roots.empty() || forest.targets < 1)
    n.fail("it has no trees or no targets");
  if (n.failed())
    return std::nullopt;
  int64_t depth = getDepth(n, forest);
  checkForest(n, forest, x);
  if (n.failed())
    return std::nullopt;
  Tensor leaves = findLeaves(n, forest, x, depth);
  // The least and the largest leave out leaves without a number for the target;
  // where no leaf has one, the result is 0.
  bool isSum =
      forest.combine == Combine::Sum || forest.combine == Combine::Average;
  bool isMin = forest.combine == Combine::Min;
  Reduction kind = isSum   ? Reduction::Sum
                   : isMin ? Reduction::Min
                           : Reduction::Max;
  double none = isSum ? 0
                : x.type == ElementType::F64
                    ? std::numeric_limits<double>::max()
                    : double(std::numeric_limits<float>::max());
  if (forest.combine == Combine::Max)
    none = -none;
  SmallVector<double> weights;
  for (const TreeNode &node : forest.nodes)
    for (int64_t target = 0; target < forest.targets; ++target) {
      auto found = node.weights.find(target);
      weights.push_back(found == node.weights.end() ? none : found->second);
    }
  int64_t count = forest.nodes.size();
  Tensor table = makeNumbers(n, x.type, {count, forest.targets}, weights);
  Sizes sizes = leaves.sizes;
  sizes.push_back(n.ix.constant(forest.targets));
  Tensor each =
      gather(n, table, {unsqueeze(n, leaves, 2)}, sizes,
             [&](OpBuilder &b, Location loc, ValueRange at, ValueRange e) {
               Value leaf =
                   arith::IndexCastOp::create(b, loc, b.getIndexType(), e[0]);
               return SmallVector<Value>{leaf, at[2]};
             });
  Tensor made = reduce(n, each, 1, false, kind);
  if (!isSum)
    made = elementwise(n, {made}, [&](Scalars &s, ValueRange e) {
      return s.select(s.equal(e[0], s.constant(none)), s.constant(0), e[0]);
    });
  if (forest.combine == Combine::Average)
    made = div(n, made, n.constant(made.type, double(forest.roots.size())));
  if (forest.base.empty())
    return made;
  if (forest.base.size() != 1 && int64_t(forest.base.size()) != forest.targets)
    n.fail("its base values do not fit its targets");
  return add(n, made,
             makeNumbers(n, made.type, forest.base.size(), forest.base));
}

//===----------------------------------------------------------------------===//
// Files of versions 1 to 3
//===----------------------------------------------------------------------===//

/// Numbers of a list of floats, or of a tensor instead.
static SmallVector<double> readTreeNumbers(NodeBuilder &n, StringRef name) {
  if (auto tensor = n.getTensor((name + "_as_tensor").str()))
    return readDoubles(n, *tensor);
  return toDoubles(n.getFloats(name));
}

/// The type that features are compared in.
static Tensor readInput(NodeBuilder &n) {
  ElementType type =
      n.in(0).type == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  return castTo(n, n.in(0), type);
}

using NodeKey = std::pair<int64_t, int64_t>;

/// Reads the nodes, whose names are pairs of numbers. Failure after an error.
static LogicalResult readNodes(NodeBuilder &n, Forest &forest,
                               std::map<NodeKey, int64_t> &places) {
  SmallVector<int64_t> trees = n.getInts("nodes_treeids");
  SmallVector<int64_t> ids = n.getInts("nodes_nodeids");
  SmallVector<int64_t> features = n.getInts("nodes_featureids");
  SmallVector<int64_t> yes = n.getInts("nodes_truenodeids");
  SmallVector<int64_t> no = n.getInts("nodes_falsenodeids");
  SmallVector<int64_t> nan = n.getInts("nodes_missing_value_tracks_true");
  SmallVector<StringRef> modes = n.getStrings("nodes_modes");
  SmallVector<double> values = readTreeNumbers(n, "nodes_values");
  size_t count = trees.size();
  for (size_t size : {ids.size(), features.size(), yes.size(), no.size(),
                      modes.size(), values.size()})
    if (size != count)
      n.fail("the lists of its nodes are of unlike lengths");
  if (n.failed())
    return failure();
  for (size_t i = 0; i < count; ++i)
    if (!places.insert({{trees[i], ids[i]}, int64_t(i)}).second)
      n.fail("node " + Twine(ids[i]) + " of tree " + Twine(trees[i]) +
             " is there twice");
  std::set<int64_t> seen;
  for (size_t i = 0; i < count && !n.failed(); ++i) {
    TreeNode node;
    node.isLeaf = modes[i] == "LEAF";
    int test = llvm::StringSwitch<int>(modes[i])
                   .Case("LEAF", int(Test::LessEqual))
                   .Case("BRANCH_LEQ", int(Test::LessEqual))
                   .Case("BRANCH_LT", int(Test::Less))
                   .Case("BRANCH_GTE", int(Test::GreaterEqual))
                   .Case("BRANCH_GT", int(Test::Greater))
                   .Case("BRANCH_EQ", int(Test::Equal))
                   .Case("BRANCH_NEQ", int(Test::NotEqual))
                   .Default(-1);
    if (test < 0)
      n.fail("its mode '" + modes[i] + "' is not known");
    node.test = Test(test);
    node.feature = node.isLeaf ? 0 : features[i];
    node.threshold = values[i];
    node.nanIsYes = i < nan.size() && nan[i] != 0;
    auto find = [&](int64_t id) {
      auto found = places.find({trees[i], id});
      return found == places.end() ? int64_t(-1) : found->second;
    };
    node.yes = node.isLeaf ? int64_t(i) : find(yes[i]);
    node.no = node.isLeaf ? int64_t(i) : find(no[i]);
    forest.nodes.push_back(node);
    // The first node of each tree is its root.
    if (seen.insert(trees[i]).second)
      forest.roots.push_back(i);
  }
  return failure(n.failed());
}

/// Reads what leaves have: lists that begin with "target" or "class".
static void readLeaves(NodeBuilder &n, Forest &forest, StringRef prefix,
                       const std::map<NodeKey, int64_t> &places) {
  auto name = [&](StringRef suffix) { return (prefix + suffix).str(); };
  SmallVector<int64_t> trees = n.getInts(name("_treeids"));
  SmallVector<int64_t> nodes = n.getInts(name("_nodeids"));
  SmallVector<int64_t> targets = n.getInts(name("_ids"));
  SmallVector<double> weights = readTreeNumbers(n, name("_weights"));
  if (nodes.size() != trees.size() || targets.size() != trees.size() ||
      weights.size() != trees.size())
    return n.fail("the lists of its leaves are of unlike lengths");
  for (size_t i = 0; i < trees.size(); ++i) {
    auto found = places.find({trees[i], nodes[i]});
    if (found == places.end())
      return n.fail("it has a leaf that is not there");
    forest.nodes[found->second].weights[targets[i]] += weights[i];
  }
  forest.base = readTreeNumbers(n, "base_values");
}

static void readCombine(NodeBuilder &n, Forest &forest) {
  StringRef name = n.getString("aggregate_function", "SUM");
  int combine = llvm::StringSwitch<int>(name)
                    .Case("SUM", int(Combine::Sum))
                    .Case("AVERAGE", int(Combine::Average))
                    .Case("MIN", int(Combine::Min))
                    .Case("MAX", int(Combine::Max))
                    .Default(-1);
  if (combine < 0)
    n.fail("its aggregate_function is '" + name + "', which is not known");
  forest.combine = Combine(std::max(combine, 0));
}

static void buildRegressor(NodeBuilder &n) {
  Forest forest;
  std::map<NodeKey, int64_t> places;
  if (failed(readNodes(n, forest, places)))
    return;
  forest.targets = n.getInt("n_targets", 1);
  readLeaves(n, forest, "target", places);
  readCombine(n, forest);
  auto made = evaluate(n, forest, readInput(n));
  if (made && !n.failed())
    n.set(0, castTo(n, transformScores(n, *made, n.getString("post_transform")),
                    ElementType::F32));
}

static void buildClassifier(NodeBuilder &n) {
  Forest forest;
  std::map<NodeKey, int64_t> places;
  if (failed(readNodes(n, forest, places)))
    return;
  SmallVector<int64_t> labels = readLabels(n);
  std::set<int64_t> classes;
  for (int64_t id : n.getInts("class_ids"))
    classes.insert(id);
  // Two classes may have one score.
  bool isBinary = labels.size() <= 2 && classes.size() == 1;
  forest.targets = isBinary ? *classes.begin() + 1 : labels.size();
  readLeaves(n, forest, "class", places);
  bool isPositive = true;
  for (TreeNode &node : forest.nodes) {
    for (auto &[target, weight] : node.weights)
      isPositive &= weight >= 0;
    if (isBinary && !node.weights.empty())
      node.weights = {{0, node.weights.begin()->second}};
  }
  if (isBinary) {
    forest.targets = 1;
    if (forest.base.size() == 2)
      forest.base = {forest.base[1]};
  }
  auto made = evaluate(n, forest, readInput(n));
  if (!made || n.failed())
    return;
  Tensor scores = castTo(n, *made, ElementType::F32);
  StringRef transform = n.getString("post_transform");
  if (isBinary) {
    setTwoClasses(n, scores, isPositive ? 0.5 : 0, labels,
                  isPositive ? Pair::Share : Pair::Opposite, transform);
    if (*classes.begin() == 0)
      return;
    // The score is that of the second class, and the first has none.
    Tensor none = n.make(scores.type, scores.sizes,
                         n.fillZero(scores.type, scores.sizes));
    Tensor both = concat(n, {none, scores}, 1);
    return n.set(1, transformScores(n, both, transform));
  }
  setBestLabel(n, scores, labels);
  n.set(1, transformScores(n, scores, transform));
}

//===----------------------------------------------------------------------===//
// Version 5
//===----------------------------------------------------------------------===//

/// The test of a set is one of each of its members, one after the other.
static void expandSets(NodeBuilder &n, Forest &forest,
                       ArrayRef<int64_t> modes) {
  SmallVector<double> members;
  if (auto tensor = n.getTensor("membership_values"))
    members = readDoubles(n, *tensor);
  size_t next = 0;
  for (size_t i = 0; i < modes.size() && !n.failed(); ++i) {
    if (modes[i] != 6)
      continue;
    TreeNode node = forest.nodes[i];
    node.test = Test::Equal;
    SmallVector<double> set;
    for (; next < members.size() && !std::isnan(members[next]); ++next)
      set.push_back(members[next]);
    if (next++ == members.size())
      n.fail("its sets do not end in membership_values");
    // No number is in an empty set.
    if (set.empty())
      set.push_back(std::numeric_limits<double>::quiet_NaN());
    int64_t otherwise = node.no;
    for (double member : ArrayRef(set).drop_front()) {
      node.threshold = member;
      node.no = otherwise;
      otherwise = forest.nodes.size();
      forest.nodes.push_back(node);
    }
    node.threshold = set.front();
    node.no = otherwise;
    forest.nodes[i] = node;
  }
}

/// Nodes, and leaves with numbers after those of the nodes.
static void readForest(NodeBuilder &n, Forest &forest) {
  SmallVector<int64_t> features = n.getInts("nodes_featureids");
  SmallVector<int64_t> yes = n.getInts("nodes_truenodeids");
  SmallVector<int64_t> no = n.getInts("nodes_falsenodeids");
  SmallVector<int64_t> yesLeafs = n.getInts("nodes_trueleafs");
  SmallVector<int64_t> noLeafs = n.getInts("nodes_falseleafs");
  SmallVector<int64_t> nan = n.getInts("nodes_missing_value_tracks_true");
  SmallVector<int64_t> targets = n.getInts("leaf_targetids"), modes;
  SmallVector<double> splits, weights;
  auto given = n.getTensor("nodes_modes"), at = n.getTensor("nodes_splits");
  auto weight = n.getTensor("leaf_weights");
  if (!given || !at || !weight)
    return n.fail("its nodes_modes, nodes_splits or leaf_weights are missing");
  for (double mode : readDoubles(n, *given))
    modes.push_back(int64_t(mode));
  splits = readDoubles(n, *at);
  weights = readDoubles(n, *weight);
  size_t count = features.size();
  for (size_t size : {yes.size(), no.size(), yesLeafs.size(), noLeafs.size(),
                      modes.size(), splits.size()})
    if (size != count)
      n.fail("the lists of its nodes are of unlike lengths");
  if (targets.size() != weights.size())
    n.fail("the lists of its leaves are of unlike lengths");
  if (n.failed())
    return;
  int64_t leaves = targets.size(), nodes = count;
  auto place = [&](int64_t number, int64_t isLeaf) {
    bool isThere = number >= 0 && number < (isLeaf ? leaves : nodes);
    return !isThere ? int64_t(-1) : isLeaf ? nodes + number : number;
  };
  for (size_t i = 0; i < count; ++i) {
    if (modes[i] < 0 || modes[i] > 6)
      return n.fail("its mode " + Twine(modes[i]) + " is not known");
    TreeNode node;
    node.test = Test(std::min<int64_t>(modes[i], 5));
    node.feature = features[i];
    node.threshold = splits[i];
    node.nanIsYes = i < nan.size() && nan[i] != 0;
    node.yes = place(yes[i], yesLeafs[i]);
    node.no = place(no[i], noLeafs[i]);
    forest.nodes.push_back(node);
  }
  for (int64_t i = 0; i < leaves; ++i) {
    TreeNode leaf;
    leaf.isLeaf = true;
    leaf.yes = leaf.no = forest.nodes.size();
    leaf.weights[targets[i]] = weights[i];
    forest.nodes.push_back(leaf);
  }
  forest.roots = n.getInts("tree_roots");
  expandSets(n, forest, modes);
}

static void buildEnsemble(NodeBuilder &n) {
  Forest forest;
  readForest(n, forest);
  forest.targets = n.getInt("n_targets", 1);
  static const Combine kinds[] = {Combine::Average, Combine::Sum, Combine::Min,
                                  Combine::Max};
  static const StringRef transforms[] = {"NONE", "SOFTMAX", "LOGISTIC",
                                         "SOFTMAX_ZERO", "PROBIT"};
  int64_t combine = n.getInt("aggregate_function", 1);
  int64_t transform = n.getInt("post_transform", 0);
  if (combine < 0 || combine > 3 || transform < 0 || transform > 4)
    n.fail("its aggregate_function or its post_transform is not known");
  if (n.failed())
    return;
  forest.combine = kinds[combine];
  if (auto made =
          evaluate(n, forest, castTo(n, n.in(0), getAccumulator(n.in(0).type))))
    n.set(0, castTo(n, transformScores(n, *made, transforms[transform]),
                    n.in(0).type));
}

void mlir::hetero::onnx::addTrees(OperatorTable &table) {
  table.add("TreeEnsembleRegressor", {1, 3, 5}, buildRegressor, kLearning);
  table.add("TreeEnsembleClassifier", {1, 3, 5}, buildClassifier, kLearning);
  table.add("TreeEnsemble", {5}, buildEnsemble, kLearning);
}
