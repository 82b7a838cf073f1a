//===- Factors.h - Products of sizes ----------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Products of sizes by their factors, so that equal products are seen.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_FACTORS_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_FACTORS_H

#include "../Indices.h"

namespace mlir::hetero::onnx {

/// True if the products are known to be equal.
bool haveEqualProducts(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs);
/// The quotient of two products; equal factors cancel. The remainder is 0, or
/// nobody asks for it.
OpFoldResult divideProducts(Indices &ix, ArrayRef<OpFoldResult> dividend,
                            ArrayRef<OpFoldResult> divisor);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_FACTORS_H
