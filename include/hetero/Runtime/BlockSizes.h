//===- BlockSizes.h - What allocations take of a device ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime gives out blocks of a gpu's memory, and the compiler plans with
// what they take.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNTIME_BLOCKSIZES_H
#define HETERO_RUNTIME_BLOCKSIZES_H

#include <cstdint>

namespace hetero {

/// The sizes of blocks are multiples of it; constants take no more than that.
inline constexpr int64_t kDeviceAlignment = 256;

/// What an allocation of so many bytes takes of a gpu's memory, so that freed
/// blocks fit again: a multiple of an eighth of the power of two below, which
/// is at least 256 bytes and at most a mebibyte.
inline int64_t deviceBlockSize(int64_t bytes) {
  constexpr int64_t kMostStep = 1 << 20;
  int64_t step = kDeviceAlignment;
  while (step < kMostStep && step <= bytes / 16)
    step *= 2;
  return bytes <= step ? step : (bytes + step - 1) / step * step;
}

} // namespace hetero

#endif // HETERO_RUNTIME_BLOCKSIZES_H
