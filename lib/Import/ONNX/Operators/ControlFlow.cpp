//===- ControlFlow.cpp - Branches and loops -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Iteration.h"
#include "../Emit/Layout.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

static void setAll(NodeBuilder &n, ArrayRef<Tensor> results) {
  for (auto [i, result] : llvm::enumerate(results))
    n.set(i, result);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

namespace {
/// A branch that is imported, but not put into an operation yet.
struct Branch {
  explicit Branch(NodeBuilder &n) : draft(n) {}
  Draft draft;
  SmallVector<Tensor> results, leaves;
};
} // namespace

/// Imports a branch; null after an error.
static std::unique_ptr<Branch> importBranch(NodeBuilder &n,
                                            const GraphProto &graph) {
  auto branch = std::make_unique<Branch>(n);
  FailureOr<SmallVector<Tensor>> results = n.importGraph(graph, {});
  if (failed(results))
    return nullptr;
  branch->draft.leave();
  branch->results = std::move(*results);
  branch->leaves = getLeaves(branch->results);
  return branch;
}

/// Sizes that both branches know; others are null.
static Slot joinLeaves(const Branch &yes, const Branch &no, size_t i) {
  const Tensor &lhs = yes.leaves[i], &rhs = no.leaves[i];
  Sizes sizes;
  for (auto [left, right] : llvm::zip_equal(lhs.sizes, rhs.sizes)) {
    OpFoldResult a = yes.draft.getOuter(left), b = no.draft.getOuter(right);
    bool isEqual = a && b && (a == b || (getInt(a) && getInt(a) == getInt(b)));
    sizes.push_back(isEqual ? a : OpFoldResult());
  }
  Slot slot(lhs, sizes);
  // Elements of both are scalars, or of none.
  return slot.isScalars() == Slot(rhs, sizes).isScalars()
             ? slot
             : Slot(lhs.type, sizes);
}

/// Puts the branches into an operation, and returns its results.
static SmallVector<Tensor> joinBranches(NodeBuilder &n, Value condition,
                                        ArrayRef<Branch *> branches) {
  SmallVector<Slot> slots;
  SmallVector<Type> types;
  for (size_t i = 0; i < branches[0]->leaves.size(); ++i) {
    slots.push_back(joinLeaves(*branches[0], *branches[1], i));
    slots.back().addTypes(n, types);
  }
  auto op = scf::IfOp::create(n.b, n.loc, types, condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  Block *blocks[] = {op.thenBlock(), op.elseBlock()};
  for (auto [branch, block] : llvm::zip_equal(branches, blocks)) {
    OpBuilder::InsertionGuard guard(n.b);
    branch->draft.moveTo(block, {});
    n.b.setInsertionPointToEnd(block);
    SmallVector<Value> values;
    for (auto [slot, leaf] : llvm::zip_equal(slots, branch->leaves))
      slot.addValues(n, leaf, values);
    scf::YieldOp::create(n.b, n.loc, values);
  }
  n.b.setInsertionPointAfter(op);
  ValueRange values = op.getResults();
  SmallVector<Tensor> leaves;
  for (const Slot &slot : slots)
    leaves.push_back(slot.takeValues(n, values));
  return replaceLeaves(branches[0]->results, leaves);
}

/// The branch whose results have the lower ranks: exporters write the other one
/// for a dimension that is not taken off where its size is not 1.
static int chooseByRank(const Branch &yes, const Branch &no) {
  int64_t difference = 0;
  for (auto [lhs, rhs] : llvm::zip(yes.leaves, no.leaves))
    difference += lhs.rank() - rhs.rank();
  return difference > 0;
}

/// Imports one branch where ranks must be known, and checks the condition.
static void importChosen(NodeBuilder &n, const GraphProto &graph,
                         OpFoldResult condition, bool expected) {
  n.noteNeeded(condition);
  OpFoldResult isTrue = n.b.getBoolAttr(expected);
  OpFoldResult isFalse = n.b.getBoolAttr(!expected);
  n.check(n.ix.select(condition, isTrue, isFalse),
          "its branches have results of unlike ranks, types or lengths, and "
          "the other one was imported; give what its condition depends on by "
          "--value or --dim");
  FailureOr<SmallVector<Tensor>> results = n.importGraph(graph, {});
  if (succeeded(results))
    setAll(n, *results);
}

static void buildIf(NodeBuilder &n) {
  const GraphProto *graphs[] = {n.getGraph("then_branch"),
                                n.getGraph("else_branch")};
  if (!graphs[0] || !graphs[1])
    return n.fail("it lacks a branch");
  OpFoldResult condition = n.element(n.in(0));
  if (n.failed())
    return;
  if (std::optional<int64_t> known = getInt(condition)) {
    auto results = n.importGraph(*graphs[*known ? 0 : 1], {});
    if (succeeded(results))
      setAll(n, *results);
    return;
  }
  // The types of the results are known only after the branches.
  std::unique_ptr<Branch> branches[2];
  for (int i = 0; i < 2; ++i)
    if (!(branches[i] = importBranch(n, *graphs[i])))
      return;
  if (!haveSameStructure(branches[0]->results, branches[1]->results)) {
    int chosen = chooseByRank(*branches[0], *branches[1]);
    for (auto &branch : branches)
      branch->draft.erase();
    return importChosen(n, *graphs[chosen], condition, chosen == 0);
  }
  setAll(n, joinBranches(n, n.scalarValue(condition),
                         {branches[0].get(), branches[1].get()}));
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// The pass whose body has made these: values that it passes on, and slices.
static FailureOr<LoopPass> makePass(NodeBuilder &n, OpFoldResult goesOn,
                                    ArrayRef<Tensor> made, size_t numCarried) {
  if (made.size() < numCarried) {
    n.fail("its body has fewer results than values that it passes on");
    return failure();
  }
  ArrayRef<Tensor> slices = made.drop_front(numCarried);
  for (const Tensor &slice : slices)
    if (slice.isSequence())
      n.fail("a result with a slice of each pass is made of sequences");
  if (n.failed())
    return failure();
  return LoopPass{goesOn, SmallVector<Tensor>(made.take_front(numCarried)),
                  SmallVector<Tensor>(slices)};
}

static void buildLoop(NodeBuilder &n) {
  const GraphProto *graph = n.getGraph("body");
  if (!graph)
    return n.fail("it lacks a body");
  OpFoldResult truth = n.b.getBoolAttr(true);
  OpFoldResult count = n.has(0) ? readIndex(n, n.in(0)) : OpFoldResult();
  OpFoldResult condition = n.has(1) ? n.element(n.in(1)) : truth;
  if (n.failed())
    return;
  // The largest number stands for any.
  if (count && getInt(count) == std::numeric_limits<int64_t>::max())
    count = OpFoldResult();
  if (count)
    count = n.ix.max(count, n.ix.constant(0));
  SmallVector<Tensor> initial;
  for (unsigned i = 2; i < n.numInputs(); ++i)
    initial.push_back(n.any(i));
  auto body = [&](OpFoldResult number,
                  ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    SmallVector<Tensor> inputs{
        n.makeKnown(ElementType::I64, {},
                    {n.ix.toElement(number, ElementType::I64)}),
        n.makeKnown(ElementType::Bool, {}, {truth})};
    llvm::append_range(inputs, carried);
    FailureOr<SmallVector<Tensor>> results = n.importGraph(*graph, inputs);
    if (failed(results))
      return failure();
    if (results->empty()) {
      n.fail("its body has no condition");
      return failure();
    }
    // Without a condition at the start those of the passes do not count.
    OpFoldResult goesOn = n.element(results->front());
    if (results->front().type != ElementType::Bool)
      n.fail("the condition of its body is no bool");
    if (n.failed())
      return failure();
    return makePass(n, n.has(1) ? goesOn : truth,
                    ArrayRef(*results).drop_front(), carried.size());
  };
  FailureOr<LoopResults> results = loop(n, count, condition, initial, body);
  if (failed(results))
    return;
  setAll(n, results->carried);
  for (auto [i, stacked] : llvm::enumerate(results->stacked))
    n.set(initial.size() + i, stacked);
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {
/// A value of which a Scan takes a slice for each pass.
struct Scanned {
  Tensor tensor;
  int64_t axis;
  bool isReverse;
};
} // namespace

/// A slice of a tensor, without the axis.
static Tensor takeSlice(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                        OpFoldResult place) {
  return squeeze(n, sliceAxis(n, tensor, axis, place, n.ix.constant(1)), axis);
}

static FailureOr<LoopResults> scan(NodeBuilder &n, const GraphProto &graph,
                                   OpFoldResult count, ArrayRef<Tensor> states,
                                   ArrayRef<Scanned> inputs) {
  auto body = [&](OpFoldResult number,
                  ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    OpFoldResult last = n.ix.sub(count, n.ix.constant(1));
    SmallVector<Tensor> arguments(carried);
    for (const Scanned &input : inputs)
      arguments.push_back(
          takeSlice(n, input.tensor, input.axis,
                    input.isReverse ? n.ix.sub(last, number) : number));
    FailureOr<SmallVector<Tensor>> results = n.importGraph(graph, arguments);
    if (failed(results))
      return failure();
    return makePass(n, n.b.getBoolAttr(true), *results, carried.size());
  };
  return loop(n, count, n.b.getBoolAttr(true), states, body);
}

/// The number at a place of a list that may be left out or too short.
static int64_t getOr(ArrayRef<int64_t> numbers, size_t place,
                     int64_t otherwise) {
  return place < numbers.size() ? numbers[place] : otherwise;
}

/// Reads the states and scanned inputs from input `first` on. Returns the size
/// of the scanned axes, or null after an error.
static OpFoldResult readScanned(NodeBuilder &n, unsigned first,
                                int64_t otherwise, ArrayRef<int64_t> directions,
                                SmallVectorImpl<Tensor> &states,
                                SmallVectorImpl<Scanned> &inputs) {
  int64_t scanned = n.getInt("num_scan_inputs", 0);
  int64_t kept = int64_t(n.numInputs()) - first - scanned;
  if (scanned < 1 || kept < 0) {
    n.fail("num_scan_inputs does not fit its inputs");
    return OpFoldResult();
  }
  for (int64_t i = 0; i < kept; ++i)
    states.push_back(n.in(first + i));
  SmallVector<int64_t> axes = n.getInts("scan_input_axes");
  OpFoldResult count;
  for (int64_t i = 0; i < scanned; ++i) {
    const Tensor &x = n.in(first + kept + i);
    int64_t axis = n.axis(getOr(axes, i, otherwise), x.rank());
    if (n.failed() || x.rank() == 0)
      return OpFoldResult();
    OpFoldResult size = x.sizes[axis];
    count = count ? n.checkEqual(count, size,
                                 "sizes of its scanned inputs are unlike")
                  : size;
    inputs.push_back({x, axis, getOr(directions, i, 0) == 1});
  }
  return count;
}

/// A result with its first axis at another place, forwards or backwards.
static Tensor placeStack(NodeBuilder &n, const Tensor &stacked, int64_t axis,
                         bool isReverse) {
  Tensor tensor = stacked;
  if (isReverse) {
    SmallVector<AxisRange> ranges = getWholeRanges(n, tensor);
    ranges[0] = {n.ix.sub(tensor.sizes[0], n.ix.constant(1)), tensor.sizes[0],
                 -1};
    tensor = takeRanges(n, tensor, ranges);
  }
  SmallVector<int64_t> permutation;
  for (int64_t i = 1; i < tensor.rank(); ++i)
    permutation.push_back(i);
  permutation.insert(permutation.begin() + n.axis(axis, tensor.rank()), 0);
  return transpose(n, tensor, permutation);
}

/// Scan 8 has a batch, in which each sequence has a length of its own.
static FailureOr<LoopResults> scanBatch(NodeBuilder &n,
                                        const GraphProto &graph) {
  SmallVector<Tensor> states;
  SmallVector<Scanned> inputs;
  OpFoldResult steps =
      readScanned(n, 1, 1, n.getInts("directions"), states, inputs);
  if (!steps)
    return failure();
  OpFoldResult batch = inputs[0].tensor.sizes[0];
  auto body = [&](OpFoldResult number,
                  ArrayRef<Tensor>) -> FailureOr<LoopPass> {
    SmallVector<Tensor> own;
    SmallVector<Scanned> scanned;
    for (const Tensor &state : states)
      own.push_back(takeSlice(n, state, 0, number));
    for (const Scanned &input : inputs)
      scanned.push_back(
          {takeSlice(n, input.tensor, 0, number), 0, input.isReverse});
    OpFoldResult count = steps;
    if (n.has(0))
      count = readIndex(n, takeSlice(n, n.in(0), 0, number));
    FailureOr<LoopResults> made = scan(n, graph, count, own, scanned);
    if (failed(made))
      return failure();
    LoopPass pass{n.b.getBoolAttr(true), {}, made->carried};
    // Elements past the end of a sequence are 0.
    for (const Tensor &stacked : made->stacked) {
      Sizes none(stacked.rank(), n.ix.constant(0)), after = none;
      after[0] = n.ix.sub(steps, stacked.sizes[0]);
      Tensor padded = pad(n, stacked, none, after, n.scalar(stacked.type, 0));
      padded.sizes[0] = steps;
      pass.slices.push_back(n.make(padded.type, padded.sizes, n.value(padded)));
    }
    return pass;
  };
  return loop(n, batch, n.b.getBoolAttr(true), {}, body);
}

static void buildScan(NodeBuilder &n) {
  const GraphProto *graph = n.getGraph("body");
  if (!graph)
    return n.fail("it lacks a body");
  if (n.since() < 9) {
    FailureOr<LoopResults> results = scanBatch(n, *graph);
    return succeeded(results) ? setAll(n, results->stacked) : void();
  }
  SmallVector<Tensor> states;
  SmallVector<Scanned> inputs;
  OpFoldResult count =
      readScanned(n, 0, 0, n.getInts("scan_input_directions"), states, inputs);
  if (!count)
    return;
  FailureOr<LoopResults> results = scan(n, *graph, count, states, inputs);
  if (failed(results))
    return;
  setAll(n, results->carried);
  SmallVector<int64_t> axes = n.getInts("scan_output_axes");
  SmallVector<int64_t> directions = n.getInts("scan_output_directions");
  for (auto [i, stacked] : llvm::enumerate(results->stacked))
    n.set(states.size() + i, placeStack(n, stacked, getOr(axes, i, 0),
                                        getOr(directions, i, 0) == 1));
}

void mlir::hetero::onnx::addControlFlow(OperatorTable &table) {
  table.add("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, buildIf);
  table.add("Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, buildLoop);
  table.add("Scan", {8, 9, 11, 16, 19, 21, 23, 24, 25}, buildScan);
}
