//===- Resizing.cpp - Resize and Upsample ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// One axis: the number of results, and results for each element.
struct Axis {
  int64_t axis;
  OpFoldResult size, count;
  Number scale = 1;
  /// The part of the axis that tf_crop_and_resize reads.
  Number start = 0, end = 1;
};

/// The attributes.
struct Resizing {
  StringRef mode, transformation, nearest;
  bool antialias = false, excludesOutside = false;
  double coefficient = -0.75, extrapolation = 0;

  bool crops() const { return transformation == "tf_crop_and_resize"; }
  bool isNearest() const { return mode == "nearest"; }
};
} // namespace

/// The place that result `i` reads, in elements of the axis.
static Number getPosition(NodeBuilder &n, const Resizing &how, const Axis &axis,
                          Number i) {
  Number size = number(n, axis.size).toFloat();
  Number count = number(n, axis.count).toFloat();
  Number length = axis.scale * size, x = i.toFloat(), last = size - 1.0;
  StringRef mode = how.transformation;
  if (mode == "asymmetric")
    return x / axis.scale;
  if (mode == "align_corners")
    return select(length == 1.0, 0.0, x * last / (length - 1.0));
  if (how.crops()) {
    Number extent = (axis.end - axis.start) * last;
    Number middle = extent / 2.0;
    return axis.start * last +
           select(length == 1.0, middle, x * extent / (length - 1.0));
  }
  if (mode == "tf_half_pixel_for_nn")
    return select(axis.scale == 1.0, x, (x + 0.5) / axis.scale);
  Number place = (x + 0.5) / axis.scale - 0.5;
  if (mode == "pytorch_half_pixel")
    return select(length == 1.0, -0.5, place);
  if (mode == "half_pixel_symmetric")
    return size / 2.0 * (1.0 - count / length) + place;
  return place;
}

/// The element that is nearest to a position.
static Number getNearest(const Resizing &how, const Axis &axis, Number place) {
  Number low = floor(place), rest = place - low;
  if (how.nearest == "floor")
    return low;
  if (how.nearest == "ceil")
    return ceil(place);
  // Before version 11: up where the result is smaller.
  if (how.nearest == "simple")
    return select(axis.scale < 1.0, ceil(place), low);
  return how.nearest == "round_prefer_ceil"
             ? select(rest < 0.5, low, low + 1.0)
             : select(rest <= 0.5, low, low + 1.0);
}

/// The weight of an element at a distance.
static Number getWeight(const Resizing &how, Number distance) {
  Number x = abs(distance), a = how.coefficient;
  if (how.mode == "linear")
    return max(Number(1.0) - x, 0.0);
  Number inner = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  Number outer = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
  return select(x <= 1.0, inner, select(x < 2.0, outer, 0.0));
}

/// How often the table has each element of the axis, one after the other; 0 if
/// it has another order.
static int64_t getRepeats(const Axis &axis, ArrayRef<double> places) {
  std::optional<int64_t> size = getInt(axis.size);
  if (!size || *size == 0 || places.size() % *size)
    return 0;
  int64_t times = places.size() / *size;
  for (auto [i, place] : llvm::enumerate(places))
    if (int64_t(i) / times != int64_t(place))
      return 0;
  return times;
}

/// Repeats each element `times` along each axis.
static Tensor repeat(NodeBuilder &n, const Tensor &x, ArrayRef<int64_t> times) {
  Sizes ones, split, sizes;
  for (auto [size, count] : llvm::zip_equal(x.sizes, times)) {
    ones.push_back(size);
    split.push_back(size);
    if (count > 1) {
      ones.push_back(n.ix.constant(1));
      split.push_back(n.ix.constant(count));
    }
    sizes.push_back(n.ix.mul(size, n.ix.constant(count)));
  }
  return reshape(n, broadcastTo(n, reshape(n, x, ones), split), sizes);
}

static Tensor resizeNearest(NodeBuilder &n, const Resizing &how, Tensor x,
                            ArrayRef<Axis> axes) {
  SmallVector<int64_t> times(x.rank(), 1);
  SmallVector<AxisPlaces> others;
  for (const Axis &axis : axes) {
    Tensor table =
        tabulate(n, ElementType::I64, axis.count, [&](const Loop &loop) {
          Number place =
              getNearest(how, axis, getPosition(n, how, axis, loop.at[0]));
          return clamp(place.toIndex(), 0.0, number(n, axis.size) - 1.0);
        });
    auto places = getNumbers(table);
    if (int64_t count = places ? getRepeats(axis, *places) : 0)
      times[axis.axis] = count;
    else
      others.push_back({axis.axis, table});
  }
  x = gatherAxes(n, x, others);
  bool repeats = llvm::any_of(times, [](int64_t count) { return count > 1; });
  return repeats ? repeat(n, x, times) : x;
}

