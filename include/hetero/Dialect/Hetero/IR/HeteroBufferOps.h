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

/// True for an argument of a function that is donated.
inline bool isDonated(FunctionOpInterface function, unsigned index) {
  return static_cast<bool>(function.getArgAttr(index, kDonatedAttrName));
}

} // namespace mlir::hetero

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h.inc"

#endif // HETERO_DIALECT_HETERO_IR_HETEROBUFFEROPS_H
