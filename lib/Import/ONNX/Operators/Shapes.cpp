//===- Shapes.cpp - Operators that change shapes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Layout.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Axes that are an attribute in old versions and an input in new ones; nullopt
/// if there are none, or after an error.
static std::optional<SmallVector<int64_t>> readShapeAxes(NodeBuilder &n,
                                                         int64_t rank) {
  if (n.findAttr("axes"))
    return n.axes(n.getInts("axes"), rank);
  if (!n.has(1))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> axes = n.ints(n.in(1), "axes");
  return axes ? std::optional(n.axes(*axes, rank)) : std::nullopt;
}

/// True if a size may be -1 or 0 at run time: data, not arithmetic of sizes.
static bool isData(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  if (!value || getInt(size))
    return false;
  Operation *op = value.getDefiningOp();
  if (op && isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tensor::ExtractOp>(op);
}

static void buildReshape(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  Sizes given = n.indices(n.in(1)), known;
  if (n.failed())
    return;
  bool keepsZeros = n.getBool("allowzero");
  OpFoldResult zero = n.ix.constant(0), minusOne = n.ix.constant(-1);
  SmallVector<bool> open;
  for (OpFoldResult size : given)
    if (getInt(size) && *getInt(size) < -1)
      return n.fail("size " + Twine(*getInt(size)) +
                    " of its shape is negative");
  // Zeros are sizes of the input; -1 is what is left of all elements.
  for (auto [axis, size] : llvm::enumerate(given)) {
    bool isOpen = isData(size);
    open.push_back(isOpen || getInt(size) == -1);
    if (!keepsZeros && (isOpen || getInt(size) == 0)) {
      if (int64_t(axis) < x.rank())
        size = n.ix.select(n.ix.equal(size, zero), x.sizes[axis], size);
      else if (!isOpen)
        return n.fail("size 0 at dimension " + Twine(axis) +
                      " stands for one that the input has not");
    }
    known.push_back(open.back() ? n.ix.select(n.ix.equal(size, minusOne),
                                              n.ix.constant(1), size)
                                : size);
  }
  if (llvm::count_if(given,
                     [](OpFoldResult size) { return getInt(size) == -1; }) > 1)
    return n.fail("its shape has several sizes of -1");
  if (llvm::is_contained(open, true)) {
    OpFoldResult rest = divideProducts(n.ix, x.sizes, known);
    for (auto [size, isOpen] : llvm::zip_equal(given, open))
      if (isOpen)
        size = n.ix.select(n.ix.equal(size, minusOne), rest, size);
  }
  if (!haveEqualProducts(x.sizes, given))
    n.check(n.ix.equal(n.ix.product(x.sizes), n.ix.product(given)),
            "its input has not as many elements as its shape");
  if (!n.failed())
    n.set(0, reshape(n, x, given));
}

static void buildFlatten(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getInt("axis", 1);
  if (axis < -x.rank() || axis > x.rank())
    return n.fail("axis " + Twine(axis) + " is outside of the " +
                  Twine(x.rank()) + " dimensions");
  axis = axis < 0 ? axis + x.rank() : axis;
  ArrayRef<OpFoldResult> sizes = x.sizes;
  n.set(0, reshape(n, x,
                   {n.ix.product(sizes.take_front(axis)),
                    n.ix.product(sizes.drop_front(axis))}));
}

static void buildUnsqueeze(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  SmallVector<int64_t> given = n.getInts("axes");
  if (!n.findAttr("axes")) {
    std::optional<SmallVector<int64_t>> found = n.ints(n.in(1), "axes");
    if (!found)
      return;
    given = *found;
  }
  SmallVector<int64_t> axes = n.axes(given, x.rank() + given.size());
  llvm::sort(axes);
  if (!n.failed())
    n.set(0, unsqueeze(n, x, axes));
}

static void buildSqueeze(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  std::optional<SmallVector<int64_t>> axes = readShapeAxes(n, x.rank());
  if (n.failed())
    return;
  if (!axes) {
    axes.emplace();
    for (int64_t axis = 0; axis < x.rank(); ++axis) {
      if (!x.dim(axis)) {
        n.noteNeeded(x.sizes[axis]);
        return n.fail("the rank of its result depends on a size; give axes, or "
                      "the size by --dim");
      }
      if (x.dim(axis) == 1)
        axes->push_back(axis);
    }
  }
  n.set(0, squeeze(n, x, *axes));
}

static void buildTranspose(NodeBuilder &n) {
  int64_t rank = n.in(0).rank();
  SmallVector<int64_t> reversed;
  for (int64_t axis = rank - 1; axis >= 0; --axis)
    reversed.push_back(axis);
  SmallVector<int64_t> permutation = n.axes(n.getInts("perm", reversed), rank);
  if (!n.failed() && int64_t(permutation.size()) != rank)
    n.fail("its permutation has not " + Twine(rank) + " dimensions");
  if (!n.failed())
    n.set(0, transpose(n, n.in(0), permutation));
}

static void buildExpand(NodeBuilder &n) {
  Tensor shape{n.in(0).type, n.indices(n.in(1))};
  if (n.failed())
    return;
  Sizes sizes = broadcastSizes(n, {n.in(0), shape});
  // Sizes of the shape that the input's are larger than are 1.
  if (!n.failed())
    n.set(0, broadcastTo(n, n.in(0), sizes));
}

static void buildConcat(NodeBuilder &n) {
  SmallVector<Tensor> operands;
  for (unsigned i = 0; i < n.numInputs(); ++i)
    operands.push_back(n.in(i));
  if (operands.empty())
    return n.fail("it has no inputs");
  for (const Tensor &operand : operands)
    if (operand.rank() != operands[0].rank() ||
        operand.type != operands[0].type)
      return n.fail("its inputs have unlike ranks or types");
  int64_t axis = n.getAxis("axis", 1, operands[0].rank());
  if (!n.failed())
    n.set(0, concat(n, operands, axis));
}

/// Sizes of the parts of a Split along an axis.
static Sizes readParts(NodeBuilder &n, OpFoldResult size) {
  Sizes parts;
  if (n.findAttr("split"))
    for (int64_t part : n.getInts("split"))
      parts.push_back(n.ix.constant(part));
  else if (n.has(1))
    parts = n.indices(n.in(1));
  if (!parts.empty() || n.failed())
    return parts;
  int64_t count = n.getInt("num_outputs", n.numOutputs());
  if (count < 1)
    n.fail("it has no outputs");
  OpFoldResult each =
      n.ix.ceilDiv(size, n.ix.constant(std::max<int64_t>(count, 1)));
  OpFoldResult left = size;
  for (int64_t i = 0; i < count && i < int64_t(n.numOutputs()); ++i) {
    // The last chunk is smaller if they do not fit evenly.
    OpFoldResult part = i + 1 < count ? n.ix.min(each, left) : left;
    parts.push_back(part);
    left = n.ix.sub(left, part);
  }
  return parts;
}

static void buildSplit(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (n.failed())
    return;
  Sizes parts = readParts(n, x.sizes[axis]);
  if (n.failed())
    return;
  if (parts.size() < n.numOutputs())
    return n.fail("it has " + Twine(n.numOutputs()) + " outputs and only " +
                  Twine(parts.size()) + " parts");
  OpFoldResult total = n.ix.constant(0);
  for (OpFoldResult part : parts) {
    n.check(n.ix.less(n.ix.constant(-1), part), "a part has a negative size");
    if (x.dim(axis) && getInt(part) > x.dim(axis))
      n.fail("a part is larger than its input");
    total = n.ix.add(total, part);
  }
  n.checkEqual(total, x.sizes[axis], "its parts do not add up to its input");
  if (n.failed())
    return;
  OpFoldResult offset = n.ix.constant(0);
  for (auto [i, part] : llvm::enumerate(parts)) {
    n.set(i, sliceKnownAxis(n, x, axis, offset, part));
    offset = n.ix.add(offset, part);
  }
}

void mlir::hetero::onnx::addShapes(OperatorTable &table) {
  table.add("Reshape", {5, 13, 14, 19, 21, 23, 24, 25}, buildReshape);
  table.add("Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, buildFlatten);
  table.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, buildUnsqueeze);
  table.add("Squeeze", {1, 11, 13, 21, 23, 24, 25}, buildSqueeze);
  table.add("Transpose", {1, 13, 21, 23, 24, 25}, buildTranspose);
  table.add("Expand", {8, 13}, buildExpand);
  table.add("Concat", {4, 11, 13}, buildConcat);
  table.add("Split", {2, 11, 13, 18}, buildSplit);
}
