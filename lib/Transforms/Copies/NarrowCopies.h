//===- NarrowCopies.h - Copy the part that is used --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_COPIES_NARROWCOPIES_H
#define HETERO_TRANSFORMS_COPIES_NARROWCOPIES_H

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// True for operations that change or read a part of a tensor: a module without
/// them has nothing to narrow.
bool takesSlices(Operation *op);

/// A glance at what makes and reads the copy: false for most.
bool mayNarrow(CopyOp copy);

/// Replaces those of `copies` of which only slices are used, or which return a
/// value with only slices changed, by copies of the slices, where that takes
/// less time on the links. Returns how many it replaced; they are erased. Then
/// what only they read may be unused, a slice may be copied twice, and more may
/// be narrowed.
unsigned narrowCopies(ModuleOp module, ArrayRef<CopyOp> copies,
                      function_ref<const BlockTree &()> getTree);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_COPIES_NARROWCOPIES_H
