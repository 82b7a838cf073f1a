//===- Sequences.cpp - Sequences and optionals ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences and optionals are resolved at import: which tensors are in them is
// known. What depends on data is refused.

#include "../Emit/Layout.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

using Items = std::vector<Tensor>;
/// A split has at most so many parts, each of which is an operation.
static constexpr int64_t kMaxParts = 1 << 16;

/// The tensors of an input that is a sequence; none after an error.
static Items readItems(NodeBuilder &n, unsigned input) {
  const Tensor &given = n.any(input);
  if (given.isSequence() && !given.isOptional)
    return *given.items;
  n.fail("input " + Twine(input) + " is no sequence");
  return {};
}

/// A place in a sequence of `size`; `end` if the input is left out.
static size_t readPlace(NodeBuilder &n, unsigned input, int64_t size,
                        int64_t end) {
  if (!n.has(input))
    return end;
  int64_t index = readInt(n, n.in(input), "a place in a sequence");
  index = index < 0 ? index + size : index;
  if (index < 0 || index > std::max<int64_t>(size - 1, end))
    n.fail("its place is outside of a sequence of " + Twine(size));
  return index;
}

static void buildConstruct(NodeBuilder &n) {
  Items items;
  for (unsigned i = 0; i < n.numInputs(); ++i)
    items.push_back(n.in(i));
  n.set(0, makeSequence(std::move(items)));
}

static void buildAt(NodeBuilder &n) {
  Items items = readItems(n, 0);
  size_t place = readPlace(n, 1, items.size(), -1);
  if (!n.failed())
    n.set(0, items[place]);
}

static void buildInsert(NodeBuilder &n) {
  Items items = readItems(n, 0);
  size_t place = readPlace(n, 2, items.size(), items.size());
  if (n.failed())
    return;
  items.insert(items.begin() + place, n.in(1));
  n.set(0, makeSequence(std::move(items)));
}

static void buildErase(NodeBuilder &n) {
  Items items = readItems(n, 0);
  size_t place = readPlace(n, 1, items.size(), int64_t(items.size()) - 1);
  if (!n.failed() && items.empty())
    n.fail("its sequence is empty");
  if (n.failed())
    return;
  items.erase(items.begin() + place);
  n.set(0, makeSequence(std::move(items)));
}

static void buildLength(NodeBuilder &n) {
  n.set(0, n.constantInt(ElementType::I64, readItems(n, 0).size()));
}

static void buildConcatFromSequence(NodeBuilder &n) {
  Items items = readItems(n, 0);
  if (!n.failed() && items.empty())
    n.fail("its sequence is empty");
  if (n.failed())
    return;
  bool isNew = n.getBool("new_axis");
  int64_t rank = items.front().rank() + isNew;
  int64_t axis = n.getAxis("axis", 0, rank);
  for (Tensor &item : items) {
    if (item.type != items.front().type || item.rank() + isNew != rank)
      n.fail("its sequence has tensors of unlike ranks or types");
    if (n.failed())
      return;
  }
  if (isNew)
    for (Tensor &item : items)
      item = unsqueeze(n, item, axis);
  n.set(0, concat(n, items, axis));
}

/// The sizes of the parts of a split.
static Sizes readSequenceParts(NodeBuilder &n, OpFoldResult size) {
  Sizes parts;
  bool isVector = n.has(1) && n.in(1).rank() == 1;
  if (isVector)
    return n.indices(n.in(1));
  int64_t each = n.has(1) ? readInt(n, n.in(1), "the size of its parts") : 1;
  std::optional<int64_t> whole = getInt(size);
  if (!whole)
    n.fail("the number of its parts depends on a size; give it by --dim");
  else if (each < 1 || *whole / each > kMaxParts)
    n.fail("the size of its parts is not positive, or there are more than " +
           Twine(kMaxParts));
  if (n.failed())
    return parts;
  for (int64_t left = *whole; left > 0; left -= each)
    parts.push_back(n.ix.constant(std::min(left, each)));
  return parts;
}

static void buildSplitToSequence(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (n.failed())
    return;
  Items items;
  OpFoldResult offset = n.ix.constant(0);
  for (OpFoldResult part : readSequenceParts(n, x.sizes[axis])) {
    items.push_back(sliceKnownAxis(n, x, axis, offset, part));
    offset = n.ix.add(offset, part);
    if (!n.has(1) && !n.getBool("keepdims", true))
      items.back() = squeeze(n, items.back(), axis);
  }
  n.checkEqual(offset, x.sizes[axis], "its parts do not add up to its input");
  n.set(0, makeSequence(std::move(items)));
}

static void buildMap(NodeBuilder &n) {
  const GraphProto *graph = n.getGraph("body");
  Items items = readItems(n, 0);
  if (!graph)
    return n.fail("it lacks a body");
  std::vector<Items> made(n.numOutputs());
  for (size_t i = 0; i < items.size(); ++i) {
    SmallVector<Tensor> inputs;
    for (unsigned input = 0; input < n.numInputs(); ++input) {
      const Tensor &given = n.any(input);
      if (given.isSequence() && given.items->size() != items.size())
        return n.fail("its sequences have unlike lengths");
      inputs.push_back(given.isSequence() ? (*given.items)[i] : given);
    }
    FailureOr<SmallVector<Tensor>> results = n.importGraph(*graph, inputs);
    if (failed(results))
      return;
    for (auto [all, result] : llvm::zip(made, *results))
      all.push_back(result);
  }
  for (auto [output, all] : llvm::enumerate(made))
    n.set(output, makeSequence(std::move(all)));
}

static void buildOptional(NodeBuilder &n) {
  n.set(0, makeSequence(n.has(0) ? Items{n.any(0)} : Items{},
                        /*isOptional=*/true));
}

static void buildHasElement(NodeBuilder &n) {
  bool isEmpty = !n.has(0) || (n.any(0).isOptional && n.any(0).items->empty());
  n.set(0, n.constantInt(ElementType::Bool, !isEmpty));
}

static void buildGetElement(NodeBuilder &n) {
  const Tensor &given = n.any(0);
  if (!given.isOptional)
    return n.set(0, given);
  if (given.items->empty())
    return n.fail("its optional has no element");
  n.set(0, given.items->front());
}

void mlir::hetero::onnx::addSequences(OperatorTable &table) {
  table.add("SequenceConstruct", {11}, buildConstruct);
  table.add("SequenceEmpty", {11},
            [](NodeBuilder &n) { n.set(0, makeSequence({})); });
  table.add("SequenceAt", {11}, buildAt);
  table.add("SequenceInsert", {11}, buildInsert);
  table.add("SequenceErase", {11}, buildErase);
  table.add("SequenceLength", {11}, buildLength);
  table.add("SequenceMap", {17}, buildMap);
  table.add("ConcatFromSequence", {11}, buildConcatFromSequence);
  table.add("SplitToSequence", {11, 24}, buildSplitToSequence);
  table.add("Optional", {15, 28}, buildOptional);
  table.add("OptionalHasElement", {15, 18, 28}, buildHasElement);
  table.add("OptionalGetElement", {15, 18, 28}, buildGetElement);
}
