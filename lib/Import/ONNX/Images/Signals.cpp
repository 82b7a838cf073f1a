//===- Signals.cpp - Spectra and windows of signals -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Contraction.h"
#include "../OperatorTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// A transform of signals whose elements are `parts` numbers each.
struct Transform {
  OpFoldResult length, parts;
  bool isInverse, isOnesided;

  /// Real signals of half a spectrum.
  bool makesReal() const { return isInverse && isOnesided; }
  int64_t resultParts() const { return makesReal() ? 1 : 2; }
};
} // namespace

/// The matrix of a transform: (elements * parts, results * parts of these). An
/// entry is the cosine of a number of quarters of `length`, which is exact.
static Tensor makeMatrix(NodeBuilder &n, const Transform &how, ElementType type,
                         OpFoldResult elements, OpFoldResult results) {
  Number length = number(n, how.length), whole = length.toFloat();
  Number in = number(n, how.parts), out = double(how.resultParts());
  return tabulate(
      n, type,
      {n.ix.mul(elements, how.parts),
       n.ix.mul(results, n.ix.constant(how.resultParts()))},
      [&](const Loop &loop) {
        Number j = floorDiv(loop.at[0], in), p = floorMod(loop.at[0], in);
        Number k = floorDiv(loop.at[1], out), q = floorMod(loop.at[1], out);
        Number turn = floorMod(j * k, length) * 4.0;
        Number angle =
            (how.isInverse ? turn : Number(0) - turn) + (p - q) * length;
        Number entry = cos(angle.toFloat() * (M_PI / 2) / whole);
        if (how.isInverse)
          entry = entry / whole;
        // Each but the first and the middle one stands for its mirror image.
        if (how.makesReal())
          entry = entry * select(j == 0.0 || j * 2.0 == length, 1.0, 2.0);
        return entry;
      });
}

/// Transforms the last but one dimension of a signal, whose last one holds the
/// parts of its elements.
static Tensor transform(NodeBuilder &n, const Tensor &signal, Transform how) {
  Indices &ix = n.ix;
  int64_t place = signal.rank() - 2;
  OpFoldResult half =
      ix.add(ix.floorDiv(how.length, ix.constant(2)), ix.constant(1));
  OpFoldResult results = how.isOnesided && !how.isInverse ? half : how.length;
  OpFoldResult used =
      ix.min(signal.sizes[place], how.makesReal() ? half : how.length);
  Tensor rows = sliceAxis(n, signal, place, ix.constant(0), used);
  Sizes flat(ArrayRef(rows.sizes).drop_back(2));
  flat.push_back(ix.mul(used, how.parts));
  ElementType type = getAccumulator(signal.type);
  Tensor matrix = makeMatrix(n, how, type, used, results);
  Tensor product = matmul(n, castTo(n, reshape(n, rows, flat), type), matrix);
  Sizes sizes(ArrayRef(rows.sizes).drop_back(2));
  sizes.append({results, ix.constant(how.resultParts())});
  return castTo(n, reshape(n, product, sizes), signal.type);
}

/// The parts of a signal's elements, the last dimension; 1 after an error.
static OpFoldResult countParts(NodeBuilder &n, const Tensor &signal) {
  OpFoldResult one = n.ix.constant(1);
  OpFoldResult parts = signal.rank() < 2 ? one : signal.sizes.back();
  n.check(n.ix.equal(n.ix.max(n.ix.min(parts, n.ix.constant(2)), one), parts),
          "the last size of its input is neither 1 nor 2");
  return n.failed() ? one : parts;
}

static void buildDFT(NodeBuilder &n) {
  Tensor x = n.in(0);
  Transform how{
      {}, countParts(n, x), n.getBool("inverse"), n.getBool("onesided")};
  int64_t given = n.getInt("axis", n.since() >= 20 ? -2 : 1);
  if (n.has(2))
    given = readInt(n, n.in(2), "axis");
  int64_t axis = n.axis(given, x.rank());
  if (!n.failed() && axis == x.rank() - 1)
    n.fail("its axis is that of the parts of numbers");
  if (n.failed())
    return;
  if (n.has(1))
    how.length = readSize(n, 1);
  else if (how.makesReal())
    how.length =
        n.ix.mul(n.ix.sub(x.sizes[axis], n.ix.constant(1)), n.ix.constant(2));
  else
    how.length = x.sizes[axis];
  n.check(n.ix.less(n.ix.constant(0), how.length), "its transform is empty");
  // The axis moves before the parts, and back.
  SmallVector<int64_t> order, back;
  for (int64_t i = 0; i + 1 < x.rank(); ++i)
    if (i != axis)
      order.push_back(i);
  order.append({axis, x.rank() - 1});
  for (int64_t i = 0; i < x.rank(); ++i)
    back.push_back(llvm::find(order, i) - order.begin());
  if (!n.failed())
    n.set(0, transpose(n, transform(n, transpose(n, x, order), how), back));
}

