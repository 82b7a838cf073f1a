//===- StateBuffers.h - State of a program as memory ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_STATEBUFFERS_H
#define HETERO_TRANSFORMS_BUFFERS_STATEBUFFERS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Turns the globals of ml_program, and what loads and stores them, into
/// memref.global and copies from and to it. Fails with an error on a global
/// without elements of its own.
LogicalResult putStateInBuffers(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_STATEBUFFERS_H
