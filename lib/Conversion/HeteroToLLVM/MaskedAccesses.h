//===- MaskedAccesses.h - Masked accesses of narrow floats ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_MASKEDACCESSES_H
#define HETERO_CONVERSION_HETEROTOLLVM_MASKEDACCESSES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes masked loads and stores of bf16 those of integers of the same bits.
void accessNarrowFloatsAsIntegers(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_MASKEDACCESSES_H
