//===- CompareValues.h - Results against what is expected -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_COMPAREVALUES_H
#define HETERO_RUNNER_COMPAREVALUES_H

#include "hetero/Runner/HostValue.h"

#include <string>

namespace hetero {
namespace runner {

/// What --expected allows. A negative number: the element type's default.
struct Tolerance {
  double relative = -1;
  double absolute = -1;
};

/// Compares element by element; false with the first difference and how many
/// there are in `error`.
bool compareValues(const HostValue &got, const HostValue &want,
                   const Tolerance &tolerance, std::string &error);

/// The same for values that two devices have computed, each with an order and a
/// rounding of its own: where no tolerance is given, differences of ten times
/// the usual one, as a part of the largest element, are allowed.
bool compareRounded(const HostValue &got, const HostValue &want,
                    const Tolerance &tolerance, std::string &error);

} // namespace runner
} // namespace hetero

#endif // HETERO_RUNNER_COMPAREVALUES_H
