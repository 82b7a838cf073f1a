//===- HeteroKernelOps.h - Calls of kernels of the host ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_HETEROKERNELOPS_H
#define HETERO_DIALECT_HETERO_IR_HETEROKERNELOPS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h.inc"

#endif // HETERO_DIALECT_HETERO_IR_HETEROKERNELOPS_H
