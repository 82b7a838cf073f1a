//===- StructuredChecks.h - Sizes of structured operations ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_TRANSFORMS_CHECKS_STRUCTUREDCHECKS_H
#define HETERO_LIB_TRANSFORMS_CHECKS_STRUCTUREDCHECKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

class SizeAssertions;

/// Asserts that the sizes of all operands belong together.
void checkStructured(SizeAssertions &checks, linalg::LinalgOp op);

/// Asserts that tiles have elements, and make up what is packed and unpacked.
void checkPack(SizeAssertions &checks, linalg::PackOp op);
void checkUnPack(SizeAssertions &checks, linalg::UnPackOp op);

} // namespace mlir::hetero

#endif // HETERO_LIB_TRANSFORMS_CHECKS_STRUCTUREDCHECKS_H
