//===- DriverModule.cpp - Modules and launches ----------------------------===//
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
  Memory &memory = module.device.memory;
  for (const GlobalVariable &global : code.globals()) {
    uint64_t address = memory.allocate(std::max<uint64_t>(global.size, 1));
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
    module.device.memory.free(global.address);
}

static cuda::Result load(cuda::Module *result, const void *image,
                         const LogBuffer &log) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!result || !image)
    return cuda::kInvalidValue;
  const char *text = static_cast<const char *>(image);
  if (const char *reason = refuseImage(text)) {
    log.write(reason);
    return cuda::kNoBinaryForGpu;
  }
  logModuleLoad(device->ordinal, text);
  CompileOptions options;
  options.counts = getDriver()->timeline != nullptr;
  const Config &config = getDriver()->config;
  options.asks = getDriver()->races || config.checksUninitialized;
  options.asksShared = config.checksShared || config.checksUninitialized;
  options.cache = getDriver()->config.cache;
  options.limit = getDriver()->config.limit;
  if (getDriver()->config.leastForWarps != UINT64_MAX)
    options.warpCallbacks = addWarpCallbacks;
  auto compiled = compilePTX(text, device->major, device->minor, options);
  if (auto *error = std::get_if<CompileError>(&compiled)) {
    log.write(error->message);
    return error->kind == CompileError::InvalidPTX ? cuda::kInvalidPtx
                                                   : cuda::kNoBinaryForGpu;
  }
  auto module = std::make_shared<Module>(*device);
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
  if (cuda::Result loss = module->device.loss())
    return loss;
  getDriver()->modules.remove(handle);
  module->device.synchronize();
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
  if (cuda::Result loss = module->device.loss())
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

namespace {
/// A kernel and the module that keeps it alive.
struct FunctionReference {
  Function *function = nullptr;
  std::shared_ptr<Module> module;

  Function *operator->() const { return function; }
};
} // namespace

static cuda::Result getFunction(const void *handle, FunctionReference &result) {
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

/// Most shared memory of a block, static and dynamic.
static constexpr uint32_t kMostShared = 227 * 1024;

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

HETERO_CUDA_API
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cuda::Function handle,
                                            int threads, size_t) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!blocks || threads <= 0 || threads > 1024)
    return cuda::kInvalidValue;
  *blocks = std::min(32, 2048 / threads);
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static cuda::Result checkShape(const PreparedLaunch &launch) {
  const uint32_t *grid = launch.grid, *block = launch.block;
  const CompiledKernel &kernel = *launch.kernel;
  for (int i = 0; i < 3; ++i)
    if (grid[i] == 0 || block[i] == 0)
      return cuda::kInvalidValue;
  if (grid[0] > 0x7fffffff || grid[1] > 65535 || grid[2] > 65535 ||
      block[0] > 1024 || block[1] > 1024 || block[2] > 64 ||
      launch.numThreads() > 1024)
    return cuda::kInvalidValue;
  if (kernel.maxThreads && launch.numThreads() > kernel.maxThreads)
    return cuda::kInvalidValue;
  if (kernel.reqThreads[0])
    for (int i = 0; i < 3; ++i)
      if (block[i] != kernel.reqThreads[i])
        return cuda::kInvalidValue;
  return cuda::kSuccess;
}

/// Ends of the `extra` array and its two entries.
enum : uintptr_t { kParamEnd = 0, kParamBuffer = 1, kParamBufferSize = 2 };

