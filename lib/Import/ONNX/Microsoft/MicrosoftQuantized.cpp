//===- MicrosoftQuantized.cpp - Quantized operators of com.microsoft ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Activation.h"
#include "../Compose/Normalization.h"
#include "../Compose/Quantization.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The floats that an input is, whose scale and zero point are after it.
static Tensor readReal(NodeBuilder &n, unsigned input) {
  return dequantize(n, n.in(input), readScales(n, input + 1, input + 2),
                    ElementType::F32);
}

/// Sets the result from floats, with a scale and a zero point of its own.
static void setQuantized(NodeBuilder &n, const Tensor &real, unsigned scale) {
  if (n.failed())
    return;
  Scales scales = readScales(n, scale, scale + 1);
  ElementType type = scales.zero ? scales.zero->type : n.in(0).type;
  if (!isInteger(type) || getBitWidth(type) > 16)
    return n.fail("its result has elements of type " + getName(type));
  n.set(0, quantize(n, real, scales, type));
}

template <Value (Scalars::*combine)(Value, Value)>
static void buildBinary(NodeBuilder &n) {
  Tensor lhs = readReal(n, 0), rhs = readReal(n, 3);
  setQuantized(n,
               elementwise(n, {lhs, rhs},
                           [](Scalars &s, ValueRange e) {
                             return (s.*combine)(e[0], e[1]);
                           }),
               6);
}

static void buildUnary(NodeBuilder &n) {
  const ActivationKind *kind = findActivation(n.op().drop_front(7));
  double alpha = n.getFloat("alpha", kind->alpha.value_or(0));
  setQuantized(
      n,
      map(n, readReal(n, 0),
          [&](ArrayRef<Number> e) { return kind->apply(e[0], alpha, 0); }),
      3);
}

/// Before opset 13, softmax is along all axes from one on.
static void buildSoftmax(NodeBuilder &n) {
  Tensor x = readReal(n, 0);
  int64_t opset = n.getInt("opset", 13);
  int64_t axis = n.getAxis("axis", opset < 13 ? 1 : -1, x.rank());
  if (x.rank() == 0)
    n.fail("its input has no dimensions");
  if (n.failed())
    return;
  if (opset >= 13)
    return setQuantized(n, softmax(n, x, axis), 3);
  ArrayRef<OpFoldResult> sizes = x.sizes;
  Tensor rows = reshape(n, x,
                        {n.ix.product(sizes.take_front(axis)),
                         n.ix.product(sizes.drop_front(axis))});
  setQuantized(n, reshape(n, softmax(n, rows, 1), sizes), 3);
}

/// Pools floats (N, C, ...), and moves channels that are last there and back.
static void setPooled(NodeBuilder &n,
                      llvm::function_ref<Tensor(const Tensor &x)> pool) {
  Tensor x = readReal(n, 0);
  if (x.rank() < 3)
    n.fail("its input has no spatial dimensions");
  if (n.failed())
    return;
  bool areLast = n.getBool("channels_last");
  Tensor made = pool(areLast ? moveChannels(n, x, true) : x);
  setQuantized(n, areLast ? moveChannels(n, made, false) : made, 3);
}

static void buildQLinearAveragePool(NodeBuilder &n) {
  setPooled(n, [&](const Tensor &x) {
    std::optional<Window> window = readPool(n, x);
    return window ? averagePool(n, x, *window) : x;
  });
}

static void buildGlobalAveragePool(NodeBuilder &n) {
  setPooled(n, [&](const Tensor &x) {
    return mean(n, x, llvm::to_vector(llvm::seq<int64_t>(2, x.rank())), true);
  });
}

static void buildNhwcMaxPool(NodeBuilder &n) {
  Tensor x = moveChannels(n, n.in(0), /*areLast=*/true);
  std::optional<Window> window = readPool(n, x);
  if (!window)
    return;
  Tensor padded =
      padForWindows(n, x, *window, getNeutral(n, x.type, Reduction::Max));
  Tensor made = pool(n, padded, *window, Reduction::Max);
  n.set(0, moveChannels(n, made, /*areLast=*/false));
}

static void buildQLinearConcat(NodeBuilder &n) {
  SmallVector<Tensor> parts;
  for (unsigned i = 2; i + 2 < n.numInputs(); i += 3)
    parts.push_back(readReal(n, i));
  if (parts.empty())
    return n.fail("it has no inputs");
  for (const Tensor &part : parts)
    if (part.rank() != parts[0].rank())
      return n.fail("its inputs have unlike ranks");
  int64_t axis = n.getAxis("axis", 0, parts[0].rank());
  if (!n.failed())
    n.set(0, quantize(n, concat(n, parts, axis), readScales(n, 0, 1),
                      n.in(1).type));
}

