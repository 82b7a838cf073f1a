//===- Library.cpp - Libraries of kernels ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library is an image that becomes a module in each context that uses it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Modules/Library.h"
#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/Modules/Function.h"
#include "Emulator/Driver/Modules/JitOptions.h"
#include "Emulator/Driver/Modules/Module.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Module.h"
#include "Emulator/Driver/State/Registry.h"

#include <map>

using namespace hetero::emulator;
using namespace hetero;

namespace hetero::emulator {
struct Library;

/// CUkernel.
struct Kernel {
  Library *library;
  std::string name;
};

/// CUlibrary.
struct Library {
  std::string image;
  std::unique_ptr<CompiledModule> code; ///< Until a context takes it.
  std::map<std::string, Kernel, std::less<>> kernels;
  std::mutex mutex;
  /// By the number of the context, whose reset takes the module away.
  std::map<uint64_t, std::weak_ptr<Module>> modules;
};
} // namespace hetero::emulator

static Registry<Library> &libraries() {
  static auto *registry = new Registry<Library>;
  return *registry;
}

static cuda::Result find(const void *handle,
                         std::shared_ptr<Library> &library) {
  if (!getDriver())
    return cuda::kNotInitialized;
  library = libraries().find(handle);
  return library ? cuda::kSuccess : cuda::kInvalidHandle;
}

/// The library's module in a context, which is loaded when it is first needed.
static cuda::Result getModule(Library &library, Context &context,
                              std::shared_ptr<Module> &module) {
  std::lock_guard<std::mutex> lock(library.mutex);
  module = library.modules[context.id].lock();
  if (module && getDriver()->modules.find(module.get()))
    return cuda::kSuccess;
  std::unique_ptr<CompiledModule> code = std::move(library.code);
  std::string message;
  logModuleLoad(context.device.ordinal, library.image.c_str());
  if (!code)
    if (cuda::Result error =
            compileImage(context.device, library.image.c_str(), code, message))
      return error;
  if (cuda::Result error = instantiate(context, std::move(code), module))
    return error;
  library.modules[context.id] = module;
  getDriver()->modules.add(module);
  return cuda::kSuccess;
}

