//===- Ranges.h - Ranges of dimensions --------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Ranges of dimensions, forwards and backwards, as Slice and Split take them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_RANGES_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_RANGES_H

#include "Layout.h"

namespace mlir::hetero::onnx {

/// What is taken of one dimension: `size` elements from `start` on, each `step`
/// (not 0) after the other.
struct AxisRange {
  OpFoldResult start, size;
  int64_t step = 1;
};

/// The range from a start to an end, as in Python: negative ones count from the
/// end, and what is outside is cut.
AxisRange makeRange(NodeBuilder &n, OpFoldResult start, OpFoldResult end,
                    int64_t step, OpFoldResult size);
/// All of each dimension.
SmallVector<AxisRange> getWholeRanges(NodeBuilder &n, const Tensor &tensor);
/// Takes ranges of all dimensions. Of a vector of known elements the elements
/// stay known.
Tensor takeRanges(NodeBuilder &n, const Tensor &tensor,
                  ArrayRef<AxisRange> ranges);
/// Takes one range.
Tensor sliceKnownAxis(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                      OpFoldResult offset, OpFoldResult size);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_RANGES_H
