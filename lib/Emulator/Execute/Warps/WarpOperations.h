//===- WarpOperations.h - What lanes compute together -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of operations of a warp, from what its lanes brought. Modes are
// those of ExecutorCallbacks.h.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_WARPS_WARPOPERATIONS_H
#define HETERO_LIB_EMULATOR_EXECUTE_WARPS_WARPOPERATIONS_H

#include <algorithm>
#include <cstdint>

namespace hetero::emulator {

/// The lane that `own` reads, or -1.
inline int shuffleSource(uint32_t mode, int own, uint32_t lane,
                         uint32_t clamp) {
  int step = lane & 31, segment = clamp >> 8 & 31;
  int most = (own & segment) | (static_cast<int>(clamp & 31) & ~segment);
  switch (mode) {
  case 0:
    return own - step >= most ? own - step : -1;
  case 1:
    return own + step <= most ? own + step : -1;
  case 2:
    return (own ^ step) <= most ? own ^ step : -1;
  default:
    step = (own & segment) | (step & ~segment);
    return step <= most ? step : -1;
  }
}

/// The value, and bit 32. That of a lane that is not there is undefined: a lane
/// stays with its own.
template <typename Word>
uint64_t shuffle(uint32_t mode, int own, uint32_t lane, uint32_t clamp,
                 uint32_t members, const Word *values, uint32_t value) {
  int source = shuffleSource(mode, own, lane, clamp);
  if (source >= 0 && members >> source & 1)
    value = static_cast<uint32_t>(values[source]);
  return value | uint64_t(source >= 0) << 32;
}

inline uint32_t vote(uint32_t mode, uint32_t ballot, uint32_t members) {
  switch (mode) {
  case 0:
    return ballot == members;
  case 1:
    return ballot != 0;
  case 2:
    return ballot == 0 || ballot == members;
  default:
    return ballot;
  }
}

inline uint64_t match(uint32_t mode, uint64_t value, uint32_t members,
                      const uint64_t *values) {
  uint32_t equal = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (members >> lane & 1 && values[lane] == value)
      equal |= 1u << lane;
  uint64_t isAll = equal == members;
  return (mode == 0 || isAll ? equal : 0) | isAll << 32;
}

inline uint32_t reduce(uint32_t mode, uint32_t x, uint32_t y) {
  auto isLess = [](uint32_t a, uint32_t b) {
    return static_cast<int32_t>(a) < static_cast<int32_t>(b);
  };
  switch (mode) {
  case 0:
    return x + y;
  case 1:
    return std::min(x, y);
  case 2:
    return std::max(x, y);
  case 3:
    return std::min(x, y, isLess);
  case 4:
    return std::max(x, y, isLess);
  case 5:
    return x & y;
  case 6:
    return x | y;
  default:
    return x ^ y;
  }
}

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_WARPS_WARPOPERATIONS_H
