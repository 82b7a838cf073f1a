//===- Quantization.cpp - Quantized operators -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Quantization.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The scales of inputs 1 and 2 along the attributes' axis.
static Scales readAxisScales(NodeBuilder &n) {
  Scales scales = readScales(n, 1, 2);
  scales.axis = n.getInt("axis", 1);
  scales.block = n.getInt("block_size", 0);
  if (scales.zero && scales.zero->rank() != scales.scale.rank() &&
      scales.zero->count() != 1)
    n.fail("its scale has " + Twine(scales.scale.rank()) +
           " dimensions, and its zero point " + Twine(scales.zero->rank()));
  return scales;
}

static void buildQuantizeLinear(NodeBuilder &n) {
  Scales scales = readAxisScales(n);
  auto given = ElementType(n.getInt("output_dtype", 0));
  ElementType result = scales.zero                       ? scales.zero->type
                       : given == ElementType::Undefined ? ElementType::U8
                                                         : given;
  if (given != ElementType::Undefined && given != result)
    n.fail("its output_dtype is not the type of its zero point");
  if (!n.storage(result) || getBitWidth(result) > 16 ||
      (!isInteger(result) && !isFloat(result)))
    n.fail("elements of type " + getName(result) + " are not quantized");
  Rounding rounding;
  rounding.saturates = n.getBool("saturate", true);
  rounding.precision = ElementType(n.getInt("precision", 0));
  if (rounding.precision == ElementType::Undefined)
    // Scales that are powers of two have no quotients of their type.
    rounding.precision = isInteger(scales.scale.type) ? ElementType::F64
                         : getBitWidth(scales.scale.type) < 16
                             ? ElementType::F32
                             : scales.scale.type;
  if (!isFloat(rounding.precision) || getBitWidth(rounding.precision) < 16)
    n.fail("its precision is no type of quotients");
  if (!n.failed())
    n.set(0, quantize(n, n.in(0), scales, result, rounding));
}

static void buildDequantizeLinear(NodeBuilder &n) {
  Scales scales = readAxisScales(n);
  auto result = ElementType(n.getInt("output_dtype", 0));
  if (result == ElementType::Undefined)
    result = scales.scale.type;
  if (!isFloat(result))
    n.fail("its output_dtype is no type of floats");
  if (scales.zero && isInteger(n.in(0).type) &&
      scales.zero->type != n.in(0).type)
    n.fail("its zero point has elements of type " + getName(scales.zero->type));
  if (!n.failed())
    n.set(0, dequantize(n, n.in(0), scales, result));
}

static void buildDynamicQuantizeLinear(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  DynamicScales scales = measureScales(n, x);
  n.set(0, quantize(n, x, {scales.scale, scales.zero}, ElementType::U8));
  n.set(1, scales.scale);
  n.set(2, scales.zero);
}

static void buildMatMulInteger(NodeBuilder &n) {
  const Tensor *left = n.find(2);
  const Tensor *right = n.find(3);
  n.set(0, multiplyIntegers(n, n.in(0), left, n.in(1), right));
}

static void buildConvInteger(NodeBuilder &n) {
  const Tensor *zero = n.find(2);
  const Tensor *weightsZero = n.find(3);
  if (auto made =
          convolveIntegers(n, n.in(0), zero, n.in(1), weightsZero, nullptr))
    n.set(0, *made);
}

/// The factor from sums to results: left * right / result.
static Tensor joinScales(NodeBuilder &n, const Tensor &left,
                         const Tensor &right, const Tensor &result) {
  auto wide = [&](const Tensor &scale) {
    return castTo(n, scale, ElementType::F32);
  };
  return div(n, mul(n, wide(left), wide(right)), wide(result));
}

/// Scales or zero points of the rows of a matrix.
static Tensor alignToRows(NodeBuilder &n, const Tensor &tensor) {
  if (tensor.count() == 1)
    return reshape(n, tensor, {});
  return tensor.rank() == 1 ? unsqueeze(n, tensor, 1) : tensor;
}

static void buildQLinearMatMul(NodeBuilder &n) {
  if (!isInteger(n.in(0).type) || !isInteger(n.in(3).type) ||
      !isInteger(n.in(7).type)) {
    // Floats of a byte: their products are no integers.
    auto read = [&](unsigned input, int64_t axis) {
      Scales scales = readScales(n, input + 1, input + 2);
      scales.axis = axis;
      return dequantize(n, n.in(input), scales, ElementType::F32);
    };
    Tensor product = matmul(n, read(0, -2), read(3, -1));
    Scales scales = readScales(n, 6, 7);
    scales.axis = -2;
    if (!n.failed())
      n.set(0, quantize(n, product, scales, n.in(7).type));
    return;
  }
  Tensor sums = multiplyIntegers(n, n.in(0), &n.in(2), n.in(3), &n.in(5));
  if (n.failed())
    return;
  Tensor right = n.in(4).count() == 1 ? reshape(n, n.in(4), {}) : n.in(4);
  Tensor factor =
      joinScales(n, alignToRows(n, n.in(1)), right, alignToRows(n, n.in(6)));
  n.set(0, requantize(n, sums, factor, alignToRows(n, n.in(7))));
}

/// That of com.microsoft may have its channels last.
static void buildQLinearConv(NodeBuilder &n) {
  const Tensor *bias = n.find(8);
  bool areLast = n.getBool("channels_last");
  Tensor x = areLast ? moveChannels(n, n.in(0), true) : n.in(0);
  auto sums = convolveIntegers(n, x, &n.in(2), n.in(3), &n.in(5), bias);
  if (!sums)
    return;
  auto one = [&](const Tensor &tensor) {
    if (tensor.count() != 1)
      n.fail("its input or its result has more than one scale");
    return n.failed() ? tensor : reshape(n, tensor, {});
  };
  Tensor weights = alignToChannels(n, n.in(4), n.in(0).rank());
  Tensor factor = joinScales(n, one(n.in(1)), weights, one(n.in(6)));
  Tensor zero = one(n.in(7));
  if (n.failed())
    return;
  Tensor made = requantize(n, *sums, factor, zero);
  n.set(0, areLast ? moveChannels(n, made, false) : made);
}

void mlir::hetero::onnx::addQuantization(OperatorTable &table) {
  table.add("QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
            buildQuantizeLinear);
  table.add("DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
            buildDequantizeLinear);
  table.add("QuantizeLinear", {1}, buildQuantizeLinear, kMicrosoft);
  table.add("DequantizeLinear", {1}, buildDequantizeLinear, kMicrosoft);
  table.add("DynamicQuantizeLinear", {11}, buildDynamicQuantizeLinear);
  table.add("MatMulInteger", {10}, buildMatMulInteger);
  table.add("ConvInteger", {10}, buildConvInteger);
  table.add("QLinearMatMul", {10, 21}, buildQLinearMatMul);
  table.add("QLinearConv", {10}, buildQLinearConv);
  table.add("QLinearConv", {1}, buildQLinearConv, kMicrosoft);
}
