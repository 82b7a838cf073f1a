//===- TosaPads.h - Pads of TOSA by a computed value ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_TOSAPADS_H
#define HETERO_TRANSFORMS_FRONTENDS_TOSAPADS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Turns each tosa.pad whose value is computed into tensor.pad.
void lowerComputedPads(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_TOSAPADS_H
