//===- Sampling.cpp - Elements between places -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// An element that counts for a position along one axis.
struct Tap {
  Number place, weight, isInside = 1;
};
using LinearTaps = SmallVector<Tap>;
} // namespace

/// The weighted sum of elements, one of each axis' taps, after `place`.
static Number sumTaps(const Loop &loop, const Tensor &x,
                      ArrayRef<LinearTaps> axes, ArrayRef<Number> place,
                      Number weight, Number isInside) {
  if (axes.empty()) {
    Number element = loop.read(x, place);
    Type type = element.getType();
    if (auto complex = dyn_cast<ComplexType>(type))
      type = complex.getElementType();
    unsigned width = type.getIntOrFloatBitWidth();
    return select(isInside, element * weight.toFloat(width), 0.0);
  }
  Number sum = 0;
  for (const Tap &tap : axes.front()) {
    SmallVector<Number> next(place);
    next.push_back(tap.place);
    Number all = weight.getConstant() == 1 ? tap.weight : weight * tap.weight;
    Number term = sumTaps(loop, x, axes.drop_front(), next, all,
                          isInside && tap.isInside);
    sum = sum.getConstant() ? term : sum + term;
  }
  return sum;
}

/// The two elements around a position; what is outside is 0.
static LinearTaps makeLinearTaps(Number position, Number size) {
  Number cell = floor(position), rest = position - cell;
  LinearTaps taps;
  for (int64_t i = 0; i < 2; ++i) {
    Number at = cell.toIndex() + double(i);
    taps.push_back({clamp(at, 0.0, size - 1.0), i ? rest : Number(1) - rest,
                    Number(-1) < at && at < size});
  }
  return taps;
}

namespace {
struct GridMode {
  StringRef mode, padding;
  bool alignsCorners;
  /// The places of the mirrors.
  Number low() const { return alignsCorners ? 0.0 : -0.5; }
  Number high(Number size) const { return size.toFloat(32) - 1.0 - low(); }
};
} // namespace

/// The position with the borders as mirrors.
static Number reflect(Number x, Number low, Number high) {
  Number span = high - low, distance = abs(x - low);
  Number turns = floor(distance / select(span == 0.0, 1.0, span).toFloat(32));
  Number rest = distance - turns * span;
  Number isEven = floor(turns / 2.0) * 2.0 == turns;
  return select(span == 0.0, low, select(isEven, low + rest, high - rest));
}

/// A position within [-1, 1] in elements; outside of the borders it is moved.
static Number findPosition(const GridMode &how, Number x, Number size) {
  Number length = size.toFloat(32);
  Number position = how.alignsCorners ? (x + 1.0) / 2.0 * (length - 1.0)
                                      : ((x + 1.0) * length - 1.0) / 2.0;
  if (how.mode == "nearest")
    position = roundEven(position);
  Number low = how.low(), high = how.high(size);
  if (how.padding == "reflection")
    return reflect(position, low, high);
  if (how.padding == "zeros")
    return position;
  return select(position < low || high < position,
                clamp(position, 0.0, length - 1.0), position);
}

/// The element at a whole position.
static Tap makeTap(const GridMode &how, Number at, Number weight, Number size) {
  if (how.padding == "reflection")
    at = reflect(at, how.low(), how.high(size));
  Number last = size.toFloat(32) - 1.0;
  Tap tap{clamp(at, 0.0, last).toIndex(), weight};
  if (how.padding == "zeros")
    tap.isInside = Number(0) <= at && at <= last;
  return tap;
}

static LinearTaps makeGridTaps(const GridMode &how, Number position,
                               Number size) {
  if (how.mode == "nearest")
    return {makeTap(how, position, 1, size)};
  Number cell = floor(position), x = position - cell;
  if (how.mode == "linear")
    return {makeTap(how, cell, Number(1) - x, size),
            makeTap(how, cell + 1.0, x, size)};
  double a = -0.75;
  auto inner = [&](Number x) { return ((a + 2) * x - (a + 3)) * x * x + 1.0; };
  auto outer = [&](Number x) {
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  };
  return {makeTap(how, cell - 1.0, outer(x + 1.0), size),
          makeTap(how, cell, inner(x), size),
          makeTap(how, cell + 1.0, inner(Number(1) - x), size),
          makeTap(how, cell + 2.0, outer(Number(2) - x), size)};
}

