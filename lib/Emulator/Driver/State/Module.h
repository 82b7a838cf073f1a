//===- Module.h - A loaded module and its kernels ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STATE_MODULE_H
#define HETERO_LIB_EMULATOR_DRIVER_STATE_MODULE_H

#include "Emulator/ABI/CompiledCode.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hetero::emulator {

class Context;
struct Module;

/// What cuLaunchGrid launches with.
struct LegacyLaunch {
  std::mutex mutex;
  uint32_t block[3] = {1, 1, 1}, sharedBytes = 0;
  std::vector<uint8_t> params;
};

/// A kernel of a loaded module.
struct Function {
  Module *module;
  const CompiledKernel *kernel;
  std::atomic<uint32_t> mostDynamicShared{48 * 1024};
  LegacyLaunch legacy{};
  /// Whether there is code for launches of few, and of many threads.
  std::atomic<bool> isPrepared[2] = {};
};

struct Module : std::enable_shared_from_this<Module> {
  explicit Module(Context &context) : context(context) {}
  Context &context;
  std::unique_ptr<CompiledModule> code;
  struct Global {
    uint64_t address, bytes;
  };
  std::map<std::string, Global, std::less<>> globals;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STATE_MODULE_H
