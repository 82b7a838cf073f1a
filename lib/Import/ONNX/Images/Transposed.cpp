//===- Transposed.cpp - Windows that add to their places ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Contraction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// ConvTranspose
//
// Result q * stride + r of an axis is the sum of x[q - m] * w[r + m * stride]:
// for each r a convolution of the input with every stride-th weight. One
// convolution makes them as channels, and a transposition interleaves them.
//===----------------------------------------------------------------------===//

namespace {
/// One spatial dimension.
struct TransposedAxis {
  int64_t stride, dilation;
  OpFoldResult size, kernel;
  /// What is cut of the whole result before, and the size of what is left.
  OpFoldResult cut, count;
  /// Places of weights in each of the convolutions.
  OpFoldResult taps;
};
} // namespace

/// The size that is asked for, if it is.
static OpFoldResult getWantedSize(NodeBuilder &n, const TransposedAxis &axis,
                                  size_t i, size_t rank) {
  SmallVector<int64_t> wanted = n.getInts("output_shape");
  if (wanted.size() >= rank)
    return n.ix.constant(wanted[wanted.size() - rank + i]);
  if (n.getString("auto_pad", "NOTSET").starts_with("SAME"))
    return n.ix.mul(axis.size, n.ix.constant(axis.stride));
  return {};
}

static SmallVector<TransposedAxis>
readTransposed(NodeBuilder &n, const Tensor &x, const Tensor &weights) {
  Indices &ix = n.ix;
  size_t rank = x.rank() - 2;
  std::optional<Steps> steps = readSteps(n, rank);
  SmallVector<int64_t> extra =
      n.getInts("output_padding", SmallVector<int64_t>(rank, 0));
  if (steps && extra.size() != rank)
    n.fail("its output_padding does not fit its kernel");
  if (n.failed())
    return {};
  SmallVector<TransposedAxis> axes;
  for (size_t i = 0; i < rank; ++i) {
    TransposedAxis axis;
    axis.stride = steps->strides[i];
    axis.dilation = steps->dilations[i];
    axis.size = x.sizes[i + 2];
    axis.kernel = weights.sizes[i + 2];
    OpFoldResult step = ix.constant(axis.stride);
    OpFoldResult extent = getExtent(ix, axis.kernel, axis.dilation);
    OpFoldResult last = ix.mul(ix.sub(axis.size, ix.constant(1)), step);
    OpFoldResult whole = ix.add(ix.add(last, extent), ix.constant(extra[i]));
    axis.cut = ix.constant(steps->pads[i]);
    axis.count =
        ix.sub(whole, ix.constant(steps->pads[i] + steps->pads[rank + i]));
    if (OpFoldResult wanted = getWantedSize(n, axis, i, rank)) {
      axis.cut = halve(n, ix.max(ix.sub(whole, wanted), ix.constant(0))).first;
      axis.count = wanted;
    }
    // Weights that are spread are dense where they are taken by strides.
    axis.taps = axis.stride == 1 ? axis.kernel : ix.ceilDiv(extent, step);
    axes.push_back(axis);
  }
  return axes;
}

/// The weights (C, F, kernel) of one convolution with `phases` as channels.
static Tensor arrangeWeights(NodeBuilder &n, const Tensor &weights,
                             ArrayRef<TransposedAxis> axes, int64_t groups) {
  size_t rank = axes.size();
  OpFoldResult count = n.ix.constant(groups), one = n.ix.constant(1);
  OpFoldResult channels = n.ix.floorDiv(weights.sizes[0], count);
  Sizes sizes{count, weights.sizes[1]};
  for (const TransposedAxis &axis : axes)
    sizes.push_back(n.ix.constant(axis.stride));
  Sizes joined{n.ix.product(sizes), channels};
  sizes.push_back(channels);
  for (const TransposedAxis &axis : axes) {
    sizes.push_back(axis.taps);
    joined.push_back(axis.taps);
  }
  Tensor source = materialize(n, weights);
  Tensor made = compute(n, weights.type, sizes, {}, [&](const Loop &loop) {
    Number isThere = 1;
    SmallVector<Number> place{
        loop.at[0] * loop.number(channels) + loop.at[2 + rank], loop.at[1]};
    for (auto [i, axis] : llvm::enumerate(axes)) {
      Number last = loop.number(n.ix.sub(axis.taps, one));
      Number tap = (last - loop.at[3 + rank + i]) * double(axis.stride) +
                   (axis.stride == 1 ? Number(0) : loop.at[2 + i]);
      if (axis.stride > 1) {
        double step = axis.dilation;
        Number at = axis.dilation == 1 ? tap : floorDiv(tap, step);
        Number end = loop.number(axis.kernel);
        isThere = isThere && at < end;
        if (axis.dilation > 1)
          isThere = isThere && at * step == tap;
        tap = min(at, end - 1.0);
      }
      place.push_back(tap);
    }
    return select(isThere, loop.read(source, place), 0.0);
  });
  return reshape(n, made, joined);
}

