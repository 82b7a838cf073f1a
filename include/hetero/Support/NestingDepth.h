//===- NestingDepth.h - How deep brackets are nested ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_NESTINGDEPTH_H
#define HETERO_SUPPORT_NESTINGDEPTH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::hetero {

/// Where and that the brackets of a program's text are nested deeper than a
/// parser follows, which runs out of stack there; empty if they are not.
std::string findDeepNesting(llvm::StringRef text);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_NESTINGDEPTH_H
