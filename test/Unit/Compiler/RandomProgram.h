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

/// What programs have besides products, sums and control flow.
enum class Extra {
  None,
  /// Neither control flow nor calls.
  Straight,
  /// Two of three operations read a constant of their own.
  Weights,
  /// Functions, branches and loops load and store two states, which entry
  /// points set first.
  State
};

/// Of type (matrix, matrix, i1) -> (matrix, matrix), where all elements are
/// integers so small that the order of a sum does not matter, for arguments
/// from -4 to 4. The same seed gives the same program.
RandomProgram makeRandomProgram(uint64_t seed, Extra extra = Extra::None);

} // namespace hetero::test

#endif // HETERO_TEST_UNIT_COMPILER_RANDOMPROGRAM_H
