//===- ExpandContractions.h - Contractions upstream refuses -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HOSTLOOPS_EXPANDCONTRACTIONS_H
#define HETERO_CONVERSION_HOSTLOOPS_EXPANDCONTRACTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Adds the patterns that give the operands of a vector.contract the element
/// type of its result, and that make those whose kind is not add products and a
/// vector.multi_reduction.
void populateExpandContractionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HOSTLOOPS_EXPANDCONTRACTIONS_H