/// Transforms of frames, times a window.
static void buildSTFT(NodeBuilder &n) {
  Tensor x = n.in(0);
  Indices &ix = n.ix;
  if (x.rank() == 2)
    x = unsqueeze(n, x, 2);
  Transform how{{}, countParts(n, x), false, n.getBool("onesided", true)};
  if (x.rank() != 3)
    n.fail("its signal has not 3 dimensions");
  OpFoldResult step = readSize(n, 1);
  if (n.has(3))
    how.length = readSize(n, 3);
  else if (n.has(2) && n.in(2).rank() == 1)
    how.length = n.in(2).sizes[0];
  else
    n.fail("it has neither a window nor a frame_length");
  if (n.failed())
    return;
  n.check(ix.less(ix.constant(0), step), "its frame_step is not positive");
  n.check(ix.less(ix.constant(0), how.length), "its frames are empty");
  if (n.failed())
    return;
  OpFoldResult count =
      ix.add(ix.floorDiv(ix.sub(x.sizes[1], how.length), step), ix.constant(1));
  n.check(ix.less(ix.constant(0), count),
          "its signal is shorter than its frames");
  Tensor frames = gatherAt(
      n, x, {x.sizes[0], count, how.length, x.sizes[2]}, [&](const Loop &loop) {
        return SmallVector<Number>{loop.at[0],
                                   loop.at[1] * loop.number(step) + loop.at[2],
                                   loop.at[3]};
      });
  if (n.has(2)) {
    Tensor window = n.in(2);
    window.sizes[0] = n.checkEqual(window.sizes[0], how.length,
                                   "its window is not as long as its frames");
    frames = mul(n, frames,
                 castTo(n, unsqueeze(n, materialize(n, window), 1), x.type));
  }
  if (!n.failed())
    n.set(0, transform(n, frames, how));
}

/// The type that an attribute names.
static ElementType readOutputType(NodeBuilder &n) {
  auto type = ElementType(n.getInt("output_datatype", 1));
  if (!isFloat(type) && !isInteger(type))
    n.fail("its output_datatype is no number");
  return type;
}

/// A sum of cosines: of no, one and two turns.
static void buildCosines(NodeBuilder &n, double none, double one, double two) {
  OpFoldResult size = readSize(n, 0);
  ElementType type = readOutputType(n);
  if (n.failed())
    return;
  Number length = number(n, size).toFloat();
  Number turn = n.getBool("periodic", true) ? length : length - 1.0;
  // Integers are cut.
  n.set(0, tabulate(n, type, size, [&](const Loop &loop) {
          Number angle = loop.at[0].toFloat() * (2 * M_PI) / turn;
          return cos(angle) * one + cos(angle * 2.0) * two + none;
        }));
}

/// A slope up to the center of each band and one down.
static void buildMelWeightMatrix(NodeBuilder &n) {
  OpFoldResult bands = readSize(n, 0), length = readSize(n, 1);
  Number rate = readScalar(n, 2).toFloat();
  Number low = readScalar(n, 3).toFloat(), high = readScalar(n, 4).toFloat();
  ElementType type = readOutputType(n);
  if (n.failed())
    return;
  auto toMel = [](Number hertz) {
    return log(hertz / 700.0 + 1.0) * (2595.0 / std::log(10.0));
  };
  Number first = toMel(low);
  Number step = (toMel(high) - first) / (number(n, bands).toFloat() + 2.0);
  // The bin of an edge.
  auto edge = [&](Number i) {
    Number mel = i.toFloat() * step + first;
    Number hertz = (exp(mel / 2595.0 * std::log(10.0)) - 1.0) * 700.0;
    return floor((number(n, length).toFloat() + 1.0) * hertz / rate);
  };
  OpFoldResult bins =
      n.ix.add(n.ix.floorDiv(length, n.ix.constant(2)), n.ix.constant(1));
  n.set(0, tabulate(n, type, {bins, bands}, [&](const Loop &loop) {
          Number j = loop.at[0].toFloat(), i = loop.at[1];
          Number left = edge(i), center = edge(i + 1.0), right = edge(i + 2.0);
          Number width = max(center - left, 1.0);
          Number up = select(left == center, 1.0, (j - left) / width);
          Number down = (right - j) / max(right - center, 1.0);
          Number isUp = left <= j && j <= center;
          Number isDown = center <= j && j < right;
          return select(isDown, down, select(isUp, up, 0.0));
        }));
}

void mlir::hetero::onnx::addSignals(OperatorTable &table) {
  table.add("DFT", {17, 20}, buildDFT);
  table.add("STFT", {17}, buildSTFT);
  table.add("HannWindow", {17},
            [](NodeBuilder &n) { buildCosines(n, 0.5, -0.5, 0); });
  table.add("HammingWindow", {17},
            [](NodeBuilder &n) { buildCosines(n, 25.0 / 46, -21.0 / 46, 0); });
  table.add("BlackmanWindow", {17},
            [](NodeBuilder &n) { buildCosines(n, 0.42, -0.5, 0.08); });
  table.add("MelWeightMatrix", {17}, buildMelWeightMatrix);
}