static void buildGridSample(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t rank = x.rank() - 2;
  StringRef mode = n.getString("mode", n.since() < 20 ? "bilinear" : "linear");
  mode.consume_front("bi");
  GridMode how{mode, n.getString("padding_mode", "zeros"),
               n.getBool("align_corners")};
  if (rank < 1 || n.in(1).rank() != x.rank() ||
      n.in(1).dim(rank + 1).value_or(rank) != rank)
    n.fail("its grid does not fit its input");
  if (!llvm::is_contained({"nearest", "linear", "cubic"}, how.mode) ||
      !llvm::is_contained({"zeros", "border", "reflection"}, how.padding))
    n.fail("its mode or padding_mode is none of the operator");
  if (n.failed())
    return;
  n.checkEqual(x.sizes[0], n.in(1).sizes[0],
               "batches of its inputs are unlike");
  // Averages of integers are cut.
  ElementType wide =
      isInteger(x.type) && how.mode != "nearest" ? ElementType::F64 : x.type;
  Tensor source = materialize(n, castTo(n, x, wide));
  // Positions are floats of at least 32 bits.
  Tensor grid = materialize(n, n.in(1).type == ElementType::F64
                                   ? castTo(n, n.in(1), ElementType::F32)
                                   : n.in(1));
  Sizes sizes(ArrayRef(x.sizes).take_front(2));
  llvm::append_range(sizes, ArrayRef(grid.sizes).slice(1, rank));
  // All channels share the positions.
  Sizes planes = sizes;
  planes[1] = n.ix.constant(1);
  SmallVector<Tensor> positions;
  for (int64_t i = 0; i < rank; ++i)
    positions.push_back(
        compute(n, ElementType::F32, planes, {}, [&](const Loop &loop) {
          SmallVector<Number> point{loop.at[0]};
          llvm::append_range(point, ArrayRef(loop.at).drop_front(2));
          // The last number is the place along the first axis.
          point.push_back(double(rank - 1 - i));
          return findPosition(how, loop.read(grid, point),
                              loop.number(x.sizes[i + 2]));
        }));
  Tensor made = compute(n, wide, sizes, positions, [&](const Loop &loop) {
    SmallVector<LinearTaps> axes;
    for (int64_t i = 0; i < rank; ++i)
      axes.push_back(
          makeGridTaps(how, loop.in[i], loop.number(x.sizes[i + 2])));
    return sumTaps(loop, source, axes, {loop.at[0], loop.at[1]}, 1, 1);
  });
  n.set(0, castTo(n, made, x.type));
}

static void buildAffineGrid(NodeBuilder &n) {
  Tensor theta = materialize(n, n.in(0));
  Sizes given = n.indices(n.in(1)), sizes;
  int64_t rank = int64_t(given.size()) - 2;
  if (!n.failed() && (theta.rank() != 3 || rank < 2 || rank > 3))
    n.fail("its inputs do not fit each other");
  if (n.failed())
    return;
  sizes.push_back(theta.sizes[0]);
  llvm::append_range(sizes, ArrayRef(given).drop_front(2));
  sizes.push_back(n.ix.constant(rank));
  bool alignsCorners = n.getBool("align_corners");
  n.set(0, compute(n, theta.type, sizes, {}, [&](const Loop &loop) {
          Number row = loop.at.back();
          Number sum = loop.read(theta, {loop.at[0], row, double(rank)});
          for (int64_t i = 0; i < rank; ++i) {
            Number at = loop.at[1 + i].toFloat();
            Number size = loop.number(sizes[1 + i]).toFloat();
            // The one place of an axis is its first.
            Number place = alignsCorners ? at * 2.0 / max(size - 1.0, 1.0) - 1.0
                                         : (at * 2.0 + 1.0) / size - 1.0;
            Number factor =
                loop.read(theta, {loop.at[0], row, double(rank - 1 - i)});
            sum = sum.toFloat() + factor.toFloat() * place;
          }
          return sum;
        }));
}

namespace {
/// Regions of a RoiAlign.
struct Regions {
  Tensor bounds;
  double scale, shift;
  OpFoldResult bins[2];
  int64_t samples;

  /// Where a region starts along an axis of the image, and how far a bin goes.
  std::pair<Number, Number> get(const Loop &loop, Number region,
                                unsigned axis) const {
    auto read = [&](unsigned i) {
      return loop.read(bounds, {region, double(i)}) * scale - shift;
    };
    Number start = read(1 - axis), extent = read(3 - axis) - start;
    if (shift == 0)
      extent = max(extent, 1.0);
    return {start, extent / double(*getInt(bins[axis]))};
  }
  /// How many samples a bin has along an axis, as a float.
  Number count(Number bin) const {
    return samples > 0 ? Number(double(samples)) : ceil(bin);
  }
};
} // namespace

/// The most samples that a bin of a region has along an axis.
static OpFoldResult countSamples(NodeBuilder &n, const Regions &regions,
                                 unsigned axis) {
  if (regions.samples > 0)
    return n.ix.constant(regions.samples);
  ElementType type = getAccumulator(regions.bounds.type);
  Tensor counts =
      compute(n, type, regions.bounds.sizes[0], {}, [&](const Loop &loop) {
        return regions.count(regions.get(loop, loop.at[0], axis).second);
      });
  Tensor most = reduce(n, counts, 0, false, Reduction::Max);
  Number count = number(n, type, n.element(most));
  return clamp(count, 0.0, 1e6).toIndex().getIndex(n.b, n.loc);
}

