//===- Assert.h - Invariants of the compiler and the emulator ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_ASSERT_H
#define HETERO_SUPPORT_ASSERT_H

namespace mlir::hetero {

/// Prints what does not hold and where, and aborts.
[[noreturn]] void failAssertion(const char *condition, const char *message,
                                const char *file, int line);

} // namespace mlir::hetero

/// Stops the process where `condition` is false: a mistake of this project, not
/// of its input, which gets a diagnostic. On in all builds but optimized ones
/// (HETERO_NO_ASSERTIONS), unlike assert(), which NDEBUG takes out of every
/// file that reads headers of an MLIR without assertions.
#ifdef HETERO_NO_ASSERTIONS
#define HETERO_ASSERT(condition, message)                                      \
  static_cast<void>(sizeof(!(condition)))
#else
#define HETERO_ASSERT(condition, message)                                      \
  static_cast<void>(                                                           \
      (condition) ||                                                           \
      (::mlir::hetero::failAssertion(#condition, message, __FILE__, __LINE__), \
       false))
#endif

#endif // HETERO_SUPPORT_ASSERT_H
