//===- Module.cpp - Modules and functions ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/State/Module.h"
#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/Modules/JitOptions.h"
#include "Emulator/Driver/Modules/Module.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"

#include "Emulator/Compile/Compiler.h"
#include "Emulator/Execute/Warps/WarpCallbacks.h"

#include <cstring>
#include <fstream>
#include <sstream>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

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

/// Memory of a managed variable, which the host, copies and kernels reach; 0 if
/// there is none.
static uint64_t allocateManaged(Context &context, uint64_t bytes) {
  constexpr uint64_t kAlignment = 4096;
  constexpr unsigned kGlobal = 1;
  void *memory = nullptr;
  if (posix_memalign(&memory, kAlignment, bytes) != 0)
    return 0;
  getDriver()->addHostRange(
      memory, {bytes, Driver::HostRange::Managed, kGlobal, &context});
  return reinterpret_cast<uint64_t>(memory);
}

/// The host address of a variable.
static uint8_t *hostAddressOf(const Module &module,
                              const GlobalVariable &global) {
  uint64_t address = module.globals.find(global.name)->second.address;
  return global.isManaged
             ? reinterpret_cast<uint8_t *>(address)
             : module.context.device.memory.translate(address, global.size);
}

/// Puts the module's variables into the device's memory.
static cuda::Result placeGlobals(Module &module) {
  CompiledModule &code = *module.code;
  Memory &memory = module.context.device.memory;
  for (const GlobalVariable &global : code.globals()) {
    uint64_t bytes = std::max<uint64_t>(global.size, 1);
    uint64_t address = global.isManaged
                           ? allocateManaged(module.context, bytes)
                           : memory.allocate(bytes, &module.context);
    if (address == 0)
      return cuda::kOutOfMemory;
    module.globals[global.name] = {address, global.size, global.isManaged};
    code.bindGlobal(global.name, address);
  }
  for (const GlobalVariable &global : code.globals()) {
    uint8_t *host = hostAddressOf(module, global);
    std::memset(host, 0, global.size);
    std::copy_n(global.init.begin(),
                std::min<uint64_t>(global.init.size(), global.size), host);
    memory.noteWritten(module.globals[global.name].address, global.size);
  }
  return cuda::kSuccess;
}

void hetero::emulator::freeGlobals(Module &module) {
  for (const auto &[name, global] : module.globals)
    if (global.isManaged)
      getDriver()->removeHostRange(reinterpret_cast<void *>(global.address),
                                   Driver::HostRange::Managed);
    else
      module.context.device.memory.free(global.address);
}

cuda::Result
hetero::emulator::compileImage(const Device &device, const char *image,
                               std::unique_ptr<CompiledModule> &code,
                               std::string &error) {
  if (const char *reason = refuseImage(image)) {
    error = reason;
    return cuda::kNoBinaryForGpu;
  }
  const Config &config = getDriver()->config;
  CompileOptions options;
  options.counts = getDriver()->timelines != nullptr;
  options.asks = getDriver()->races || config.checksUninitialized;
  options.asksShared = config.checksShared || config.checksUninitialized;
  options.cache = config.cache;
  options.limit = config.limit;
  if (config.leastForWarps != UINT64_MAX)
    options.warpCallbacks = addWarpCallbacks;
  auto compiled = compilePTX(image, device.major, device.minor, options);
  if (auto *failure = std::get_if<CompileError>(&compiled)) {
    error = failure->message;
    switch (failure->kind) {
    case CompileError::InvalidPTX:
      return cuda::kInvalidPtx;
    case CompileError::NewerPTX:
      return cuda::kUnsupportedPtxVersion;
    case CompileError::InvalidImage:
      return cuda::kNoBinaryForGpu;
    }
  }
  code = std::move(std::get<0>(compiled));
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::instantiate(Context &context,
                                           std::unique_ptr<CompiledModule> code,
                                           std::shared_ptr<Module> &module) {
  module = std::make_shared<Module>(context);
  module->code = std::move(code);
  if (cuda::Result error = placeGlobals(*module)) {
    freeGlobals(*module);
    return error;
  }
  for (const CompiledKernel &kernel : module->code->kernels()) {
    auto function = std::make_unique<Function>();
    function->module = module.get();
    function->kernel = &kernel;
    std::copy(kernel.reqCluster, kernel.reqCluster + 3, function->cluster);
    function->mostDynamicShared =
        kDefaultBlockShared - std::min(kDefaultBlockShared, kernel.sharedBytes);
    module->functions[kernel.name] = std::move(function);
  }
  return cuda::kSuccess;
}

HETERO_CUDA_API cuModuleLoadDataEx(cuda::Module *result, const void *image,
                                   unsigned count, int *options,
                                   void **values) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  JitOptions jit;
  if (cuda::Result error = jit.read(count, options, values))
    return error;
  if (!result || !image)
    return cuda::kInvalidValue;
  auto *text = static_cast<const char *>(image);
  logModuleLoad(context->device.ordinal, text);
  std::unique_ptr<CompiledModule> code;
  std::string message;
  cuda::Result error = compileImage(context->device, text, code, message);
  jit.report(message);
  if (error)
    return error;
  std::shared_ptr<Module> module;
  if (cuda::Result error = instantiate(*context, std::move(code), module))
    return error;
  *result = reinterpret_cast<cuda::Module>(
      getDriver()->modules.add(std::move(module)));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuModuleLoadData(cuda::Module *result, const void *image) {
  return cuModuleLoadDataEx(result, image, 0, nullptr, nullptr);
}

HETERO_CUDA_API cuModuleLoadFatBinary(cuda::Module *result, const void *image) {
  return cuModuleLoadDataEx(result, image, 0, nullptr, nullptr);
}

bool hetero::emulator::readFile(const char *path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  text = content.str();
  return file.good() || (file.eof() && !text.empty());
}

HETERO_CUDA_API cuModuleLoad(cuda::Module *result, const char *path) {
  std::string image;
  if (!path)
    return cuda::kInvalidValue;
  if (!readFile(path, image))
    return cuda::kFileNotFound;
  return cuModuleLoadData(result, image.c_str());
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

cuda::Result hetero::emulator::getGlobal(const Module &module, const char *name,
                                         cuda::DevicePointer *address,
                                         size_t *bytes) {
  if (!name)
    return cuda::kInvalidValue;
  auto it = module.globals.find(name);
  if (it == module.globals.end())
    return cuda::kNotFound;
  if (address)
    *address = it->second.address;
  if (bytes)
    *bytes = it->second.bytes;
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
  return getGlobal(*module, name, address, bytes);
}

HETERO_CUDA_API cuModuleGetFunctionCount(unsigned *count, cuda::Module handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Module> module = getDriver()->modules.find(handle);
  if (!module)
    return cuda::kInvalidHandle;
  if (!count)
    return cuda::kInvalidValue;
  *count = module->functions.size();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuModuleEnumerateFunctions(cuda::Function *functions,
                                           unsigned count,
                                           cuda::Module handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Module> module = getDriver()->modules.find(handle);
  if (!module)
    return cuda::kInvalidHandle;
  if (!functions)
    return cuda::kInvalidValue;
  auto it = module->functions.begin();
  for (unsigned i = 0; i < count && it != module->functions.end(); ++i, ++it)
    functions[i] = reinterpret_cast<cuda::Function>(it->second.get());
  return cuda::kSuccess;
}

/// Modules are there as soon as they are loaded.
HETERO_CUDA_API cuModuleGetLoadingMode(int *mode) {
  constexpr int kEager = 1;
  if (!mode)
    return cuda::kInvalidValue;
  *mode = kEager;
  return cuda::kSuccess;
}