/// The same for the current context.
static cuda::Result getModule(const void *handle,
                              std::shared_ptr<Module> &module) {
  std::shared_ptr<Library> library;
  Context *context;
  if (cuda::Result error = find(handle, library))
    return error;
  if (cuda::Result error = getCurrent(context))
    return error;
  return getModule(*library, *context, module);
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuLibraryLoadData(Library **result, const char *image,
                                  int *jitOptions, void **jitValues,
                                  unsigned numJitOptions, int *, void **,
                                  unsigned) {
  if (!getDriver())
    return cuda::kNotInitialized;
  JitOptions jit;
  if (cuda::Result error = jit.read(numJitOptions, jitOptions, jitValues))
    return error;
  if (!result || !image)
    return cuda::kInvalidValue;
  std::unique_ptr<CompiledModule> code;
  std::string message;
  // All devices are alike.
  cuda::Result error =
      compileImage(*getDriver()->devices.front(), image, code, message);
  jit.report(message);
  if (error)
    return error;
  auto library = std::make_shared<Library>();
  library->image = image;
  for (const CompiledKernel &kernel : code->kernels())
    library->kernels[kernel.name] = {library.get(), kernel.name};
  library->code = std::move(code);
  *result = libraries().add(std::move(library));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLibraryLoadFromFile(Library **result, const char *path,
                                      int *jitOptions, void **jitValues,
                                      unsigned numJitOptions, int *options,
                                      void **values, unsigned numOptions) {
  std::string image;
  if (!path)
    return cuda::kInvalidValue;
  if (!readFile(path, image))
    return cuda::kFileNotFound;
  return cuLibraryLoadData(result, image.c_str(), jitOptions, jitValues,
                           numJitOptions, options, values, numOptions);
}

HETERO_CUDA_API cuLibraryUnload(Library *handle) {
  std::shared_ptr<Library> library;
  if (cuda::Result error = find(handle, library))
    return error;
  libraries().remove(handle);
  for (auto &[id, weak] : library->modules)
    if (std::shared_ptr<Module> module = weak.lock())
      if (getDriver()->modules.remove(module.get())) {
        module->context.synchronize();
        freeGlobals(*module);
      }
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLibraryGetModule(cuda::Module *result, Library *handle) {
  std::shared_ptr<Module> module;
  if (cuda::Result error = getModule(handle, module))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = reinterpret_cast<cuda::Module>(module.get());
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLibraryGetGlobal(cuda::DevicePointer *address, size_t *bytes,
                                   Library *handle, const char *name) {
  std::shared_ptr<Module> module;
  if (cuda::Result error = getModule(handle, module))
    return error;
  return getGlobal(*module, name, address, bytes);
}

/// The same of a variable that the host reaches too.
HETERO_CUDA_API cuLibraryGetManaged(cuda::DevicePointer *address, size_t *bytes,
                                    Library *handle, const char *name) {
  std::shared_ptr<Module> module;
  if (cuda::Result error = getModule(handle, module))
    return error;
  auto it = name ? module->globals.find(name) : module->globals.end();
  if (name && (it == module->globals.end() || !it->second.isManaged))
    return cuda::kNotFound;
  return getGlobal(*module, name, address, bytes);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuLibraryGetKernel(Kernel **result, Library *handle,
                                   const char *name) {
  std::shared_ptr<Library> library;
  if (cuda::Result error = find(handle, library))
    return error;
  if (!result || !name)
    return cuda::kInvalidValue;
  auto it = library->kernels.find(name);
  if (it == library->kernels.end())
    return cuda::kNotFound;
  *result = &it->second;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLibraryGetKernelCount(unsigned *count, Library *handle) {
  std::shared_ptr<Library> library;
  if (cuda::Result error = find(handle, library))
    return error;
  if (!count)
    return cuda::kInvalidValue;
  *count = library->kernels.size();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuLibraryEnumerateKernels(Kernel **kernels, unsigned count,
                                          Library *handle) {
  std::shared_ptr<Library> library;
  if (cuda::Result error = find(handle, library))
    return error;
  if (!kernels)
    return cuda::kInvalidValue;
  auto it = library->kernels.begin();
  for (unsigned i = 0; i < count && it != library->kernels.end(); ++i, ++it)
    kernels[i] = &it->second;
  return cuda::kSuccess;
}

/// The kernel of a handle, and its library.
static cuda::Result findKernel(const void *handle, Kernel *&kernel,
                               std::shared_ptr<Library> &owner) {
  if (!getDriver())
    return cuda::kNotInitialized;
  for (std::shared_ptr<Library> &library : libraries().all())
    for (auto &[name, candidate] : library->kernels)
      if (&candidate == handle) {
        kernel = &candidate;
        owner = library;
        return cuda::kSuccess;
      }
  return cuda::kInvalidHandle;
}

cuda::Result hetero::emulator::findKernel(const void *handle, Context *context,
                                          FunctionReference &result) {
  Kernel *kernel;
  std::shared_ptr<Library> library;
  if (cuda::Result error = ::findKernel(handle, kernel, library))
    return error;
  if (!context)
    if (cuda::Result error = getCurrent(context))
      return error;
  if (cuda::Result error = getModule(*library, *context, result.module))
    return error;
  result.function = result.module->functions.find(kernel->name)->second.get();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuKernelGetFunction(cuda::Function *result, Kernel *kernel) {
  FunctionReference function;
  if (cuda::Result error = findKernel(kernel, nullptr, function))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = reinterpret_cast<cuda::Function>(function.function);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuKernelGetLibrary(Library **result, Kernel *handle) {
  Kernel *kernel;
  std::shared_ptr<Library> library;
  if (cuda::Result error = ::findKernel(handle, kernel, library))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = library.get();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuKernelGetName(const char **name, Kernel *handle) {
  Kernel *kernel;
  std::shared_ptr<Library> library;
  if (cuda::Result error = ::findKernel(handle, kernel, library))
    return error;
  if (!name)
    return cuda::kInvalidValue;
  *name = kernel->name.c_str();
  return cuda::kSuccess;
}

/// The function of a kernel in the current context, if that is of the device,
/// or in the device's primary one.
static cuda::Result functionOn(Kernel *kernel, cuda::Device ordinal,
                               FunctionReference &function) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  Context *current;
  bool isHere = !getCurrent(current) && &current->device == device;
  return findKernel(kernel, isHere ? current : &device->primary, function);
}

extern "C" cuda::Result cuFuncGetAttribute(int *, int, cuda::Function);
extern "C" cuda::Result cuFuncSetAttribute(cuda::Function, int, int);
extern "C" cuda::Result cuFuncGetParamInfo(cuda::Function, size_t, size_t *,
                                           size_t *);

HETERO_CUDA_API cuKernelGetAttribute(int *value, int attribute, Kernel *kernel,
                                     cuda::Device ordinal) {
  FunctionReference function;
  if (cuda::Result error = functionOn(kernel, ordinal, function))
    return error;
  return cuFuncGetAttribute(
      value, attribute, reinterpret_cast<cuda::Function>(function.function));
}

HETERO_CUDA_API cuKernelSetAttribute(int attribute, int value, Kernel *kernel,
                                     cuda::Device ordinal) {
  FunctionReference function;
  if (cuda::Result error = functionOn(kernel, ordinal, function))
    return error;
  return cuFuncSetAttribute(reinterpret_cast<cuda::Function>(function.function),
                            attribute, value);
}

HETERO_CUDA_API cuKernelSetCacheConfig(Kernel *kernel, int config,
                                       cuda::Device ordinal) {
  FunctionReference function;
  if (cuda::Result error = functionOn(kernel, ordinal, function))
    return error;
  return config < 0 || config > 3 ? cuda::kInvalidValue : cuda::kSuccess;
}

HETERO_CUDA_API cuKernelGetParamInfo(Kernel *kernel, size_t index,
                                     size_t *offset, size_t *size) {
  return cuFuncGetParamInfo(reinterpret_cast<cuda::Function>(kernel), index,
                            offset, size);
}
