//===- ExpandElementTypes.h - Arithmetic on f8 and complex ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_ARITHMETIC_EXPANDELEMENTTYPES_H
#define HETERO_CODEGEN_ARITHMETIC_EXPANDELEMENTTYPES_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
class Type;

namespace hetero {

/// True for the floats of 8 bits that arithmetic is made for.
bool isFloat8(Type type);

/// Makes arithmetic on f8 arithmetic on f32 between conversions, conversions
/// from and to f8 integer arithmetic, and operations on complex numbers
/// operations on their parts. Changes nothing in code without such types.
LogicalResult expandElementTypes(Operation *root);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_ARITHMETIC_EXPANDELEMENTTYPES_H
