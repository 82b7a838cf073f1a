//===- FloatBits.h - Floats that are stored as bits -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Floats of a byte or less that are stored as their bits.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_FLOATBITS_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_FLOATBITS_H

#include "Scalars.h"

namespace mlir::hetero::onnx {

/// How numbers between two powers of two become one, for float8e8m0.
enum class PowerRounding { Up, Down, Nearest };

/// The f32 that bits (of type i8) of a format are.
Value decodeFloat(Scalars &s, Value bits, FloatType format);
/// The bits (of type i8) of the nearest number of a format, to even. With
/// `saturates`, what is too large is the largest, else infinite or nan.
Value encodeFloat(Scalars &s, Value value, FloatType format, bool saturates,
                  PowerRounding rounding = PowerRounding::Up);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_FLOATBITS_H
