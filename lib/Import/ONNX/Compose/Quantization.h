//===- Quantization.h - Scaled integers -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are scaled integers, in the form in which products of them
// become products of integers, and products that are of integers already.

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_QUANTIZATION_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_QUANTIZATION_H

#include "../Emit/Contraction.h"
#include "../Emit/Reduction.h"

namespace mlir::hetero::onnx {

/// Scales and zero points: one, one for each place along an axis, or one for
/// each block of places along it.
struct Scales {
  Tensor scale;
  std::optional<Tensor> zero;
  int64_t axis = 1, block = 0;
};

/// The scales and zero point of two inputs, of which the last may be left out.
Scales readScales(NodeBuilder &n, unsigned scale, unsigned zero);

/// scale * (data - zero), computed as f32 unless the result is f64.
Tensor dequantize(NodeBuilder &n, const Tensor &data, const Scales &scales,
                  ElementType result);
/// What a quotient by the scale is rounded to before it is a whole number, and
/// whether floats of a byte saturate.
struct Rounding {
  ElementType precision = ElementType::F32;
  bool saturates = true;
};
/// x / scale + zero, rounded to the nearest even number and saturated.
Tensor quantize(NodeBuilder &n, const Tensor &x, const Scales &scales,
                ElementType result, const Rounding &rounding = {});
/// The integer of type `result` for a float: rounded, moved by a zero point
/// (a float, or null), saturated. nan is the least one.
Value roundTo(Scalars &s, Value real, Value zero, ElementType result);
/// The scale and the zero point of bytes for numbers of a tensor, whose range
/// is made to have 0 in it.
struct DynamicScales {
  Tensor scale, zero;
};
DynamicScales measureScales(NodeBuilder &n, const Tensor &x);
/// Sums times factors, which broadcast, as quantized numbers.
Tensor requantize(NodeBuilder &n, const Tensor &sums, const Tensor &factor,
                  const Tensor &zero);

/// True if all elements are known to be 0, as those of no tensor are.
bool isZero(NodeBuilder &n, const Tensor *tensor);
/// (lhs - lhsZero) * (rhs - rhsZero) in i32, of integers of at most 16 bits.
/// Zero points are null, one, or one for each row or column.
Tensor multiplyIntegers(NodeBuilder &n, Tensor lhs, const Tensor *lhsZero,
                        Tensor rhs, const Tensor *rhsZero);
/// The product of a matrix, which is rounded to bytes by its own range, with
/// scaled bytes. Their zero point may be null; it and their scale are one, or
/// one for each column.
Tensor multiplyMeasured(NodeBuilder &n, const Tensor &x, const Tensor &weights,
                        const Tensor &scale, const Tensor *zero);
/// The convolution of (x - zero) with (weights - weightsZero) in i32, added to
/// a bias, which may be null.
std::optional<Tensor> convolveIntegers(NodeBuilder &n, const Tensor &x,
                                       const Tensor *zero,
                                       const Tensor &weights,
                                       const Tensor *weightsZero,
                                       const Tensor *bias);
/// A vector of channels with dimensions after it, as it broadcasts to (N, C,
/// ...) of a rank; a scalar, or one number, as it is.
Tensor alignToChannels(NodeBuilder &n, const Tensor &tensor, int64_t rank);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_QUANTIZATION_H