/// The input with the places that the convolution reads, whose result has
/// `counts` places from `firsts` on.
static Tensor padTransposed(NodeBuilder &n, const Tensor &x,
                            ArrayRef<TransposedAxis> axes,
                            ArrayRef<OpFoldResult> firsts,
                            ArrayRef<OpFoldResult> counts) {
  Indices &ix = n.ix;
  Margins margins(n, x.rank());
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t spread = axis.stride == 1 ? axis.dilation : 1;
    OpFoldResult reach =
        ix.mul(ix.sub(axis.taps, ix.constant(1)), ix.constant(spread));
    margins.low[i + 2] = ix.sub(reach, firsts[i]);
    margins.high[i + 2] = ix.sub(ix.add(firsts[i], counts[i]), axis.size);
  }
  return applyMargins(n, x, margins, n.scalar(x.type, 0));
}

/// Interleaves channels (F, strides) of a result.
static Tensor interleave(NodeBuilder &n, const Tensor &made,
                         ArrayRef<TransposedAxis> axes, OpFoldResult features) {
  if (llvm::all_of(axes, [](auto &axis) { return axis.stride == 1; }))
    return made;
  int64_t rank = axes.size();
  Sizes split{made.sizes[0], features}, joined = split;
  SmallVector<int64_t> order{0, 1};
  for (const TransposedAxis &axis : axes)
    split.push_back(n.ix.constant(axis.stride));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    OpFoldResult count = made.sizes[i + 2];
    split.push_back(count);
    order.append({int64_t(2 + rank + i), int64_t(2 + i)});
    joined.push_back(n.ix.mul(count, n.ix.constant(axis.stride)));
  }
  return reshape(n, transpose(n, reshape(n, made, split), order), joined);
}

/// The start of sums of all features: 0, or the bias.
static Tensor makeStart(NodeBuilder &n, ElementType type, OpFoldResult features,
                        ArrayRef<OpFoldResult> sizes,
                        ArrayRef<TransposedAxis> axes) {
  if (!n.has(2))
    return startAtBias(n, sizes, type, nullptr);
  Sizes split{sizes[0], features};
  for (const TransposedAxis &axis : axes)
    split.push_back(n.ix.constant(axis.stride));
  llvm::append_range(split, sizes.drop_front(2));
  return reshape(n, startAtBias(n, split, type, &n.in(2)), sizes);
}

