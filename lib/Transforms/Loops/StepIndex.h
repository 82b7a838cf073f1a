//===- StepIndex.h - The number of a loop's step ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_LOOPS_STEPINDEX_H
#define HETERO_TRANSFORMS_LOOPS_STEPINDEX_H

#include "mlir/IR/Value.h"

namespace mlir::hetero {

/// The value that an integer is equal to in all iterations, without clamps,
/// wrap-arounds and conversions that the ranges of loops make superfluous. Its
/// type may be another.
Value simplifyIndex(Value value);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_LOOPS_STEPINDEX_H
