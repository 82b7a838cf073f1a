//===- ExpandMath.h - What no lowering has code for -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_ARITHMETIC_EXPANDMATH_H
#define HETERO_CODEGEN_ARITHMETIC_EXPANDMATH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Clamps and classes of floats (infinite, normal) become arithmetic.
void populateExpandMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_ARITHMETIC_EXPANDMATH_H
