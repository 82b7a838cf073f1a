//===- TosaControlFlow.h - Types of TOSA's control flow ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_TOSACONTROLFLOW_H
#define HETERO_TRANSFORMS_FRONTENDS_TOSACONTROLFLOW_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes the types of each value that goes through branches, loops and
/// variables of TOSA one type, and conditions scalars, as the control flow that
/// they are lowered to wants them. Fails with an error where there is no such
/// type.
LogicalResult completeTosaTypes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_TOSACONTROLFLOW_H
