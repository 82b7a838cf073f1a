//===- FiltersToLanes.h - Constant filters along the vectors ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_LAYOUT_FILTERSTOLANES_H
#define HETERO_CODEGEN_CPU_LAYOUT_FILTERSTOLANES_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Computes sums of products with constants in an order of the result's
/// dimensions in which the constants fill the vectors, where the elements that
/// are next to each other in the result do not.
LogicalResult moveFiltersToLanes(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_FILTERSTOLANES_H
