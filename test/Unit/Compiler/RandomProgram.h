//===- RandomProgram.h - Programs to compile and run ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_COMPILER_RANDOMPROGRAM_H
#define HETERO_TEST_UNIT_COMPILER_RANDOMPROGRAM_H

#include <cstdint>
#include <string>

namespace hetero::test {

/// Both sizes of every matrix.
inline constexpr int64_t kSize = 4;

/// A module with two entry points that compute the same and differ in their
/// placement: @spread over the host, two gpus and their units, @host.
struct RandomProgram {
  std::string text;
  bool isFloat;
};

/// Of type (matrix, matrix, i1) -> (matrix, matrix), where all elements are
/// integers so small that the order of a sum does not matter, for arguments
/// from -4 to 4. The same seed gives the same program.
/// With `hasWeights` two of three operations read a constant of their own.
RandomProgram makeRandomProgram(uint64_t seed, bool hasWeights = false);

} // namespace hetero::test

#endif // HETERO_TEST_UNIT_COMPILER_RANDOMPROGRAM_H