/// The elements around a sample, whose weights are 0 far outside.
static LinearTaps makeRegionTaps(Number position, Number size, Number isThere) {
  Number length = size.toFloat(position.getType().getIntOrFloatBitWidth());
  Number isNear = isThere && Number(-1) <= position && position <= length;
  Number x = clamp(position, 0.0, length - 1.0), cell = floor(x);
  Number low = cell.toIndex(), rest = x - cell;
  return {{low, Number(1) - rest, isNear},
          {min(low + 1.0, size - 1.0), rest, isNear}};
}

static void buildRoiAlign(NodeBuilder &n) {
  Tensor x = materialize(n, n.in(0)), batches = materialize(n, n.in(2));
  if (x.rank() != 4 || n.in(1).rank() != 2 || batches.rank() != 1)
    return n.fail("its inputs do not fit each other");
  StringRef moved =
      n.getString("coordinate_transformation_mode",
                  n.since() < 16 ? "output_half_pixel" : "half_pixel");
  ElementType type = getAccumulator(x.type);
  Regions regions{materialize(n, castTo(n, n.in(1), type)),
                  n.getFloat("spatial_scale", 1),
                  moved == "half_pixel" ? 0.5 : 0,
                  {n.ix.constant(n.getInt("output_height", 1)),
                   n.ix.constant(n.getInt("output_width", 1))},
                  n.getInt("sampling_ratio", 0)};
  if (*getInt(regions.bins[0]) < 1 || *getInt(regions.bins[1]) < 1)
    return n.fail("its result has no bins");
  bool isMax = n.getString("mode", "avg") == "max";
  Sizes sizes{regions.bounds.sizes[0], x.sizes[1], regions.bins[0],
              regions.bins[1]};
  Sizes inner{countSamples(n, regions, 0), countSamples(n, regions, 1)};
  unsigned width = getBitWidth(type);
  Value start = isMax ? getNeutral(n, type, Reduction::Max) : n.scalar(type, 0);
  Tensor made = combine(
      n, type, sizes, inner, start, [&](const Loop &loop, Number before) {
        SmallVector<LinearTaps> axes;
        Number samples = 1, isThere = 1;
        for (unsigned axis : {0, 1}) {
          auto [first, bin] = regions.get(loop, loop.at[0], axis);
          Number count = regions.count(bin);
          Number sample = loop.at[4 + axis].toFloat(width);
          if (regions.samples <= 0)
            isThere = isThere && sample < count;
          Number position = first + loop.at[2 + axis].toFloat(width) * bin +
                            (sample + 0.5) * bin / count;
          axes.push_back(makeRegionTaps(
              position, loop.number(x.sizes[2 + axis]), isThere));
          samples = samples * count;
        }
        SmallVector<Number> place{loop.read(batches, loop.at[0]).toIndex(),
                                  loop.at[1]};
        if (!isMax) {
          return before +
                 sumTaps(loop, x, axes, place, 1, 1) / max(samples, 1.0);
        }
        Number most = before;
        for (const Tap &row : axes[0])
          for (const Tap &column : axes[1])
            most = max(most,
                       sumTaps(loop, x, {LinearTaps{row}, LinearTaps{column}},
                               place, 1, 1));
        return select(isThere, most, before);
      });
  if (isMax)
    made = compute(n, type, sizes, made, [&](const Loop &loop) {
      double none = -std::numeric_limits<double>::infinity();
      return select(loop.in[0] == none, 0.0, loop.in[0]);
    });
  n.set(0, castTo(n, made, x.type));
}

