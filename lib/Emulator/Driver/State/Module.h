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
  std::atomic<uint32_t> mostDynamicShared{0};
  std::atomic<int> carveout{-1}; ///< In percent; -1: the driver's choice.
  /// The required cluster size, or zeros.
  std::atomic<int> cluster[3] = {};
  std::atomic<int> allowsLargeClusters{0}, clusterPolicy{0};
  LegacyLaunch legacy{};
  /// Whether there is code for launches of few, and of many threads.
  std::atomic<bool> isPrepared[2] = {};

  /// Some dimensions of its clusters are set and others are not.
  bool hasPartOfCluster() const {
    return (cluster[0] != 0) != (cluster[1] != 0) ||
           (cluster[0] != 0) != (cluster[2] != 0);
  }
};

struct Module : std::enable_shared_from_this<Module> {
  explicit Module(Context &context) : context(context) {}
  Context &context;
  std::unique_ptr<CompiledModule> code;
  struct Global {
    uint64_t address, bytes;
    bool isManaged;
  };
  std::map<std::string, Global, std::less<>> globals;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STATE_MODULE_H