namespace {
/// The elements that each result of an axis reads: the first, and how many.
struct Taps {
  Number squeeze = 1, before = 0, count = 2;
};
} // namespace

static Taps getTaps(const Resizing &how, const Axis &axis) {
  double reach = how.mode == "linear" ? 1 : 2;
  if (!how.antialias)
    return {1, 1 - reach, 2 * reach};
  Number squeeze = min(axis.scale, 1.0);
  Number far = ceil(Number(reach) / squeeze).toIndex();
  return {squeeze, Number(0) - far, far * 2.0 + 2.0};
}

/// Weights of the elements that each result reads.
static Tensor makeWeights(NodeBuilder &n, const Resizing &how, const Axis &axis,
                          const Taps &taps, ElementType type) {
  Sizes sizes{axis.count, taps.count.getIndex(n.b, n.loc)};
  auto weigh = [&](Number i, Number t) {
    Number place = getPosition(n, how, axis, i);
    Number tap = floor(place).toIndex() + taps.before + t;
    Number weight = getWeight(how, (tap.toFloat() - place) * taps.squeeze);
    Number isInside = Number(-1) < tap && tap < number(n, axis.size);
    return how.excludesOutside ? select(isInside, weight, 0.0) : weight;
  };
  std::optional<double> count = taps.count.getConstant();
  bool normalizes = how.antialias || how.excludesOutside;
  std::optional<double> row;
  Number sum = 0;
  Tensor raw = tabulate(n, type, sizes, [&](const Loop &loop) {
    Number weight = weigh(loop.at[0], loop.at[1]);
    if (!normalizes || !count)
      return weight;
    if (!row || row != loop.at[0].getConstant()) {
      sum = 0;
      for (int64_t t = 0; t < *count; ++t)
        sum = sum + weigh(loop.at[0], double(t));
      row = loop.at[0].getConstant();
    }
    return weight / select(sum == 0.0, 1.0, sum);
  });
  if (!normalizes || count)
    return raw;
  Tensor sums = materialize(n, reduce(n, raw, 1, false, Reduction::Sum));
  Tensor source = materialize(n, raw);
  return compute(n, type, sizes, {}, [&](const Loop &loop) {
    Number sum = loop.read(sums, loop.at[0]);
    return loop.read(source, loop.at) / select(sum == 0.0, 1.0, sum);
  });
}

/// Column `t` of a table as an operand along an axis.
static Tensor getColumn(NodeBuilder &n, const Tensor &table, int64_t t,
                        const Axis &axis, int64_t rank) {
  if (auto numbers = getNumbers(table)) {
    int64_t columns = *table.dim(1);
    Tensor column =
        tabulate(n, table.type, axis.count, [&](const Loop &loop) -> Number {
          return (*numbers)[*loop.at[0].getConstant() * columns + t];
        });
    return alongAxis(n, column, axis.axis, rank);
  }
  Tensor column = sliceAxis(n, table, 1, n.ix.constant(t), n.ix.constant(1));
  return alongAxis(n, squeeze(n, column, 1), axis.axis, rank);
}

