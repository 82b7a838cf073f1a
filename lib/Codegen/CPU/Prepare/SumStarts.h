//===- SumStarts.h - What sums start from ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_SUMSTARTS_H
#define HETERO_CODEGEN_CPU_PREPARE_SUMSTARTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Sums of products start in registers: each has a fill of its own, and what
/// else one starts from, such as a bias, is added to it afterwards.
LogicalResult separateStarts(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_SUMSTARTS_H
