//===- Kernels.cpp - Modules and launches of gpu-to-llvm ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Calls/Mgpu/MgpuDriver.h"

#include <memory>

using namespace hetero::runtime;
using namespace hetero::runtime::mgpu;
using namespace hetero;

namespace {
struct Image;

/// What a cuda::Function of a program stands for: a kernel on any device.
struct Kernel {
  Image *image;
  std::string name;
};

/// What a cuda::Module of a program stands for. Upstream's code loads a binary
/// once, before it chooses a device; each device loads it on first use.
struct Image {
  void *data;
  std::mutex mutex;
  std::map<int32_t, cuda::Module> modules;
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};
} // namespace

/// The image on the default device, whose context is current; null on failure.
/// With the image's lock held.
static cuda::Module loadImage(const Driver &driver, Image &image) {
  cuda::Module &module = image.modules[defaultDevice()];
  if (module)
    return module;
  char log[4096] = "";
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  cuda::Module loaded = nullptr;
  cuda::Result result = driver.functions.moduleLoadDataEx(&loaded, image.data,
                                                          2, options, values);
  if (check(driver, result, "cuModuleLoadDataEx", log))
    module = loaded;
  return module;
}

/// A kernel on the default device; null on failure.
static cuda::Function findFunction(const Driver &driver, Image &image,
                                   const char *name) {
  std::lock_guard<std::mutex> lock(image.mutex);
  cuda::Module module = loadImage(driver, image);
  cuda::Function function = nullptr;
  if (!module ||
      !check(driver,
             driver.functions.moduleGetFunction(&function, module, name),
             "cuModuleGetFunction", std::string("kernel ") + name))
    return nullptr;
  return function;
}

static Image *load(void *data) {
  const Driver *driver = enter();
  if (!driver)
    return nullptr;
  auto image = std::make_unique<Image>();
  image->data = data;
  std::lock_guard<std::mutex> lock(image->mutex);
  return loadImage(*driver, *image) ? image.release() : nullptr;
}

HETERO_MGPU Image *mgpuModuleLoad(void *data, size_t) { return load(data); }

HETERO_MGPU Image *mgpuModuleLoadJIT(void *data, int, size_t) {
  return load(data);
}

HETERO_MGPU void mgpuModuleUnload(Image *image) {
  if (!image || isDriverGone())
    return;
  int32_t device = defaultDevice();
  for (auto [ordinal, module] : image->modules) {
    defaultDevice() = ordinal;
    if (const Driver *driver = module ? enter() : nullptr)
      check(*driver, driver->functions.moduleUnload(module), "cuModuleUnload");
  }
  defaultDevice() = device;
  delete image;
}

HETERO_MGPU Kernel *mgpuModuleGetFunction(Image *image, const char *name) {
  const Driver *driver = image ? enter() : nullptr;
  if (!driver || !findFunction(*driver, *image, name))
    return nullptr;
  std::lock_guard<std::mutex> lock(image->mutex);
  std::unique_ptr<Kernel> &kernel = image->kernels[name];
  if (!kernel)
    kernel.reset(new Kernel{image, name});
  return kernel.get();
}

/// The driver and the kernel's function on the default device; null where one
/// is not to be had, which has been reported.
static const Driver *enter(Kernel *kernel, cuda::Function &function) {
  const Driver *driver = kernel ? enter() : nullptr;
  if (driver)
    function = findFunction(*driver, *kernel->image, kernel->name.c_str());
  return function ? driver : nullptr;
}

/// Allows more dynamic shared memory than every device has.
static bool allowShared(const Driver &driver, cuda::Function function,
                        int32_t bytes) {
  constexpr int32_t kSharedOfEveryDevice = 48 * 1024;
  return bytes <= kSharedOfEveryDevice ||
         check(driver,
               driver.functions.funcSetAttribute(
                   function, cuda::kMaxDynamicSharedSizeBytes, bytes),
               "cuFuncSetAttribute", bytesText(bytes));
}

HETERO_MGPU void mgpuLaunchKernel(Kernel *kernel, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t sharedBytes,
                                  cuda::Stream stream, void **params,
                                  void **extra, size_t) {
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  cuda::Function function = nullptr;
  const Driver *driver = enter(kernel, function);
  if (!driver)
    return;
  if (!allowShared(*driver, function, sharedBytes))
    return;
  checkOn(stream, *driver,
          driver->functions.launchKernel(function, gridX, gridY, gridZ, blockX,
                                         blockY, blockZ, sharedBytes, stream,
                                         params, extra),
          "cuLaunchKernel", "kernel " + kernel->name);
}

namespace {
/// CUlaunchAttribute: a number that says what, and 64 bytes.
struct LaunchAttribute {
  enum : int { kClusterDimension = 4 };
  int id;
  char pad[4];
  union {
    unsigned cluster[3];
    char bytes[64];
  };
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  cuda::Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};
} // namespace

/// The blocks of a cluster run together; the sizes of the grid are blocks.
HETERO_MGPU void mgpuLaunchClusterKernel(
    Kernel *kernel, intptr_t clusterX, intptr_t clusterY, intptr_t clusterZ,
    intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX,
    intptr_t blockY, intptr_t blockZ, int32_t sharedBytes, cuda::Stream stream,
    void **params, void **extra, size_t) {
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  cuda::Function function = nullptr;
  const Driver *driver = enter(kernel, function);
  if (!driver || !allowShared(*driver, function, sharedBytes) ||
      !isThere(*driver,
               reinterpret_cast<void *>(driver->functions.launchKernelEx),
               "cuLaunchKernelEx"))
    return;
  auto narrow = [](intptr_t size) { return static_cast<unsigned>(size); };
  LaunchAttribute cluster = {};
  cluster.id = LaunchAttribute::kClusterDimension;
  cluster.cluster[0] = narrow(clusterX);
  cluster.cluster[1] = narrow(clusterY);
  cluster.cluster[2] = narrow(clusterZ);
  LaunchConfig config = {{narrow(gridX), narrow(gridY), narrow(gridZ)},
                         {narrow(blockX), narrow(blockY), narrow(blockZ)},
                         narrow(sharedBytes),
                         stream,
                         &cluster,
                         1};
  checkOn(stream, *driver,
          driver->functions.launchKernelEx(&config, function, params, extra),
          "cuLaunchKernelEx", "kernel " + kernel->name);
}
