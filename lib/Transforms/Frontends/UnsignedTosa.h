//===- UnsignedTosa.h - TOSA on unsigned elements ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_UNSIGNEDTOSA_H
#define HETERO_TRANSFORMS_FRONTENDS_UNSIGNEDTOSA_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Rewrites the operations of TOSA that work on unsigned elements so that they
/// compute the same when the elements are taken for signed ones. Fails with an
/// error on an operation that has no such form.
LogicalResult makeUnsignedTosaSigned(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_UNSIGNEDTOSA_H
