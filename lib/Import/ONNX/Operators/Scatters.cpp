//===- Scatters.cpp - Elements at places that data tell -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../OperatorTable.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// An index that may count from the end.
static Number wrap(Number index, Number size) {
  return select(index < 0.0, index + size, index);
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// Combines rows of `updates` with what is at `indices` (vectors of places
/// along the first dimensions), one after the other.
static Tensor scatter(NodeBuilder &n, const Tensor &x, const Tensor &indices,
                      const Tensor &updates, StringRef reduction) {
  if (!llvm::is_contained({"none", "add", "mul", "max", "min"}, reduction))
    n.fail("its reduction \"" + reduction + "\" is none of the operator");
  if (x.type != updates.type)
    n.fail("its updates are of another type than its input");
  if (n.failed())
    return x;
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < *indices.dim(1); ++i)
    dims.push_back(i);
  Value target = n.value(x);
  auto op = tm_tensor::ScatterOp::create(
      n.b, n.loc, target.getType(),
      ValueRange{n.value(updates), n.value(indices)}, target,
      n.b.getDenseI64ArrayAttr(dims), n.b.getBoolAttr(false));
  OpBuilder::InsertionGuard guard(n.b);
  Type element = n.storage(x.type);
  Block *body =
      n.b.createBlock(&op.getRegion(), {}, {element, element}, {n.loc, n.loc});
  Scalars s(n.b, n.loc, x.type);
  Value update = body->getArgument(0), before = body->getArgument(1);
  Value made = reduction == "add"   ? s.add(before, update)
               : reduction == "mul" ? s.mul(before, update)
               : reduction == "max" ? s.max(before, update)
               : reduction == "min" ? s.min(before, update)
                                    : update;
  tm_tensor::YieldOp::create(n.b, n.loc, made);
  return n.make(x.type, x.sizes, op->getResult(0));
}

/// The sizes of an input's first dimensions as an operand.
static Tensor makeSizes(NodeBuilder &n, const Tensor &x, int64_t count) {
  return n.makeInts(ArrayRef(x.sizes).take_front(count));
}

/// Sizes that must be those of another tensor.
static void checkSizes(NodeBuilder &n, Tensor &tensor,
                       ArrayRef<OpFoldResult> sizes) {
  if (tensor.rank() != int64_t(sizes.size()))
    return n.fail("its updates have " + Twine(tensor.rank()) +
                  " dimensions, expected " + Twine(sizes.size()));
  for (auto [own, size] : llvm::zip_equal(tensor.sizes, sizes))
    own = n.checkEqual(own, size, "sizes of its updates do not fit");
  if (!n.failed())
    tensor = materialize(n, tensor);
}

static void buildScatterND(NodeBuilder &n) {
  const Tensor &x = n.in(0), &indices = n.in(1);
  Tensor updates = n.in(2);
  std::optional<int64_t> count;
  if (indices.rank() > 0)
    count = indices.dim(indices.rank() - 1);
  if (!count)
    n.noteNeeded(OpFoldResult(n.value(indices)));
  if (!count || *count < 1 || *count > x.rank())
    return n.fail("the last size of its indices is not known, or not between "
                  "1 and the rank of its input");
  Sizes places(ArrayRef(indices.sizes).drop_back());
  Sizes rows{n.ix.product(places)}, expected = places;
  for (OpFoldResult size : ArrayRef(x.sizes).drop_front(*count)) {
    expected.push_back(size);
    rows.push_back(size);
  }
  checkSizes(n, updates, expected);
  if (n.failed())
    return;
  Tensor flat = reshape(n, indices, {rows[0], n.ix.constant(*count)});
  Tensor wrapped =
      compute(n, ElementType::I64, flat.sizes, {flat, makeSizes(n, x, *count)},
              [](const Loop &loop) { return wrap(loop.in[0], loop.in[1]); });
  n.set(0, scatter(n, x, wrapped, reshape(n, updates, rows),
                   n.getString("reduction", "none")));
}

/// Scatters elements to their own places, but along one axis, where `body`
/// tells it.
static Tensor scatterAlong(NodeBuilder &n, const Tensor &x,
                           const Tensor &updates, int64_t axis,
                           StringRef reduction, FormulaBody body) {
  Sizes sizes = updates.sizes;
  sizes.push_back(n.ix.constant(x.rank()));
  Tensor places =
      compute(n, ElementType::I64, sizes, {}, [&](const Loop &loop) {
        Number column = loop.at.back(), place = body(loop).toIndex();
        for (int64_t dim = 0; dim < x.rank(); ++dim)
          if (dim != axis)
            place = select(column == double(dim), loop.at[dim], place);
        return place;
      });
  OpFoldResult count = n.ix.product(updates.sizes);
  return scatter(n, x, reshape(n, places, {count, sizes.back()}),
                 reshape(n, updates, count), reduction);
}

static void buildScatterElements(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  Tensor updates = n.in(2), indices = n.in(1);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (x.rank() == 0 || indices.rank() != x.rank())
    n.fail("its input and its indices have unlike ranks");
  if (n.failed())
    return;
  checkSizes(n, updates, indices.sizes);
  if (n.failed())
    return;
  indices = materialize(n, indices);
  Number size = number(n, x.sizes[axis]);
  n.set(0, scatterAlong(n, x, updates, axis, n.getString("reduction", "none"),
                        [&](const Loop &loop) {
                          auto at = ArrayRef(loop.at).drop_back();
                          return wrap(loop.read(indices, at).toIndex(), size);
                        }));
}

