//===- GuardArcTangents.h - Arc tangents that fold right --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_GUARDARCTANGENTS_H
#define HETERO_TRANSFORMS_CHECKS_GUARDARCTANGENTS_H

namespace mlir {
class Operation;

namespace hetero {

/// Keeps each math.atan2 on scalars or vectors within `root` from having two
/// zeros as operands, which upstream folds to NaN: the second one becomes 1
/// with the zero's sign, after which the result is the same.
void guardArcTangents(Operation *root);

} // namespace hetero
} // namespace mlir

#endif // HETERO_TRANSFORMS_CHECKS_GUARDARCTANGENTS_H
