//===- Symbols.cpp - Addresses of the driver's functions ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose parameters have changed is exported once for each version of
// them. A program asks by the version of CUDA that it was written for, and must
// get the one that its declaration describes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"

#include <dlfcn.h>
#include <string>
#include <string_view>
#include <unordered_map>

using namespace hetero::emulator;
using namespace hetero;

/// Which version of CUDA has a symbol first; 0 for what is none of the API.
static int introductionOf(const std::string &symbol) {
  static const std::unordered_map<std::string_view, int> versions = {
#define X(symbol, version) {#symbol, version},
#include "Emulator/Driver/Modules/SymbolVersions.def"
#undef X
  };
  auto it = versions.find(symbol);
  return it == versions.end() ? 0 : it->second;
}

/// This library, or null.
static void *openSelf() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<void *>(&openSelf), &self))
    return nullptr;
  return dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
}

static constexpr int kPerThreadStreams = 7000;

/// The symbol itself or, if asked for, what uses the thread's own stream.
static void *lookUp(void *library, const std::string &symbol,
                    bool isPerThread) {
  if (isPerThread)
    for (const char *suffix : {"_ptsz", "_ptds"})
      if (void *function = dlsym(library, (symbol + suffix).c_str()))
        return function;
  return dlsym(library, symbol.c_str());
}

/// The newest version that `version` of CUDA knows. `isTooNew`: there are only
/// newer ones.
static void *findFunction(void *library, std::string name, int version,
                          bool isPerThread, bool &isTooNew) {
  constexpr int kNewest = 5, kWithFlags = 12000;
  if (name == "cuGraphInstantiate" && version >= kWithFlags)
    name = "cuGraphInstantiateWithFlags";
  for (int number = kNewest; number >= 1; --number) {
    std::string symbol =
        number == 1 ? name : name + "_v" + std::to_string(number);
    int introduction = introductionOf(symbol);
    if (introduction == 0)
      continue;
    if (version >= introduction)
      return lookUp(library, symbol,
                    isPerThread && version >= kPerThreadStreams);
    isTooNew = true;
  }
  return nullptr;
}

HETERO_CUDA_API cuGetProcAddress_v2(const char *symbol, void **function,
                                    int version, uint64_t flags, int *status) {
  constexpr uint64_t kPerThread = 2, kAllFlags = 3;
  enum : int { kFound = 0, kNoSymbol = 1, kVersionTooLow = 2 };
  if (!symbol || !function || flags > kAllFlags)
    return cuda::kInvalidValue;
  *function = nullptr;
  bool isTooNew = false;
  if (void *library = openSelf()) {
    *function =
        findFunction(library, symbol, version, flags & kPerThread, isTooNew);
    dlclose(library);
  }
  if (status)
    *status = *function ? kFound : isTooNew ? kVersionTooLow : kNoSymbol;
  return *function ? cuda::kSuccess : cuda::kNotFound;
}

HETERO_CUDA_API cuGetProcAddress(const char *symbol, void **function,
                                 int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

/// For a program whose calls mean the thread's own stream.
HETERO_CUDA_API cuGetProcAddress_v2_ptsz(const char *symbol, void **function,
                                         int version, uint64_t flags,
                                         int *status) {
  constexpr uint64_t kPerThread = 2;
  return cuGetProcAddress_v2(symbol, function, version,
                             flags ? flags : kPerThread, status);
}
