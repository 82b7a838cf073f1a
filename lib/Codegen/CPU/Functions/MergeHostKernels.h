//===- MergeHostKernels.h - Equal kernels as functions ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_FUNCTIONS_MERGEHOSTKERNELS_H
#define HETERO_CODEGEN_CPU_FUNCTIONS_MERGEHOSTKERNELS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::hetero {

/// Generates the code of all regions that have been prepared. What several of
/// them have in common, or one has several times, is a function of its own that
/// hetero.invoke calls.
LogicalResult generatePreparedRegions(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_FUNCTIONS_MERGEHOSTKERNELS_H
