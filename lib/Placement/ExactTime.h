//===- ExactTime.h - Sums of times that can be taken back -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_EXACTTIME_H
#define HETERO_LIB_PLACEMENT_EXACTTIME_H

#include <cstdint>

namespace mlir::hetero {

/// At most INT64_MAX. Neither is negative.
inline int64_t addSaturating(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/// A sum of picoseconds or bytes that neither wraps around nor saturates until
/// it is read, so that what was added can be taken back.
class ExactTime {
public:
  /// With -1 takes back what was added.
  void add(int64_t time, int sign) {
    sum += sign > 0 ? time : -time;
    if (time == INT64_MAX)
      numNever += sign;
  }
  /// True if something that is never possible was added. A sum of long times
  /// may be as long.
  bool isNever() const { return numNever != 0; }
  /// At most INT64_MAX, as a sum that saturates.
  int64_t get() const { return sum > INT64_MAX ? INT64_MAX : int64_t(sum); }

private:
  __int128 sum = 0;
  int64_t numNever = 0;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_EXACTTIME_H
