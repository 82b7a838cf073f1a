//===- DriverModule.cpp - Modules and functions ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Log.h"

#include "hetero/Emulator/WarpCallbacks.h"

#include <cstring>
#include <fstream>
#include <sstream>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {
/// The buffer of a cuModuleLoadDataEx option for messages.
struct LogBuffer {
  char *text = nullptr;
  size_t size = 0;

  void write(const std::string &message) const {
    if (!text || size == 0)
      return;
    size_t length = std::min(size - 1, message.size());
    std::memcpy(text, message.data(), length);
    text[length] = 0;
  }
};
} // namespace

/// Why an image is not PTX text, or null.
static const char *refuseImage(const char *image) {
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return "the emulator takes PTX, got a cubin; embed the PTX too";
  if (std::memcmp(image, "\x50\xed\x55\xba", 4) == 0)
    return "the emulator takes PTX, got a fat binary; load the PTX in it";
  return nullptr;
}

/// Puts the module's variables into the device's memory.
static cuda::Result placeGlobals(Module &module) {
  CompiledModule &code = *module.code;
  Memory &memory = module.context.device.memory;
  for (const GlobalVariable &global : code.globals()) {
    uint64_t address =
        memory.allocate(std::max<uint64_t>(global.size, 1), &module.context);
    if (address == 0)
      return cuda::kOutOfMemory;
    module.globals[global.name] = {address, global.size};
    code.bindGlobal(global.name, address);
  }
  for (const GlobalVariable &global : code.globals()) {
    uint8_t *host =
        memory.translate(module.globals[global.name].address, global.size);
    std::memset(host, 0, global.size);
    std::copy_n(global.init.begin(),
                std::min<uint64_t>(global.init.size(), global.size), host);
    memory.noteWritten(module.globals[global.name].address, global.size);
  }
  return cuda::kSuccess;
}

static void freeGlobals(Module &module) {
  for (const auto &[name, global] : module.globals)
    module.context.device.memory.free(global.address);
}

static cuda::Result load(cuda::Module *result, const void *image,
                         const LogBuffer &log) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!result || !image)
    return cuda::kInvalidValue;
  const char *text = static_cast<const char *>(image);
  if (const char *reason = refuseImage(text)) {
    log.write(reason);
    return cuda::kNoBinaryForGpu;
  }
  logModuleLoad(context->device.ordinal, text);
  CompileOptions options;
  options.counts = getDriver()->timeline != nullptr;
  const Config &config = getDriver()->config;
  options.asks = getDriver()->races || config.checksUninitialized;
  options.asksShared = config.checksShared || config.checksUninitialized;
  options.cache = getDriver()->config.cache;
  options.limit = getDriver()->config.limit;
  if (getDriver()->config.leastForWarps != UINT64_MAX)
    options.warpCallbacks = addWarpCallbacks;
  auto compiled =
      compilePTX(text, context->device.major, context->device.minor, options);
  if (auto *error = std::get_if<CompileError>(&compiled)) {
    log.write(error->message);
    return error->kind == CompileError::InvalidPTX ? cuda::kInvalidPtx
                                                   : cuda::kNoBinaryForGpu;
  }
  auto module = std::make_shared<Module>(*context);
  module->code = std::move(std::get<0>(compiled));
  if (cuda::Result error = placeGlobals(*module)) {
    freeGlobals(*module);
    return error;
  }
  for (const CompiledKernel &kernel : module->code->kernels()) {
    auto function = std::make_unique<Function>();
    function->module = module.get();
    function->kernel = &kernel;
    module->functions[kernel.name] = std::move(function);
  }
  *result = reinterpret_cast<cuda::Module>(
      getDriver()->modules.add(std::move(module)));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuModuleLoadData(cuda::Module *result, const void *image) {
  return load(result, image, LogBuffer());
}

HETERO_CUDA_API cuModuleLoadDataEx(cuda::Module *result, const void *image,
                                   unsigned count, int *options,
                                   void **values) {
  LogBuffer log;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == cuda::kJitErrorLogBuffer)
      log.text = static_cast<char *>(values[i]);
    if (options[i] == cuda::kJitErrorLogBufferSizeBytes)
      log.size = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
  }
  return load(result, image, log);
}

