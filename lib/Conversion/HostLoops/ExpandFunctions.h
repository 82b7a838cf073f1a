//===- ExpandFunctions.h - Approximates functions ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HOSTLOOPS_EXPANDFUNCTIONS_H
#define HETERO_CONVERSION_HOSTLOOPS_EXPANDFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Adds the patterns that make math.exp and math.erf of f32 polynomials.
void populateExpandFunctionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HOSTLOOPS_EXPANDFUNCTIONS_H