/// Copies the arguments into the launch's parameter block.
static cuda::Result packParams(PreparedLaunch &launch, void **params,
                               void **extra) {
  const CompiledKernel &kernel = *launch.kernel;
  launch.params.resize(kernel.paramBytes / sizeof(ParamLine) + 1);
  uint8_t *block = launch.params.front().bytes;
  if (params && extra)
    return cuda::kInvalidValue;
  if (params) {
    for (size_t i = 0; i < kernel.params.size(); ++i)
      std::memcpy(block + kernel.params[i].offset, params[i],
                  kernel.params[i].size);
    return cuda::kSuccess;
  }
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (; extra && reinterpret_cast<uintptr_t>(*extra) != kParamEnd;
       extra += 2) {
    if (reinterpret_cast<uintptr_t>(*extra) == kParamBuffer)
      buffer = extra[1];
    else if (reinterpret_cast<uintptr_t>(*extra) == kParamBufferSize)
      bytes = *static_cast<size_t *>(extra[1]);
    else
      return cuda::kInvalidValue;
  }
  if (bytes < kernel.paramBytes || (bytes > 0 && !buffer))
    return cuda::kInvalidValue;
  if (kernel.paramBytes)
    std::memcpy(block, buffer, kernel.paramBytes);
  return cuda::kSuccess;
}

static cuda::Result prepare(PreparedLaunch &launch, const Function &function,
                            unsigned dynamicShared, void **params,
                            void **extra) {
  launch.kernel = function.kernel;
  launch.memory = &function.module->device.memory;
  launch.isRecorded = getDriver()->races != nullptr;
  launch.limit = getDriver()->config.limit;
  launch.checksShared = getDriver()->config.checksShared;
  launch.checksUninitialized = getDriver()->config.checksUninitialized;
  uint64_t shared = uint64_t(function.kernel->sharedBytes) + dynamicShared;
  if (dynamicShared > function.mostDynamicShared || shared > kMostShared)
    return cuda::kInvalidValue;
  launch.sharedBytes = static_cast<uint32_t>(shared);
  if (cuda::Result error = checkShape(launch))
    return error;
  if (launch.numBlocks() * launch.numThreads() >=
      getDriver()->config.leastForWarps)
    launch.warpFunction = function.module->code->warpFunction(*function.kernel);
  return packParams(launch, params, extra);
}

static void issueLaunch(const std::shared_ptr<Stream> &stream,
                        const std::shared_ptr<Module> &module,
                        const PreparedLaunch &prepared) {
  static std::atomic<uint64_t> nextId{1};
  auto launch = std::make_shared<Launch>(prepared);
  launch->id = nextId++;
  launch->order = orderOfBlocks(launch->id, launch->numBlocks());
  Device &device = stream->device;
  logLaunch(device.ordinal, launch->kernel->name, launch->grid, launch->block);
  std::string why = countCall(CallClass::Launch);
  Work work;
  work.kind = Work::Kernel;
  work.name = launch->kernel->name;
  work.device = device.ordinal;
  auto run = [launch, module, why] {
    if (!why.empty())
      return module->device.setFault(
          {cuda::kLaunchFailed, "kernel " + launch->kernel->name + " on gpu:" +
                                    std::to_string(module->device.ordinal) +
                                    " fails (" + why + ")"});
    runGrid(*launch);
    if (launch->fault.code != cuda::kSuccess)
      module->device.setFault(launch->fault);
  };
  device.submit(stream, work, run, &launch->effects);
}

HETERO_CUDA_API cuLaunchKernel(cuda::Function handle, unsigned gridX,
                               unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, cuda::Stream streamHandle,
                               void **params, void **extra) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(streamHandle, stream))
    return error;
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (&function.module->device != &stream->device)
    return cuda::kInvalidHandle;
  PreparedLaunch prepared;
  const uint32_t grid[] = {gridX, gridY, gridZ};
  const uint32_t block[] = {blockX, blockY, blockZ};
  std::copy(grid, grid + 3, prepared.grid);
  std::copy(block, block + 3, prepared.block);
  if (cuda::Result error =
          prepare(prepared, *function.function, sharedBytes, params, extra))
    return error;
  return issueOrCapture(stream, NodeKind::Kernel,
                        [=](const std::shared_ptr<Stream> &stream) {
                          issueLaunch(stream, function.module, prepared);
                        });
}
