//===- RuntimeCalls.h - Operations as calls of the runtime ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_RUNTIMECALLS_H
#define HETERO_CONVERSION_HETEROTOLLVM_RUNTIMECALLS_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;

namespace hetero {

/// Adds the patterns that turn allocations, device operations and hetero
/// operations into calls of the runtime.
void populateRuntimeCallPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HETEROTOLLVM_RUNTIMECALLS_H