/// Writes new rows of a cache from a place on that each batch tells.
static void buildTensorScatter(NodeBuilder &n) {
  const Tensor &x = n.in(0), &updates = n.in(1);
  int64_t axis = n.getAxis("axis", -2, x.rank());
  if (x.rank() == 0 || updates.rank() != x.rank())
    n.fail("its cache and its update have unlike ranks");
  if (n.failed())
    return;
  std::optional<Tensor> starts;
  if (n.has(2))
    starts = materialize(n, n.in(2));
  bool isCircular = n.getString("mode", "linear") == "circular";
  n.set(0, scatterAlong(n, x, updates, axis, "none", [&](const Loop &loop) {
          Number place = loop.at[axis];
          if (starts)
            place = loop.read(*starts, loop.at[0]).toIndex() + place;
          return isCircular ? floorMod(place, number(n, x.sizes[axis])) : place;
        }));
}

/// Puts elements at their places in zeros of the size that the window tells,
/// and these at the start of a result of another size.
static void buildMaxUnpool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  SmallVector<int64_t> kernel = n.getInts("kernel_shape");
  size_t rank = kernel.size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  SmallVector<int64_t> strides = n.getInts("strides", ones);
  SmallVector<int64_t> pads = n.getInts("pads", zeros);
  if (x.rank() != int64_t(rank) + 2 || strides.size() != rank ||
      pads.size() != 2 * rank)
    return n.fail("its kernel does not fit its input");
  Indices &ix = n.ix;
  Tensor places = n.in(1);
  checkSizes(n, places, x.sizes);
  Sizes sizes(ArrayRef(x.sizes).take_front(2));
  for (size_t i = 0; i < rank; ++i)
    sizes.push_back(ix.add(
        ix.mul(ix.sub(x.sizes[i + 2], ix.constant(1)), ix.constant(strides[i])),
        ix.constant(kernel[i] - pads[i] - pads[rank + i])));
  SmallVector<OpFoldResult> wanted;
  if (n.has(2))
    wanted = n.indices(n.in(2));
  for (OpFoldResult size : sizes)
    n.check(ix.less(ix.constant(-1), size), "its pads are too large");
  if (!wanted.empty() && wanted.size() != sizes.size())
    n.fail("its output_shape does not fit its input");
  if (n.failed())
    return;
  OpFoldResult count = ix.product(x.sizes), all = ix.product(sizes);
  Tensor flat = n.make(x.type, all, n.fillZero(x.type, all));
  Tensor filled =
      reshape(n,
              scatter(n, flat, reshape(n, places, {count, ix.constant(1)}),
                      reshape(n, x, count), "none"),
              sizes);
  Margins margins(n, x.rank());
  for (auto [axis, size] : llvm::enumerate(wanted))
    margins.high[axis] = ix.sub(size, sizes[axis]);
  n.set(0, applyMargins(n, filled, margins, n.scalar(x.type, 0)));
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static void buildGatherElements(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (x.rank() == 0 || n.in(1).rank() != x.rank())
    n.fail("its input and its indices have unlike ranks");
  if (n.failed())
    return;
  Tensor indices = materialize(n, n.in(1));
  Number size = number(n, x.sizes[axis]);
  n.set(0, gatherAt(n, x, indices.sizes, [&](const Loop &loop) {
          SmallVector<Number> place(loop.at);
          place[axis] = wrap(loop.read(indices, loop.at).toIndex(), size);
          return place;
        }));
}

static void buildGatherND(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t batch = n.getInt("batch_dims", 0), outer = n.in(1).rank() - 1;
  std::optional<int64_t> count;
  if (outer >= 0)
    count = n.in(1).dim(outer);
  if (!count)
    n.noteNeeded(OpFoldResult(n.value(n.in(1))));
  if (!count || batch < 0 || batch > outer || *count < 1 ||
      batch + *count > x.rank())
    return n.fail("the last size of its indices is not known, or there are "
                  "more of them than dimensions of its input");
  Tensor indices = materialize(n, n.in(1));
  for (int64_t axis = 0; axis < batch; ++axis)
    n.checkEqual(x.sizes[axis], indices.sizes[axis],
                 "batches of its inputs are unlike");
  Sizes sizes(ArrayRef(indices.sizes).drop_back());
  llvm::append_range(sizes, ArrayRef(x.sizes).drop_front(batch + *count));
  if (n.failed())
    return;
  n.set(0, gatherAt(n, x, sizes, [&](const Loop &loop) {
          SmallVector<Number> place(ArrayRef(loop.at).take_front(batch));
          SmallVector<Number> row(ArrayRef(loop.at).take_front(outer));
          row.push_back(0);
          for (int64_t i = 0; i < *count; ++i) {
            row.back() = double(i);
            place.push_back(wrap(loop.read(indices, row).toIndex(),
                                 number(n, x.sizes[batch + i])));
          }
          llvm::append_range(place, ArrayRef(loop.at).drop_front(outer));
          return place;
        }));
}

void mlir::hetero::onnx::addScatters(OperatorTable &table) {
  table.add("ScatterND", {11, 13, 16, 18}, buildScatterND);
  table.add("ScatterElements", {11, 13, 16, 18}, buildScatterElements);
  table.add("Scatter", {9, 11}, buildScatterElements);
  table.add("TensorScatter", {24}, buildTensorScatter);
  table.add("MaxUnpool", {9, 11, 22}, buildMaxUnpool);
  table.add("GatherElements", {11, 13}, buildGatherElements);
  table.add("GatherND", {11, 12, 13}, buildGatherND);
}
