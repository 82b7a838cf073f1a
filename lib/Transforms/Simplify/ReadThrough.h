//===- ReadThrough.h - What broadcasts are made of --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_READTHROUGH_H
#define HETERO_TRANSFORMS_SIMPLIFY_READTHROUGH_H

#include "ConstantElements.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// A tensor that another one repeats or transposes: the element of the latter
/// at some place is that of `source` at `map` of the place.
struct ReadTensor {
  Value source;
  AffineMap map;
};

/// What `value` at the places of `map` is a copy of, through operations that
/// only move elements; the value itself if nothing does. Operations that
/// `mayPass` refuses are not looked through.
ReadTensor readThrough(Value value, AffineMap map,
                       llvm::function_ref<bool(Operation *)> mayPass);

/// The scalar that fills the whole tensor; null if its elements differ.
Value getSplatScalar(Value tensor);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_READTHROUGH_H
