//===- Pool.h - Reductions of windows ---------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reductions of windows.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_POOL_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_POOL_H

#include "Contraction.h"
#include "Reduction.h"

namespace mlir::hetero::onnx {

/// Pads an input (N, C, ...) so that it has all places of all windows.
Tensor padForWindows(NodeBuilder &n, const Tensor &input, const Window &window,
                     Value value);
/// Reduces windows of an input that is padded. Sums have the accumulator's
/// type.
Tensor pool(NodeBuilder &n, const Tensor &padded, const Window &window,
            Reduction kind);
/// Divides sums of windows by the numbers of their places: those of the input,
/// or with `countsPads` those of the pads, too.
Tensor divideByCounts(NodeBuilder &n, const Tensor &sums, const Tensor &input,
                      const Window &window, bool countsPads);
/// The largest elements of windows, and where they are in the tensor, as int64:
/// in row-major order, or with `isColumnMajor` with the dimensions of windows
/// in reverse. The input is padded by `window`.
std::pair<Tensor, Tensor> poolWithPlaces(NodeBuilder &n, const Tensor &input,
                                         const Tensor &padded,
                                         const Window &window,
                                         bool isColumnMajor);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_POOL_H
