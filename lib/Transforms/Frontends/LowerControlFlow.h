//===- LowerControlFlow.h - Loops and branches of front ends ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_LOWERCONTROLFLOW_H
#define HETERO_TRANSFORMS_FRONTENDS_LOWERCONTROLFLOW_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Lowers the operations of affine and TOSA for which `isRoot` is true, loops,
/// branches and variables, to scf and ml_program, and what of affine stands in
/// them. What replaces an operation takes its annotations over. Returns how
/// many there were.
FailureOr<int64_t> lowerControlFlow(ModuleOp module,
                                    function_ref<bool(Operation *)> isRoot);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_LOWERCONTROLFLOW_H
