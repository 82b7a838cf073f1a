//===- Convolution.h - A call of a convolution, taken apart -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_CONVOLUTION_H
#define HETERO_LIB_RUNTIME_LIBRARIES_CONVOLUTION_H

#include "Runtime/Libraries/Libraries.h"

#include <cstdint>
#include <vector>

namespace hetero::runtime {

/// A window of a convolution, by dimension of the image.
struct Windows {
  static constexpr int kMost = HETERO_MAX_RANK;
  /// Distances of windows, and of taps; elements of zeros before and after.
  int64_t strides[kMost], dilations[kMost], low[kMost], high[kMost];
};

/// A call of the function "convolution", its numbers taken apart.
struct Convolution {
  /// (image, channel, rows...), (filter, channel, taps...), of one dimension,
  /// (image, filter, rows...). The source has no rows that no window reads.
  HeteroValue source, weights, bias, result;
  bool isGrouped, hasBias, accumulate, relu;
  /// Whether f32 may be rounded to tf32, on devices.
  bool mayRound;
  Windows windows;
  /// Dimensions of the windows.
  int spatial;
};

/// Fails unless the call is a convolution of values that are all of one of the
/// types.
HeteroStatus readConvolution(const LibraryCall &call,
                             const std::vector<int32_t> &types,
                             Convolution &op);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_CONVOLUTION_H
