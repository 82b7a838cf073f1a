//===- HeteroStreamOps.h - Streams and transfers ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_H
#define HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h.inc"

#endif // HETERO_DIALECT_HETERO_IR_HETEROSTREAMOPS_H
