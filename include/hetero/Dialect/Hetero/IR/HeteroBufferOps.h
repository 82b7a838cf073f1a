//===- HeteroBufferOps.h - Buffers and who owns them ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_H
#define HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// Unit attribute on an argument of an entry point: the caller gives its buffer
/// away, so that a result may be in it.
inline constexpr llvm::StringLiteral kDonatedAttrName = "hetero.donated";

/// On an argument or result of an entry point: the element type that callers
/// see, where the sign of integers has been erased.
inline constexpr llvm::StringLiteral kElementTypeAttrName =
    "hetero.element_type";

/// On kernels and launches: the numbers of arguments that are tensor maps,
/// which are passed as their 128 bytes.
inline constexpr llvm::StringLiteral kTensorMapsAttrName = "hetero.tensor_maps";

/// True for an argument of a function that is donated.
inline bool isDonated(FunctionOpInterface function, unsigned index) {
  return static_cast<bool>(function.getArgAttr(index, kDonatedAttrName));
}

} // namespace mlir::hetero

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h.inc"

#endif // HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_H
