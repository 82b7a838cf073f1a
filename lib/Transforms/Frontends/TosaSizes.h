//===- TosaSizes.h - What types of TOSA say of sizes ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_TRANSFORMS_FRONTENDS_TOSASIZES_H
#define HETERO_LIB_TRANSFORMS_FRONTENDS_TOSASIZES_H

#include "mlir/IR/Builders.h"

namespace mlir::hetero {

/// The value, or a cast of it to another type.
Value castTo(OpBuilder &builder, Value value, Type type);

/// Gives the value another type, and its users what they had.
void changeType(Value value, Type type);

/// Lets the types of an operation's operand and result say the same sizes,
/// where it makes one element of each and upstream's folds take one for the
/// other.
void agreeOnSizes(Operation *op);

} // namespace mlir::hetero

#endif // HETERO_LIB_TRANSFORMS_FRONTENDS_TOSASIZES_H
