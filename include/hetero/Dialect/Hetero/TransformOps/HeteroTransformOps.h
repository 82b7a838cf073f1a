//===- HeteroTransformOps.h - Transform dialect ops -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations by which a schedule of the transform dialect reads and writes
// devices.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMOPS_HETEROTRANSFORMOPS_H
#define HETERO_DIALECT_HETERO_TRANSFORMOPS_HETEROTRANSFORMOPS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace mlir {
class DialectRegistry;

namespace hetero {
class Topology;
} // namespace hetero
} // namespace mlir

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/TransformOps/HeteroTransformOps.h.inc"

namespace mlir::hetero {

/// Adds the extension of the transform dialect.
void registerTransformDialectExtension(DialectRegistry &registry);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_TRANSFORMOPS_HETEROTRANSFORMOPS_H