static void buildQLinearReduceMean(NodeBuilder &n) {
  Tensor x = readReal(n, 0);
  SmallVector<int64_t> axes =
      n.axes(n.getInts("axes", llvm::to_vector(llvm::seq(x.rank()))), x.rank());
  if (!n.failed())
    setQuantized(n, mean(n, x, axes, n.getBool("keepdims", true)), 3);
}

static void buildQLinearWhere(NodeBuilder &n) {
  Tensor yes = readReal(n, 1), no = readReal(n, 4);
  Tensor made = elementwise(
      n, {n.in(0), yes, no}, ElementType::F32,
      [](Scalars &s, ValueRange e) { return s.select(e[0], e[1], e[2]); });
  if (n.failed())
    return;
  n.set(0, quantize(n, made, readScales(n, 7, 8),
                    n.has(8) ? n.in(8).type : n.in(1).type));
}

/// A scale of one element, or of each column.
static Tensor readColumns(NodeBuilder &n, unsigned input) {
  const Tensor &scale = n.in(input);
  return scale.count() == 1 ? reshape(n, scale, {}) : scale;
}

/// Adds an input, unless it is left out.
static Tensor addBias(NodeBuilder &n, const Tensor &product, unsigned bias) {
  return n.has(bias) ? add(n, product, castTo(n, n.in(bias), product.type))
                     : product;
}

static void buildMatMulIntegerToFloat(NodeBuilder &n) {
  Tensor sums = multiplyIntegers(n, n.in(0), n.find(4), n.in(1), n.find(5));
  if (n.failed())
    return;
  Tensor left = readColumns(n, 2);
  Tensor factor = mul(n, left, readColumns(n, 3));
  n.set(0, addBias(n, mul(n, castTo(n, sums, left.type), factor), 6));
}

static void buildDynamicQuantizeMatMul(NodeBuilder &n) {
  Tensor product =
      multiplyMeasured(n, n.in(0), n.in(1), readColumns(n, 2), n.find(3));
  if (!n.failed())
    n.set(0, addBias(n, product, 4));
}

/// alpha * A' * B' + C, of quantized matrices; the result is of floats if it
/// has no zero point.
static void buildQGemm(NodeBuilder &n) {
  Tensor lhs = n.in(0), rhs = n.in(3);
  if (lhs.rank() != 2 || rhs.rank() != 2)
    return n.fail("its inputs are no matrices");
  if (n.getBool("transA"))
    lhs = transpose(n, lhs, {1, 0});
  if (n.getBool("transB"))
    rhs = transpose(n, rhs, {1, 0});
  Tensor sums = multiplyIntegers(n, lhs, n.find(2), rhs, n.find(5));
  if (n.has(6))
    sums = add(n, sums, castTo(n, n.in(6), sums.type));
  if (n.failed())
    return;
  Tensor factor = mul(n, readColumns(n, 1), readColumns(n, 4));
  factor = mul(n, factor, n.constant(factor.type, n.getFloat("alpha", 1)));
  if (!n.has(8))
    return n.set(0, mul(n, castTo(n, sums, factor.type), factor));
  n.set(0, requantize(n, sums, div(n, factor, readColumns(n, 7)),
                      readColumns(n, 8)));
}

/// Bytes as the numbers of `bits` bits in them, the lowest first.
static Tensor unpackBits(NodeBuilder &n, const Tensor &bytes, int64_t bits,
                         ArrayRef<OpFoldResult> sizes) {
  if (bits == 8)
    return reshape(n, bytes, sizes);
  ElementType type = bits == 4 ? ElementType::U4 : ElementType::U2;
  if (auto resource =
          dyn_cast_or_null<DenseResourceElementsAttr>(bytes.constant)) {
    // As one of the file that is packed.
    Tensor made(type, Sizes(sizes));
    made.packed = DenseResourceElementsAttr::get(
        RankedTensorType::get(*bytes.count(), n.storage(bytes.type)),
        resource.getRawHandle());
    made.name = bytes.name;
    return made;
  }
  return n.make(type, sizes, n.unpack(n.value(flatten(n, bytes)), type, sizes));
}