/// The largest element of each bin of a region, whose bounds are rounded.
static void buildMaxRoiPool(NodeBuilder &n) {
  Tensor x = materialize(n, n.in(0)), rois = materialize(n, n.in(1));
  SmallVector<int64_t> bins = n.getInts("pooled_shape");
  if (x.rank() != 4 || rois.rank() != 2 || bins.size() != 2 || bins[0] < 1 ||
      bins[1] < 1)
    return n.fail("its inputs and attributes do not fit each other");
  double scale = n.getFloat("spatial_scale", 1);
  Sizes sizes{rois.sizes[0], x.sizes[1], n.ix.constant(bins[0]),
              n.ix.constant(bins[1])};
  ElementType type = getAccumulator(x.type);
  unsigned width = getBitWidth(type);
  Tensor made =
      combine(n, type, sizes, ArrayRef(x.sizes).drop_front(2),
              getNeutral(n, type, Reduction::Max),
              [&](const Loop &loop, Number before) {
                Number isThere = 1;
                for (unsigned axis : {0, 1}) {
                  auto read = [&](unsigned i) {
                    return floor(
                        loop.read(rois, {loop.at[0], double(i)}) * scale + 0.5);
                  };
                  Number first = read(2 - axis);
                  Number bin = max(read(4 - axis) - first + 1.0, 1.0) /
                               double(bins[axis]);
                  Number at = loop.at[2 + axis].toFloat(width);
                  Number place = loop.at[4 + axis].toFloat(width);
                  isThere = isThere && floor(at * bin) + first <= place &&
                            place < ceil((at + 1.0) * bin) + first;
                }
                Number batch = loop.read(rois, {loop.at[0], 0}).toIndex();
                Number element =
                    loop.read(x, {batch, loop.at[1], loop.at[4], loop.at[5]});
                return select(isThere, max(before, element), before);
              });
  n.set(0, compute(n, x.type, sizes, made, [&](const Loop &loop) {
          double none = -std::numeric_limits<double>::infinity();
          return select(loop.in[0] == none, 0.0, loop.in[0]);
        }));
}

/// A convolution of what is sampled at all places of the kernel.
static void buildDeformConv(NodeBuilder &n) {
  Tensor x = materialize(n, n.in(0)), offsets = materialize(n, n.in(2));
  const Tensor &weights = n.in(1);
  int64_t rank = x.rank() - 2, groups = n.getInt("group", 1);
  int64_t fields = n.getInt("offset_group", 1);
  if (rank < 1 || weights.rank() != x.rank() || offsets.rank() != x.rank() ||
      groups < 1 || fields < 1)
    return n.fail("its inputs do not fit each other");
  std::optional<Window> window =
      readWindow(n, x.sizes, ArrayRef(weights.sizes).drop_front(2));
  if (!window)
    return;
  Indices &ix = n.ix;
  std::optional<Tensor> mask;
  if (n.has(4))
    mask = materialize(n, n.in(4));
  OpFoldResult taps = ix.product(window->kernel);
  OpFoldResult each = ix.floorDiv(x.sizes[1], ix.constant(fields));
  // Batch, channels, places of the kernel and of the result.
  Sizes sizes{x.sizes[0], x.sizes[1]}, columns{x.sizes[0]}, ones;
  llvm::append_range(sizes, window->kernel);
  llvm::append_range(sizes, window->sizes);
  columns.push_back(ix.mul(x.sizes[1], taps));
  llvm::append_range(columns, window->sizes);
  Tensor read = compute(n, x.type, sizes, {}, [&](const Loop &loop) {
    Number tap = floorDiv(loop.at[1], loop.number(each));
    for (int64_t i = 0; i < rank; ++i)
      tap = tap * loop.number(window->kernel[i]) + loop.at[2 + i];
    SmallVector<Number> point{loop.at[0], tap};
    llvm::append_range(point, ArrayRef(loop.at).drop_front(2 + rank));
    Number weight = mask ? loop.read(*mask, point) : Number(1);
    SmallVector<LinearTaps> axes;
    for (int64_t i = 0; i < rank; ++i) {
      Number start = loop.at[2 + rank + i] * double(window->strides[i]) +
                     loop.at[2 + i] * double(window->dilations[i]) -
                     loop.number(window->low[i]);
      point[1] = tap * double(rank) + double(i);
      Number offset = loop.read(offsets, point);
      Number position =
          start.toFloat(offset.getType().getIntOrFloatBitWidth()) + offset;
      axes.push_back(makeLinearTaps(position, loop.number(x.sizes[i + 2])));
    }
    return sumTaps(loop, x, axes, {loop.at[0], loop.at[1]}, weight, 1);
  });
  Sizes flat{weights.sizes[0], ix.mul(weights.sizes[1], taps)};
  flat.append(rank, ix.constant(1));
  window->kernel.assign(rank, ix.constant(1));
  window->strides.assign(rank, 1);
  window->dilations.assign(rank, 1);
  ElementType type = getAccumulator(x.type);
  Sizes result{x.sizes[0], weights.sizes[0]};
  llvm::append_range(result, window->sizes);
  Tensor start = startAtBias(n, result, type, n.find(3));
  Tensor made =
      convolve(n, {*window, groups, reshape(n, read, columns), result},
               reshape(n, weights, flat), start);
  n.set(0, castTo(n, made, x.type));
}

void mlir::hetero::onnx::addSampling(OperatorTable &table) {
  table.add("GridSample", {16, 20, 22}, buildGridSample);
  table.add("AffineGrid", {20}, buildAffineGrid);
  table.add("RoiAlign", {10, 16, 22}, buildRoiAlign);
  table.add("MaxRoiPool", {1, 22}, buildMaxRoiPool);
  table.add("DeformConv", {19, 22}, buildDeformConv);
}
