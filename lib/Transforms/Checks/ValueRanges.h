//===- ValueRanges.h - What integers are between ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_VALUERANGES_H
#define HETERO_TRANSFORMS_CHECKS_VALUERANGES_H

#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::hetero {

/// What an integer or the elements of a vector or tensor are between, as far as
/// the operations that make them tell, in and around regions.
ConstantIntRanges getRange(Value value, unsigned depth = 0);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_VALUERANGES_H