/// The zero points of blocks (N, count): packed, as floats, or none.
static Tensor readBlockZeros(NodeBuilder &n, int64_t columns, int64_t count,
                             int64_t bits) {
  if (!n.has(3))
    return n.constantInt(ElementType::U8, int64_t(1) << (bits - 1));
  const Tensor &given = n.in(3);
  bool isPacked = given.type == ElementType::U8;
  int64_t width = isPacked ? llvm::divideCeil(count * bits, 8) : count;
  n.checkEqual(n.ix.product(given.sizes), n.ix.constant(columns * width),
               "its zero points do not fit its blocks");
  if (n.failed())
    return given;
  OpFoldResult rows = n.ix.constant(columns);
  if (!isPacked)
    return reshape(n, given, {rows, n.ix.constant(width)});
  Sizes sizes{rows, n.ix.constant(width * 8 / bits)};
  return sliceAxis(n, unpackBits(n, given, bits, sizes), 1, n.ix.constant(0),
                   n.ix.constant(count));
}

/// A product with weights (N, blocks, bytes) of a few bits, each block with a
/// scale and a zero point.
static void buildMatMulNBits(NodeBuilder &n) {
  int64_t bits = n.getInt("bits", 4), block = n.getInt("block_size", 0);
  int64_t inner = n.getInt("K", 0), columns = n.getInt("N", 0);
  if ((bits != 2 && bits != 4 && bits != 8) || block < 1 || inner < 1 ||
      columns < 1 || block * bits % 8)
    return n.fail("its bits, block_size, K and N do not fit each other");
  const Tensor &packed = n.in(1), &scale = n.in(2);
  int64_t count = llvm::divideCeil(inner, block);
  auto sizesOf = [&](ArrayRef<int64_t> numbers) {
    return Sizes(llvm::map_range(
        numbers, [&](int64_t number) { return n.ix.constant(number); }));
  };
  Sizes bytes = sizesOf({columns, count, block * bits / 8});
  Sizes blocks = sizesOf({columns, count});
  n.checkEqual(n.ix.product(packed.sizes), n.ix.product(bytes),
               "its weights do not fit K and N");
  n.checkEqual(n.ix.product(scale.sizes), n.ix.product(blocks),
               "its scales do not fit K and N");
  if (packed.type != ElementType::U8)
    n.fail("its weights are no bytes");
  Tensor zeros = readBlockZeros(n, columns, count, bits);
  if (n.failed())
    return;
  Tensor numbers =
      unpackBits(n, packed, bits, sizesOf({columns, count * block}));
  if (isFloat(zeros.type))
    numbers = castTo(n, numbers, zeros.type);
  OpFoldResult none = n.ix.constant(0), depth = n.ix.constant(inner);
  Scales scales{reshape(n, scale, blocks), zeros, 1, block};
  if (n.has(4)) {
    // Each column names its group, which then is a block of one.
    if (n.in(4).rank() != 1)
      return n.fail("its g_idx is no vector");
    Tensor groups = sliceAxis(n, n.in(4), 0, none, depth);
    numbers = sliceAxis(n, numbers, 1, none, depth);
    scales = {takeAt(n, scales.scale, groups, 1), zeros, 1, 1};
    if (zeros.rank() == 2)
      scales.zero = takeAt(n, zeros, groups, 1);
  }
  Tensor weights = dequantize(n, numbers, scales, n.in(0).type);
  weights = sliceAxis(n, weights, 1, none, depth);
  Tensor made = matmul(n, n.in(0), transpose(n, weights, {1, 0}));
  if (n.has(5))
    made = add(n, made, castTo(n, n.in(5), made.type));
  if (!n.failed())
    n.set(0, castTo(n, made, n.in(0).type));
}

void mlir::hetero::onnx::addMicrosoftQuantized(OperatorTable &table) {
  auto add = [&](StringRef name, OperatorFunction build) {
    table.add(name, {1}, build, kMicrosoft);
  };
  add("QLinearAdd", buildBinary<&Scalars::add>);
  add("QLinearMul", buildBinary<&Scalars::mul>);
  add("QLinearLeakyRelu", buildUnary);
  add("QLinearSigmoid", buildUnary);
  add("QLinearSoftmax", buildSoftmax);
  add("QLinearAveragePool", buildQLinearAveragePool);
  add("QLinearGlobalAveragePool", buildGlobalAveragePool);
  add("NhwcMaxPool", buildNhwcMaxPool);
  add("QLinearConcat", buildQLinearConcat);
  add("QLinearReduceMean", buildQLinearReduceMean);
  add("QLinearWhere", buildQLinearWhere);
  add("MatMulIntegerToFloat", buildMatMulIntegerToFloat);
  add("DynamicQuantizeMatMul", buildDynamicQuantizeMatMul);
  add("QGemm", buildQGemm);
  add("MatMulNBits", buildMatMulNBits);
}
