//===- JitOptions.h - Options of calls that compile -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MODULES_JITOPTIONS_H
#define HETERO_LIB_EMULATOR_DRIVER_MODULES_JITOPTIONS_H

#include "hetero/Runtime/CudaDriver.h"

#include <chrono>
#include <string>

namespace hetero::emulator {

/// A buffer of the program's for messages.
struct LogBuffer {
  char *text = nullptr;
  size_t size = 0;
  void **written = nullptr; ///< Gets how many bytes there are, if set.

  void write(const std::string &message) const;
};

/// The options of a call that compiles, as far as something follows from them.
class JitOptions {
public:
  JitOptions() = default;
  /// Reads CUjit_option and their values; kInvalidValue for what is none.
  cuda::Result read(unsigned count, const int *options, void **values);
  /// Writes the logs and the time since read().
  void report(const std::string &errors) const;

private:
  LogBuffer errors, infos;
  void **milliseconds = nullptr;
  std::chrono::steady_clock::time_point begin;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MODULES_JITOPTIONS_H