static void buildConvTranspose(NodeBuilder &n) {
  Tensor x = n.in(0), weights = n.in(1);
  Indices &ix = n.ix;
  int64_t groups = n.getInt("group", 1);
  if (x.rank() < 3 || weights.rank() != x.rank() || weights.type != x.type ||
      (n.has(2) && n.in(2).rank() != 1))
    n.fail("its inputs do not fit each other");
  if (!n.failed() && (groups < 1 || (x.dim(1) && *x.dim(1) % groups)))
    n.fail("its channels do not divide into " + Twine(groups) + " groups");
  if (n.failed())
    return;
  x.sizes[1] = n.checkEqual(x.sizes[1], weights.sizes[0],
                            "channels of its input do not fit its weights");
  weights.sizes[0] = x.sizes[1];
  SmallVector<TransposedAxis> axes = readTransposed(n, x, weights);
  if (n.failed())
    return;
  x = materialize(n, x);
  OpFoldResult features = ix.mul(weights.sizes[1], ix.constant(groups));
  Tensor kernel = arrangeWeights(n, weights, axes, groups);
  Window window;
  Sizes firsts, offsets(2, ix.constant(0)), counts{x.sizes[0], features};
  for (const TransposedAxis &axis : axes) {
    OpFoldResult step = ix.constant(axis.stride);
    OpFoldResult first = ix.floorDiv(axis.cut, step);
    OpFoldResult end = ix.ceilDiv(ix.add(axis.cut, axis.count), step);
    firsts.push_back(first);
    offsets.push_back(ix.sub(axis.cut, ix.mul(first, step)));
    counts.push_back(axis.count);
    window.kernel.push_back(axis.taps);
    window.strides.push_back(1);
    window.dilations.push_back(axis.stride == 1 ? axis.dilation : 1);
    window.sizes.push_back(ix.sub(end, first));
    n.check(ix.less(ix.constant(0), axis.count), "its result is empty");
  }
  if (n.failed())
    return;
  Sizes sizes{x.sizes[0], kernel.sizes[0]};
  llvm::append_range(sizes, window.sizes);
  Tensor padded = padTransposed(n, x, axes, firsts, window.sizes);
  Tensor start = makeStart(n, getAccumulator(x.type), features, sizes, axes);
  if (n.failed())
    return;
  Tensor made =
      convolve(n, {window, groups, padded, start.sizes}, kernel, start);
  n.set(0,
        castTo(n,
               slice(n, interleave(n, made, axes, features), offsets, counts),
               x.type));
}

/// Adds blocks of columns (N, C * block, blocks) at their places of an image.
static void buildCol2Im(NodeBuilder &n) {
  Tensor x = n.in(0);
  SmallVector<OpFoldResult> image = n.indices(n.in(1));
  SmallVector<OpFoldResult> block = n.indices(n.in(2));
  size_t rank = image.size();
  if (!n.failed() && (x.rank() != 3 || block.size() != rank))
    n.fail("its inputs do not fit each other");
  std::optional<Steps> steps = readSteps(n, rank);
  if (n.failed())
    return;
  ArrayRef<int64_t> strides = steps->strides, dilations = steps->dilations;
  ArrayRef<int64_t> pads = steps->pads;
  Indices &ix = n.ix;
  OpFoldResult depth = ix.product(block);
  n.check(ix.less(ix.constant(0), depth), "its block is empty");
  if (n.failed())
    return;
  Sizes blocks, sizes{x.sizes[0], ix.floorDiv(x.sizes[1], depth)};
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult padded =
        ix.add(image[i], ix.constant(pads[i] + pads[rank + i]));
    OpFoldResult room = ix.sub(padded, getExtent(ix, block[i], dilations[i]));
    blocks.push_back(
        ix.add(ix.floorDiv(room, ix.constant(strides[i])), ix.constant(1)));
    sizes.push_back(image[i]);
  }
  n.checkEqual(x.sizes[2], ix.product(blocks),
               "its columns are not as many as its blocks");
  if (n.failed())
    return;
  x = materialize(n, x);
  ElementType type = getAccumulator(x.type);
  Tensor sums = combine(
      n, type, sizes, block, n.scalar(type, 0),
      [&](const Loop &loop, Number before) {
        Number isThere = 1, column = 0, row = loop.at[1];
        for (size_t i = 0; i < rank; ++i) {
          Number inner = loop.at[2 + rank + i], step = double(strides[i]);
          Number place =
              loop.at[2 + i] + double(pads[i]) - inner * double(dilations[i]);
          Number at = floorDiv(place, step), count = loop.number(blocks[i]);
          isThere =
              isThere && Number(-1) < place && at * step == place && at < count;
          column = column * count + clamp(at, 0.0, count - 1.0);
          row = row * loop.number(block[i]) + inner;
        }
        Number element = loop.read(x, {loop.at[0], row, column});
        return before + select(isThere, element, 0.0);
      });
  n.set(0, castTo(n, sums, x.type));
}

void mlir::hetero::onnx::addTransposed(OperatorTable &table) {
  table.add("ConvTranspose", {1, 11, 22}, buildConvTranspose);
  table.add("Col2Im", {18}, buildCol2Im);
}
