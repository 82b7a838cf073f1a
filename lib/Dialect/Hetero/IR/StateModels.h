//===- StateModels.h - Placement of state -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_STATEMODELS_H
#define HETERO_DIALECT_HETERO_IR_STATEMODELS_H

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Attaches the models of PlacementOpInterface when the dialects are loaded.
void registerStateModels(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_STATEMODELS_H
