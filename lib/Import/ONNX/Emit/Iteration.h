//===- Iteration.h - Loops over passes of a body ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Loops over passes of a body: Loop, Scan and the recurrent networks. The body
// is imported as often as it takes to find what stays the same in all passes:
// values, sizes, and contents that are known.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_ITERATION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_ITERATION_H

#include "Drafts.h"

namespace mlir::hetero::onnx {

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The results of one pass.
struct LoopPass {
  /// True, of type i1, if another pass follows.
  OpFoldResult goesOn;
  /// The values for the next pass, or the results.
  SmallVector<Tensor> carried;
  /// A slice of each result that has one for each pass.
  SmallVector<Tensor> slices;
};

/// Builds a pass at the builder's place; failure after an error.
using LoopBody = llvm::function_ref<FailureOr<LoopPass>(
    OpFoldResult number, ArrayRef<Tensor> carried)>;

struct LoopResults {
  SmallVector<Tensor> carried, stacked;
};

/// Builds a loop of at most `count` passes (not negative; null for any number)
/// while the condition, of type i1, holds. Ranks of carried values may differ
/// between passes if the number of these is a constant: the loop is unrolled.
FailureOr<LoopResults> loop(NodeBuilder &n, OpFoldResult count,
                            OpFoldResult condition, ArrayRef<Tensor> initial,
                            LoopBody body);
/// The tensor with a slice written at a place of its first dimension.
Tensor insertSlice(NodeBuilder &n, const Tensor &tensor, const Tensor &slice,
                   OpFoldResult place);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_ITERATION_H