/// Resizes along one axis.
static Tensor resizeWeighted(NodeBuilder &n, const Resizing &how,
                             const Tensor &x, const Axis &axis) {
  Taps taps = getTaps(how, axis);
  ElementType type = x.type == ElementType::C64    ? ElementType::F32
                     : x.type == ElementType::C128 ? ElementType::F64
                                                   : x.type;
  Tensor weights = makeWeights(n, how, axis, taps, type);
  Tensor places =
      tabulate(n, ElementType::I64, weights.sizes, [&](const Loop &loop) {
        Number first = floor(getPosition(n, how, axis, loop.at[0])).toIndex();
        return clamp(first + taps.before + loop.at[1], 0.0,
                     number(n, axis.size) - 1.0);
      });
  Sizes sizes = x.sizes;
  sizes[axis.axis] = axis.count;
  Tensor source = materialize(n, x);
  std::optional<double> count = taps.count.getConstant();
  if (!count || *count > 4) {
    places = materialize(n, places);
    weights = materialize(n, weights);
    return combine(n, x.type, sizes, taps.count.getIndex(n.b, n.loc),
                   n.scalar(x.type, 0), [&](const Loop &loop, Number before) {
                     SmallVector<Number> place(loop.at), tap;
                     tap = {loop.at[axis.axis], place.pop_back_val()};
                     place[axis.axis] = loop.read(places, tap);
                     return before +
                            loop.read(weights, tap) * loop.read(source, place);
                   });
  }
  SmallVector<Tensor> columns;
  for (int64_t t = 0; t < *count; ++t)
    for (const Tensor &table : {places, weights})
      columns.push_back(getColumn(n, table, t, axis, x.rank()));
  return compute(n, x.type, sizes, columns, [&](const Loop &loop) {
    Number sum = 0;
    for (int64_t t = 0; t < *count; ++t) {
      SmallVector<Number> place(loop.at);
      place[axis.axis] = loop.in[2 * t];
      Number term = loop.in[2 * t + 1] * loop.read(source, place);
      sum = t == 0 ? term : sum + term;
    }
    return sum;
  });
}

/// The value outside of what tf_crop_and_resize reads.
static Tensor extrapolate(NodeBuilder &n, const Resizing &how, const Tensor &x,
                          ArrayRef<Axis> axes) {
  SmallVector<Tensor> operands{x};
  for (const Axis &axis : axes) {
    Tensor outside =
        tabulate(n, ElementType::Bool, axis.count, [&](const Loop &loop) {
          Number place = getPosition(n, how, axis, loop.at[0]);
          return place < 0.0 || number(n, axis.size).toFloat() - 1.0 < place;
        });
    operands.push_back(alongAxis(n, outside, axis.axis, x.rank()));
  }
  return compute(n, x.type, x.sizes, operands, [&](const Loop &loop) {
    Number isOutside = 0;
    for (Number one : ArrayRef(loop.in).drop_front())
      isOutside = isOutside || one;
    return select(isOutside, how.extrapolation, loop.in[0]);
  });
}

/// Floats as integers: rounded, and within the type's range.
static Tensor toType(NodeBuilder &n, const Tensor &x, ElementType type) {
  if (!isInteger(type))
    return castTo(n, x, type);
  unsigned width = getBitWidth(type);
  double low = isUnsigned(type) ? 0 : -std::ldexp(1.0, width - 1);
  double high = low + std::ldexp(1.0, width) - 1;
  Tensor fitted = compute(n, x.type, x.sizes, x, [&](const Loop &loop) {
    Number whole = roundEven(loop.in[0]);
    return width < 64 ? clamp(whole, low, high) : whole;
  });
  return castTo(n, fitted, type);
}

/// Numbers of an input, if it has elements.
static SmallVector<Number> readNumbers(NodeBuilder &n, unsigned input) {
  SmallVector<Number> numbers;
  if (n.has(input) && n.in(input).count() != 0)
    for (OpFoldResult element : n.elements(n.in(input)))
      numbers.push_back(number(n, n.in(input).type, element));
  return numbers;
}

/// Sizes by scales: products of floats, rounded down.
static void setScales(NodeBuilder &n, MutableArrayRef<Axis> axes,
                      ArrayRef<Number> scales) {
  for (auto [axis, scale] : llvm::zip_equal(axes, scales)) {
    axis.scale = scale.toFloat();
    if (scale.getConstant() &&
        !(*scale.getConstant() > 0 && *scale.getConstant() < 1e9))
      return n.fail("a scale is not positive, or too large");
    Number length = (axis.scale * number(n, axis.size).toFloat()).rounded();
    axis.count = floor(length).toIndex().getIndex(n.b, n.loc);
  }
}

static void setSizes(NodeBuilder &n, MutableArrayRef<Axis> axes,
                     ArrayRef<OpFoldResult> sizes) {
  StringRef policy = n.getString("keep_aspect_ratio_policy", "stretch");
  std::optional<Number> common;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes)) {
    axis.count = size;
    axis.scale = number(n, size).toFloat() / number(n, axis.size).toFloat();
    common = !common                  ? axis.scale
             : policy == "not_larger" ? min(*common, axis.scale)
                                      : max(*common, axis.scale);
  }
  if (policy == "stretch")
    return;
  for (Axis &axis : axes) {
    axis.scale = *common;
    Number length = *common * number(n, axis.size).toFloat();
    axis.count = floor(length + 0.5).toIndex().getIndex(n.b, n.loc);
  }
}

