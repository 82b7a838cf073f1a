//===- StateOnBuffers.h - State in buffers as state on tensors --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_STATEONBUFFERS_H
#define HETERO_TRANSFORMS_FRONTENDS_STATEONBUFFERS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes each memref.global that is private, not constant, and only read and
/// written as a whole tensor a global of ml_program, whose uses are operations
/// on tensors. Returns how many there were.
int64_t liftStateFromBuffers(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_STATEONBUFFERS_H