HETERO_CUDA_API cuModuleLoad(cuda::Module *result, const char *path) {
  if (!path)
    return cuda::kInvalidValue;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return cuda::kFileNotFound;
  std::stringstream image;
  image << file.rdbuf();
  return cuModuleLoadData(result, image.str().c_str());
}

HETERO_CUDA_API cuModuleUnload(cuda::Module handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Module> module = getDriver()->modules.find(handle);
  if (!module)
    return cuda::kInvalidHandle;
  if (cuda::Result loss = module->context.loss())
    return loss;
  getDriver()->modules.remove(handle);
  module->context.synchronize();
  freeGlobals(*module);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuModuleGetFunction(cuda::Function *result, cuda::Module handle,
                                    const char *name) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Module> module = getDriver()->modules.find(handle);
  if (!module)
    return cuda::kInvalidHandle;
  if (!result || !name)
    return cuda::kInvalidValue;
  if (cuda::Result loss = module->context.loss())
    return loss;
  auto it = module->functions.find(name);
  if (it == module->functions.end())
    return cuda::kNotFound;
  *result = reinterpret_cast<cuda::Function>(it->second.get());
  return cuda::kSuccess;
}

HETERO_CUDA_API cuModuleGetGlobal_v2(cuda::DevicePointer *address,
                                     size_t *bytes, cuda::Module handle,
                                     const char *name) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Module> module = getDriver()->modules.find(handle);
  if (!module)
    return cuda::kInvalidHandle;
  if (!name)
    return cuda::kInvalidValue;
  auto it = module->globals.find(name);
  if (it == module->globals.end())
    return cuda::kNotFound;
  if (address)
    *address = it->second.address;
  if (bytes)
    *bytes = it->second.bytes;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

cuda::Result hetero::emulator::getFunction(const void *handle,
                                           FunctionReference &result) {
  if (!getDriver())
    return cuda::kNotInitialized;
  for (std::shared_ptr<Module> &module : getDriver()->modules.all())
    for (auto &[name, candidate] : module->functions)
      if (candidate.get() == handle) {
        result = {candidate.get(), module};
        return cuda::kSuccess;
      }
  return cuda::kInvalidHandle;
}

/// CUfunction_attribute.
enum : int {
  kMaxThreadsPerBlock = 0,
  kSharedSizeBytes = 1,
  kLocalSizeBytes = 3,
  kNumRegs = 4,
  kMaxDynamicShared = 8
};

HETERO_CUDA_API cuFuncGetAttribute(int *value, int attribute,
                                   cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!value)
    return cuda::kInvalidValue;
  const CompiledKernel &kernel = *function->kernel;
  switch (attribute) {
  case kMaxThreadsPerBlock:
    *value = kernel.maxThreads ? kernel.maxThreads : 1024;
    break;
  case kSharedSizeBytes:
    *value = kernel.sharedBytes;
    break;
  case kLocalSizeBytes:
    *value = kernel.localBytes;
    break;
  case kNumRegs:
    *value = kernel.numRegisters;
    break;
  case kMaxDynamicShared:
    *value = function->mostDynamicShared;
    break;
  default:
    *value = 0;
  }
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncSetAttribute(cuda::Function handle, int attribute,
                                   int value) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (attribute != kMaxDynamicShared)
    return cuda::kSuccess; // Hints about caches.
  if (value < 0 || value + function->kernel->sharedBytes > kMostShared)
    return cuda::kInvalidValue;
  function->mostDynamicShared = value;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncGetParamInfo(cuda::Function handle, size_t index,
                                   size_t *offset, size_t *size) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  const auto &params = function->kernel->params;
  if (!offset || index >= params.size())
    return cuda::kInvalidValue;
  *offset = params[index].offset;
  if (size)
    *size = params[index].size;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncGetModule(cuda::Module *result, cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = reinterpret_cast<cuda::Module>(function->module);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncGetName(const char **name, cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!name)
    return cuda::kInvalidValue;
  *name = function->kernel->name.c_str();
  return cuda::kSuccess;
}

/// How shared memory and caches share what they have is a hint.
HETERO_CUDA_API cuFuncSetCacheConfig(cuda::Function handle, int) {
  FunctionReference function;
  return getFunction(handle, function);
}
