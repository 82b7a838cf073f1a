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

using namespace hetero::emulator;
using namespace hetero;

namespace {
struct Introduction {
  const char *symbol;
  int version;
};
} // namespace

/// Since when there are the later versions of a function; those that are not
/// here came with 3.2.
static constexpr Introduction kIntroductions[] = {
    {"cuCtxCreate_v3", 11040},
    {"cuCtxCreate_v4", 12050},
    {"cuCtxDestroy_v2", 4000},
    {"cuCtxGetDevice_v2", 13000},
    {"cuCtxPopCurrent_v2", 4000},
    {"cuCtxPushCurrent_v2", 4000},
    {"cuCtxSynchronize_v2", 13000},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuDevicePrimaryCtxRelease_v2", 11000},
    {"cuDevicePrimaryCtxReset_v2", 11000},
    {"cuDevicePrimaryCtxSetFlags_v2", 11000},
    {"cuEventDestroy_v2", 4000},
    {"cuEventElapsedTime_v2", 12080},
    {"cuGetProcAddress_v2", 12000},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphAddKernelNode_v2", 12000},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphInstantiate_v2", 11000},
    {"cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuGraphicsResourceSetMapFlags_v2", 6050},
    {"cuIpcOpenMemHandle_v2", 11000},
    {"cuLinkAddData_v2", 6050},
    {"cuLinkAddFile_v2", 6050},
    {"cuLinkCreate_v2", 6050},
    {"cuMemAdvise_v2", 12020},
    {"cuMemHostRegister_v2", 6050},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuMemcpy3DBatchAsync_v2", 13000},
    {"cuMemcpyBatchAsync_v2", 13000},
    {"cuStreamBatchMemOp_v2", 11070},
    {"cuStreamBeginCapture_v2", 10010},
    {"cuStreamDestroy_v2", 4000},
    {"cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
    {"cuStreamWaitValue32_v2", 11070},
    {"cuStreamWaitValue64_v2", 11070},
    {"cuStreamWriteValue32_v2", 11070},
    {"cuStreamWriteValue64_v2", 11070},
    {"cuTexRefSetAddress2D_v3", 4010},
};

static int introductionOf(const std::string &symbol) {
  constexpr int kSizes64 = 3020;
  for (const Introduction &entry : kIntroductions)
    if (symbol == entry.symbol)
      return entry.version;
  return kSizes64;
}

/// This library, or null.
static void *openSelf() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<void *>(&openSelf), &self))
    return nullptr;
  return dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
}

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
  for (int number = kNewest; number >= 2; --number) {
    std::string symbol = name + "_v" + std::to_string(number);
    if (!dlsym(library, symbol.c_str()))
      continue;
    if (version >= introductionOf(symbol))
      return lookUp(library, symbol, isPerThread);
    isTooNew = true;
  }
  return lookUp(library, name, isPerThread);
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
