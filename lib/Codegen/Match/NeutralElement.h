//===- NeutralElement.h - Neutral elements of reductions --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_MATCH_NEUTRALELEMENT_H
#define HETERO_CODEGEN_MATCH_NEUTRALELEMENT_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::hetero {

/// The value that a combining operation leaves every other as it is with; null
/// if there is none. Unlike upstream's, that of arith.addf is -0.0, since 0.0
/// turns a sum of negative zeros into a positive one, and an index has one too.
TypedAttr getNeutralElement(Operation *combiner);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_MATCH_NEUTRALELEMENT_H
