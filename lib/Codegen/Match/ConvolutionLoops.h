//===- ConvolutionLoops.h - The loops of a convolution ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_MATCH_CONVOLUTIONLOOPS_H
#define HETERO_CODEGEN_MATCH_CONVOLUTIONLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

/// The dimension of the operand that follows a loop, -1 for none.
int64_t findDimension(AffineMap map, int64_t loop);

/// The loops of a convolution by what they are; -1 for none.
struct ConvolutionLoops {
  /// A dimension of the image: its loop over the result and that over the
  /// window.
  struct Window {
    int64_t row, tap;
    int64_t stride, dilation;
    /// Its position in the input.
    int64_t dimension;
  };
  /// `group`: of a convolution of each channel on its own, its channels.
  int64_t image = -1, channel = -1, filter = -1, group = -1;
  SmallVector<Window> windows;
};

/// The loops of an operation that follows its inputs, an image and filters, and
/// its result as a convolution does, whatever it computes.
std::optional<ConvolutionLoops> matchConvolutionLoops(linalg::GenericOp op);

/// The dimensions of each operand in the order of images, channels (those that
/// are summed up before filters), and windows; -1 for one that it does not
/// have.
struct ConvolutionOrders {
  SmallVector<int64_t> image, filter, result;
};
ConvolutionOrders getConvolutionOrders(linalg::GenericOp op,
                                       const ConvolutionLoops &loops);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_MATCH_CONVOLUTIONLOOPS_H
