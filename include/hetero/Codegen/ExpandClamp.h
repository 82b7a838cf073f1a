//===- ExpandClamp.h - Expands math.clampf ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_EXPANDCLAMP_H
#define HETERO_CODEGEN_EXPANDCLAMP_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Adds the pattern that makes math.clampf a maximum and a minimum.
void populateExpandClampPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_EXPANDCLAMP_H
