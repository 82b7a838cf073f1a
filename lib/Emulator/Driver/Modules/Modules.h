//===- Modules.h - How images become modules --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MODULES_MODULES_H
#define HETERO_LIB_EMULATOR_DRIVER_MODULES_MODULES_H

#include "Emulator/Device/Device.h"

#include <chrono>

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

/// Compiles PTX for a device; `error` says why it cannot.
cuda::Result compileImage(const Device &device, const char *image,
                          std::unique_ptr<CompiledModule> &code,
                          std::string &error);

/// Puts code and its variables into a context.
cuda::Result instantiate(Context &context, std::unique_ptr<CompiledModule> code,
                         std::shared_ptr<Module> &module);

/// Where a variable is and how large, each unless null.
cuda::Result getGlobal(const Module &module, const char *name,
                       cuda::DevicePointer *address, size_t *bytes);

/// Frees its variables; streams are done with it.
void freeGlobals(Module &module);

/// The text of a file; false when it cannot be read.
bool readFile(const char *path, std::string &text);

/// The function that a handle of cuLibraryGetKernel is in a context.
cuda::Result findKernel(const void *handle, Context *context,
                        FunctionReference &result);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MODULES_MODULES_H
