//===- KeptElements.h - Destinations written in part ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_PASSES_KEPTELEMENTS_H
#define HETERO_CODEGEN_PASSES_KEPTELEMENTS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Makes every structured operation of a region that needs the old elements of
/// a destination read them in a way that upstream's rewrites and analyses see.
/// Returns the number of destinations.
int64_t readKeptElements(ExecuteOp region);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_PASSES_KEPTELEMENTS_H
