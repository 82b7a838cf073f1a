//===- ExpandDots.h - Sums of narrow products -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HOSTLOOPS_EXPANDDOTS_H
#define HETERO_CONVERSION_HOSTLOOPS_EXPANDDOTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;

namespace hetero {

/// Makes instructions of each hetero.dot of a function, or arithmetic where its
/// processor has none.
void expandDots(Operation *root);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HOSTLOOPS_EXPANDDOTS_H
