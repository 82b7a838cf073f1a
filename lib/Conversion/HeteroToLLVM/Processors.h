//===- Processors.h - Functions for a processor -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_PROCESSORS_H
#define HETERO_CONVERSION_HETEROTOLLVM_PROCESSORS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Lets LLVM use the instructions of the processor that a function is for.
void applyProcessors(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_PROCESSORS_H
