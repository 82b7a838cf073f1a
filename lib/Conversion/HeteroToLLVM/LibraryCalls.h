//===- LibraryCalls.h - Calls of libraries by the runtime -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_LIBRARYCALLS_H
#define HETERO_CONVERSION_HETEROTOLLVM_LIBRARYCALLS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;

namespace hetero {

/// Adds the patterns that turn calls of libraries into calls of the runtime.
void populateLibraryCallPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns);

/// Begins the symbols of the pointers that libraries keep something at.
inline constexpr llvm::StringLiteral kLibraryStatePrefix =
    "__hetero_library_state_";

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HETEROTOLLVM_LIBRARYCALLS_H
