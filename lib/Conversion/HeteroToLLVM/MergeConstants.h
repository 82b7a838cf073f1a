//===- MergeConstants.h - Constants of the same bytes are one ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_MERGECONSTANTS_H
#define HETERO_CONVERSION_HETEROTOLLVM_MERGECONSTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {

/// By constant global: the first one of the same bytes.
using EqualConstants = llvm::MapVector<StringAttr, StringAttr>;

/// Finds the constants that hold the same bytes, whatever their types say.
EqualConstants findEqualConstants(ModuleOp module);

/// Keeps one of each, after the lowering to the llvm dialect.
void mergeConstants(ModuleOp module, const EqualConstants &equal);

/// Makes large constants arrays of bytes, which LLVM writes in one piece and
/// not element by element.
void writeConstantsAsBytes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_MERGECONSTANTS_H
