//===- CrashGuard.h - One line instead of a crash ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNNER_CRASHGUARD_H
#define HETERO_LIB_RUNNER_CRASHGUARD_H

#include <csignal>
#include <string>

namespace hetero {
namespace runner {

/// While it lives, a signal that ends the process (SIGSEGV and its like) prints
/// one error and exits with 1. What was installed before it comes back with its
/// end: a tool that dumps its own stack does that for itself only. Several
/// threads may have one each, of which the first says what the error says.
class CrashGuard {
public:
  /// `tool` begins the error, `entry` is the entry point that runs.
  CrashGuard(const std::string &tool, const std::string &entry);
  ~CrashGuard();
  /// So that it also says when this thread, another one, runs out of stack.
  static void protectThread();
  CrashGuard(const CrashGuard &) = delete;
  CrashGuard &operator=(const CrashGuard &) = delete;

private:
  bool isFirst;
  stack_t stackBefore;
};

} // namespace runner
} // namespace hetero

#endif // HETERO_LIB_RUNNER_CRASHGUARD_H
