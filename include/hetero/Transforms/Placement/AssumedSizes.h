//===- AssumedSizes.h - Sizes of arguments that nobody said -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_ASSUMEDSIZES_H
#define HETERO_TRANSFORMS_PLACEMENT_ASSUMEDSIZES_H

#include "hetero/Analysis/Placement/Explain/PlacementReport.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// A size that was assumed of a dimension of an argument.
struct AssumedSize {
  BlockArgument argument;
  int64_t dim, size;
  /// "its name", for example.
  StringRef why;
};

/// Writes `hetero.dynamic_sizes` on arguments of functions that lack it and
/// have a dynamic dimension: the batch of a network counts as 1, the side of an
/// image as 224, a sequence as 128. Which of these a dimension is, its name
/// says (`hetero.dimension_names`), else the operation that reads it: the batch
/// and the windows of a convolution, the batch of a contraction. Private
/// functions take the sizes of their first call. Nothing is written on a module
/// with `hetero.dynamic_size`, and no size that costs go by anyway. Returns
/// what was found.
SmallVector<AssumedSize, 0> assumeSizes(ModuleOp module);
/// Takes away what that wrote.
void forgetSizes(ArrayRef<AssumedSize> sizes);

/// The shapes that costs take dynamic arguments of public functions to have.
SmallVector<AssumedShape, 0> listAssumedShapes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_ASSUMEDSIZES_H
