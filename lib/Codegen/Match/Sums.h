//===- Sums.h - Results that are sums ---------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_MATCH_SUMS_H
#define HETERO_CODEGEN_MATCH_SUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// True if the body has result `result` in f32, as its old value with something
/// added, or with several things, one after the other, or under a condition.
bool isFloatSum(linalg::LinalgOp op, unsigned result);

/// Numbers that are added up in f32 where memory is what takes time, before
/// their sum is added to that of others in f64: with what lanes or threads add
/// to that, no more roundings than a pairwise sum has that begins with 128.
inline constexpr int64_t kSumSteps = 16;
/// The same of products that share registers with many others, and the most
/// that is added up in f32 alone.
inline constexpr int64_t kProductSteps = 512, kMaxProductSteps = 1024;

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_MATCH_SUMS_H
