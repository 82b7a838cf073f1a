//===- VariantKernels.h - One kernel for all variants -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CONVERSION_HETEROTOGPU_VARIANTKERNELS_H
#define HETERO_LIB_CONVERSION_HETEROTOGPU_VARIANTKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Leaves one of the kernels that variants of a function have in common, and
/// returns how many are gone.
int64_t mergeVariantKernels(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_LIB_CONVERSION_HETEROTOGPU_VARIANTKERNELS_H
