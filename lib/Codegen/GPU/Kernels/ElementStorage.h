//===- ElementStorage.h - How elements lie in memory ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_ELEMENTSTORAGE_H
#define HETERO_CODEGEN_GPU_KERNELS_ELEMENTSTORAGE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::hetero {

/// How an element lies in memory: a byte for i1 and f8, 64 bits for index, a
/// vector of both parts for complex numbers.
Type getStorageType(Type element);

/// An element as it lies in memory as a body has it, and back. What is stored
/// becomes as narrow as the elements.
Value fromStorage(OpBuilder &builder, Location loc, Type element, Value value);
Value toStorage(OpBuilder &builder, Location loc, Type element, Value value);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_ELEMENTSTORAGE_H
