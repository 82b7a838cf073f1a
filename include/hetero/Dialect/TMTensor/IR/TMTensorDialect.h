//===- TMTensorDialect.h - The dialect tm_tensor ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that torch-mlir makes where linalg has none.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_TMTENSOR_IR_TMTENSORDIALECT_H
#define HETERO_DIALECT_TMTENSOR_IR_TMTENSORDIALECT_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h.inc"

#define GET_OP_CLASSES
#include "hetero/Dialect/TMTensor/IR/TMTensorOps.h.inc"

#endif // HETERO_DIALECT_TMTENSOR_IR_TMTENSORDIALECT_H
