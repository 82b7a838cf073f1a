//===- ExpandPowers.h - Powers with integer exponents -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops for math.fpowi and math.ipowi, for which a gpu has no function that
// takes every type of exponent. Other than upstream's, which the host takes,
// these are no functions of their own.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_ARITHMETIC_EXPANDPOWERS_H
#define HETERO_CODEGEN_ARITHMETIC_EXPANDPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

void populateExpandPowersPatterns(RewritePatternSet &patterns);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_ARITHMETIC_EXPANDPOWERS_H
