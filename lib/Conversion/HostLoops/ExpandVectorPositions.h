//===- ExpandVectorPositions.h - Places in vectors --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HOSTLOOPS_EXPANDVECTORPOSITIONS_H
#define HETERO_CONVERSION_HOSTLOOPS_EXPANDVECTORPOSITIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Patterns for vector.extract and vector.insert at a place that is known at
/// run time only, in a dimension other than the last: upstream lowers these
/// dimensions to arrays of the llvm dialect, whose places are constants.
void populateExpandVectorPositionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HOSTLOOPS_EXPANDVECTORPOSITIONS_H