static void resize(NodeBuilder &n, const Resizing &how, ArrayRef<Axis> given) {
  Tensor x = n.in(0);
  SmallVector<Axis> axes;
  for (const Axis &axis : given) {
    bool isWhole = axis.start.getConstant() == 0 && axis.end.getConstant() == 1;
    if (axis.scale.getConstant() != 1 || axis.size != axis.count ||
        (how.crops() && !isWhole))
      axes.push_back(axis);
  }
  if (axes.empty())
    return n.set(0, x);
  if (how.isNearest()) {
    x = resizeNearest(n, how, x, axes);
    return n.set(0, how.crops() ? extrapolate(n, how, x, axes) : x);
  }
  // Averages of integers may be halves, which are rounded.
  bool isRounded = isInteger(x.type) || x.type == ElementType::Bool;
  x = castTo(n, x, isRounded ? ElementType::F64 : getAccumulator(x.type));
  for (const Axis &axis : axes)
    x = resizeWeighted(n, how, x, axis);
  if (how.crops())
    x = extrapolate(n, how, x, axes);
  n.set(0, toType(n, x, n.in(0).type));
}

/// The axes, each with its size.
static SmallVector<Axis> readResizedAxes(NodeBuilder &n) {
  auto every = llvm::to_vector(llvm::seq(n.in(0).rank()));
  SmallVector<Axis> axes;
  for (int64_t axis : n.axes(n.getInts("axes", every), n.in(0).rank()))
    axes.push_back({axis, n.in(0).sizes[axis], n.in(0).sizes[axis]});
  return axes;
}

/// Fails if a mode is none of those that there are.
static void checkModes(NodeBuilder &n, const Resizing &how) {
  if (!llvm::is_contained({"nearest", "linear", "cubic"}, how.mode))
    n.fail("its mode \"" + how.mode + "\" is none of the operator");
  if (!llvm::is_contained({"half_pixel", "pytorch_half_pixel", "asymmetric",
                           "align_corners", "half_pixel_symmetric",
                           "tf_crop_and_resize", "tf_half_pixel_for_nn"},
                          how.transformation))
    n.fail("its coordinate_transformation_mode \"" + how.transformation +
           "\" is none of the operator");
}

static void buildResize(NodeBuilder &n) {
  bool isOld = n.since() < 11;
  Resizing how;
  how.mode = n.getString("mode", "nearest");
  how.transformation =
      isOld ? "asymmetric"
            : n.getString("coordinate_transformation_mode", "half_pixel");
  how.nearest =
      isOld ? "simple" : n.getString("nearest_mode", "round_prefer_floor");
  how.antialias = n.getBool("antialias") && how.mode != "nearest";
  how.excludesOutside = n.getBool("exclude_outside");
  how.coefficient = n.getFloat("cubic_coeff_a", -0.75);
  how.extrapolation = n.getFloat("extrapolation_value", 0);
  checkModes(n, how);
  SmallVector<Axis> axes = readResizedAxes(n);
  if (n.failed())
    return;
  SmallVector<Number> scales = readNumbers(n, isOld ? 1 : 2);
  if (isOld && n.findAttr("scales"))
    for (float scale : n.getFloats("scales"))
      scales.push_back(double(scale));
  Sizes sizes;
  if (!isOld && n.has(3) && scales.empty())
    sizes = n.indices(n.in(3));
  if (how.crops()) {
    SmallVector<Number> region = readNumbers(n, 1);
    if (region.size() != 2 * axes.size())
      n.fail("its roi has not a start and an end for each axis");
    else
      for (auto [i, axis] : llvm::enumerate(axes)) {
        axis.start = region[i].toFloat();
        axis.end = region[axes.size() + i].toFloat();
      }
  }
  if (!n.failed() && scales.size() != axes.size() &&
      sizes.size() != axes.size())
    n.fail("its scales or sizes are not as many as its axes");
  if (n.failed())
    return;
  if (scales.empty())
    setSizes(n, axes, sizes);
  else
    setScales(n, axes, scales);
  for (const Axis &axis : axes)
    n.check(n.ix.less(n.ix.constant(-1), axis.count),
            "a size of its result is negative");
  if (n.failed())
    return;
  resize(n, how, axes);
}

void mlir::hetero::onnx::addResizing(OperatorTable &table) {
  table.add("Resize", {10, 11, 13, 18, 19}, buildResize);
  table.add("Upsample", {7, 9}, buildResize);
}
