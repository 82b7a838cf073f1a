//===- ExpandConversions.h - Floats that no integer holds -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_ARITHMETIC_EXPANDCONVERSIONS_H
#define HETERO_CODEGEN_ARITHMETIC_EXPANDCONVERSIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Conversions of floats to integers saturate: what an integer cannot hold
/// becomes its nearest number, and NaN becomes 0, on every processor. Signed
/// ones to fewer than 32 bits give the low bits of an i32.
void populateExpandConversionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_ARITHMETIC_EXPANDCONVERSIONS_H
