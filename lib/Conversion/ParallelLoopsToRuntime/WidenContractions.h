//===- WidenContractions.h - Contractions of mixed types --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CONVERSION_PARALLELLOOPSTORUNTIME_WIDENCONTRACTIONS_H
#define HETERO_LIB_CONVERSION_PARALLELLOOPSTORUNTIME_WIDENCONTRACTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Adds the pattern that converts the operands of a vector.contract to the
/// element type of its result.
void populateWidenContractionPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_LIB_CONVERSION_PARALLELLOOPSTORUNTIME_WIDENCONTRACTIONS_H
