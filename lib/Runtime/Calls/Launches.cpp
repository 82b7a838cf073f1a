//===- Launches.cpp - Modules, launches, and the calls on devices ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Host/HostMemory.h"
#include "Runtime/Libraries/OneDNNConvolution.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace hetero::runtime;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

/// A cubin runs on its architecture and on later minor ones of the same major.
static bool fits(const HeteroImage &image, int major, int minor) {
  return image.cubinBytes > 0 && image.cubinMajor == major &&
         image.cubinMinor <= minor;
}

HeteroStatus Device::loadModule(const HeteroImage &image,
                                cuda::Module *module) {
  auto it = modules.find({&image, image.hash});
  if (it != modules.end()) {
    *module = it->second;
    return HETERO_OK;
  }
  const void *code = image.ptx;
  if (fits(image, major, minor) && !driver.lastFault)
    code = image.cubin;
  char log[4096] = "";
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  cuda::Result result =
      driver.functions.moduleLoadDataEx(module, code, 2, options, values);
  HeteroStatus status = check(result, "cuModuleLoadDataEx", [&] {
    return "module " + std::string(image.name) +
           (*log ? std::string(": ") + log : "");
  });
  if (status == HETERO_OK)
    modules[{&image, image.hash}] = *module;
  return status;
}

static std::optional<std::vector<size_t>>
getParameters(const Driver &driver, cuda::Function function) {
  if (driver.missingForGraphs)
    return std::nullopt;
  std::vector<size_t> sizes;
  size_t offset, size;
  cuda::Result result;
  while ((result = driver.functions.funcGetParamInfo(
              function, sizes.size(), &offset, &size)) == cuda::kSuccess)
    sizes.push_back(size);
  // There is no such parameter.
  if (result != cuda::kInvalidValue)
    return std::nullopt;
  return sizes;
}

HeteroStatus Device::loadKernel(const HeteroImage &image, const char *name,
                                Kernel **kernel) {
  ImageKey key(&image, image.hash);
  auto it = kernels.find(KernelOrder::View(key, name));
  if (it != kernels.end()) {
    *kernel = &it->second;
    return HETERO_OK;
  }
  cuda::Module module = nullptr;
  Kernel loaded;
  HeteroStatus status = loadModule(image, &module);
  if (status == HETERO_OK)
    status = check(
        driver.functions.moduleGetFunction(&loaded.function, module, name),
        "cuModuleGetFunction", [&] { return std::string("kernel ") + name; });
  if (status != HETERO_OK)
    return status;
  loaded.parameters = getParameters(driver, loaded.function);
  *kernel = &(kernels[{key, name}] = std::move(loaded));
  return HETERO_OK;
}

/// More dynamic shared memory than every device offers must be asked for.
HeteroStatus Device::allowShared(Kernel &kernel, const char *name,
                                 int64_t bytes) {
  if (bytes <= kernel.mostShared)
    return HETERO_OK;
  cuda::Result result = driver.functions.funcSetAttribute(
      kernel.function, cuda::kMaxDynamicSharedSizeBytes,
      static_cast<int>(std::min<int64_t>(bytes, INT32_MAX)));
  std::string detail = std::string("kernel ") + name + " needs " +
                       std::to_string(bytes) + " bytes of shared memory";
  if (result == cuda::kInvalidValue)
    return fail(HETERO_ERROR_LAUNCH, detail + ", more than " + deviceName(id) +
                                         " offers; use smaller tiles");
  HeteroStatus status =
      check(result, "cuFuncSetAttribute", [&] { return detail; });
  if (status == HETERO_OK)
    kernel.mostShared = bytes;
  return status;
}

HeteroStatus Device::getKernel(const HeteroImage &image, const char *name,
                               int64_t sharedBytes, Kernel **kernel) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  HeteroStatus status = makeCurrent();
  if (status == HETERO_OK)
    status = loadKernel(image, name, kernel);
  return status == HETERO_OK ? allowShared(**kernel, name, sharedBytes)
                             : status;
}

//===----------------------------------------------------------------------===//
// Device map
//===----------------------------------------------------------------------===//

namespace {
/// The program's devices and the machine's.
struct Registry {
  std::mutex mutex;
  bool mapRead = false;
  std::map<int32_t, int32_t> map;
  /// Shared with calls under way, which must not hold the lock while they wait
  /// for a device.
  std::map<int32_t, std::shared_ptr<Device>> devices;

  std::vector<std::shared_ptr<Device>> all() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::shared_ptr<Device>> result;
    result.reserve(devices.size());
    for (const auto &[id, device] : devices)
      result.push_back(device);
    return result;
  }

  /// Closes every device and takes back what it held; with the lock held.
  void close() {
    for (const auto &[id, device] : devices)
      device->close();
    devices.clear();
    forgetDetachedOnDevices();
    forgetSharedMemory();
    outdateConstants();
  }
};
} // namespace

static Registry &registry() {
  static Registry *instance = new Registry;
  return *instance;
}

/// Parses "gpu:N" at `text` and moves past it.
static bool parseDevice(const char *&text, int32_t &ordinal) {
  if (std::strncmp(text, "gpu:", 4) != 0)
    return false;
  char *end;
  long number = std::strtol(text + 4, &end, 10);
  if (end == text + 4 || number < 0 || number > 65535)
    return false;
  ordinal = static_cast<int32_t>(number);
  text = end;
  return true;
}

static HeteroStatus parseMap(const char *text,
                             std::map<int32_t, int32_t> &map) {
  const char *rest = text;
  while (*rest) {
    int32_t from, to;
    if (!parseDevice(rest, from) || *rest++ != '=' || !parseDevice(rest, to) ||
        (*rest && *rest != ','))
      return fail(HETERO_ERROR_INVALID_ARGUMENT,
                  std::string("expected a device map like "
                              "gpu:1=gpu:0,gpu:0=gpu:3, got '") +
                      text +
                      "'; write one pair per device, numbered from 0 to 65535");
    map[from] = to;
    if (*rest == ',')
      ++rest;
  }
  return HETERO_OK;
}

HeteroStatus heteroSetDeviceMap(const char *text) {
  std::map<int32_t, int32_t> map;
  if (text)
    if (HeteroStatus status = parseMap(text, map))
      return status;
  forgetSequences();
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.close();
  all.map = std::move(map);
  all.mapRead = true;
  return HETERO_OK;
}

static HeteroStatus readMap(Registry &all) {
  if (all.mapRead)
    return HETERO_OK;
  if (const char *text = std::getenv("HETERO_DEVICE_MAP"))
    if (HeteroStatus status = parseMap(text, all.map))
      return status;
  all.mapRead = true;
  return HETERO_OK;
}

/// The driver has no device for `id`, which the map gives to `ordinal`.
static HeteroStatus failNoDevice(const Driver &driver, int32_t id,
                                 int32_t ordinal) {
  std::string mapped;
  if (ordinal != id)
    mapped = ", which the device map gives to " + deviceName(ordinal);
  return fail(HETERO_ERROR_NO_DEVICE,
              "the program needs " + deviceName(id) + mapped + ", but " +
                  driver.name + " has " + std::to_string(driver.deviceCount) +
                  " device(s); map it to one of them with --device-map or "
                  "HETERO_DEVICE_MAP, for example gpu:" +
                  std::to_string(id) + "=gpu:0");
}

HeteroStatus hetero::runtime::getDevice(int32_t id, Device **device) {
  Driver *driver;
  if (HeteroStatus status = getDriver(&driver))
    return status;
  Registry &all = registry();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    if (HeteroStatus status = readMap(all))
      return status;
    std::shared_ptr<Device> &slot = all.devices[id];
    if (!slot) {
      auto it = all.map.find(id);
      int32_t ordinal = it == all.map.end() ? id : it->second;
      if (id < 0 || ordinal >= driver->deviceCount) {
        all.devices.erase(id);
        return failNoDevice(*driver, id, ordinal);
      }
      slot = std::make_shared<Device>(*driver, id, ordinal);
    }
    *device = slot.get();
  }
  return (*device)->open();
}

HeteroStatus heteroDeviceCount(int32_t *count) {
  Driver *driver;
  if (HeteroStatus status = getDriver(&driver))
    return status;
  *count = driver->deviceCount;
  return HETERO_OK;
}

HeteroStatus heteroReset(void) {
  forgetSequences();
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.close();
  trimHostMemory();
  setLastError("");
  return HETERO_OK;
}

//===----------------------------------------------------------------------===//
// Calls on devices by number
//===----------------------------------------------------------------------===//

HeteroStatus hetero::runtime::allocateOnDevice(int32_t id, int64_t bytes,
                                               void **pointer) {
  Device *device;
  if (HeteroStatus status = getDevice(id, &device))
    return status;
  HeteroStatus status = device->allocate(bytes, pointer);
  if (status != HETERO_ERROR_OUT_OF_MEMORY || !device->hasUnused())
    return status;
  return withNothingHeld([&] { return device->allocateAnew(bytes, pointer); });
}

HeteroStatus hetero::runtime::freeOnDevice(int32_t id, void *pointer) {
  std::shared_ptr<Device> device;
  {
    Registry &all = registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    auto it = all.devices.find(id);
    if (it == all.devices.end())
      return HETERO_OK;
    device = it->second;
  }
  return freeBehindHeld(*device, pointer) ? HETERO_OK : device->free(pointer);
}

/// Waits for a unit, or for all of them.
static HeteroStatus waitFor(int32_t id, int32_t unit) {
  WaitScope scope;
  HeteroStatus ended = endSequence();
  std::string error = lastError();
  Device *device;
  HeteroStatus status = getDevice(id, &device);
  if (status == HETERO_OK)
    status = device->wait(unit);
  if (ended == HETERO_OK)
    return status;
  setLastError(error);
  return ended;
}

HeteroStatus hetero::runtime::waitForDevice(int32_t id) {
  return waitFor(id, Device::kNoStream);
}

void hetero::runtime::dropCopiesTo(const void *host, int64_t bytes) {
  dropHeldCopiesTo(host, bytes);
  // Waits for no device.
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto &[id, device] : all.devices)
    device->dropCopiesTo(host, bytes);
}

HeteroStatus heteroLaunchAs(int32_t id, const HeteroImage *image,
                            const char *kernel, int64_t gridX, int64_t gridY,
                            int64_t gridZ, int64_t blockX, int64_t blockY,
                            int64_t blockZ, int64_t sharedBytes,
                            void **arguments, int32_t, const char *label) {
  HostRegionPause pause;
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return HETERO_OK;
  constexpr int64_t kMostX = INT32_MAX, kMostYZ = 65535;
  if (gridX > kMostX || gridY > kMostYZ || gridZ > kMostYZ)
    return fail(HETERO_ERROR_PROGRAM,
                std::string("kernel ") + label +
                    " needs a larger grid than a device offers; use smaller "
                    "tensors");
  useInFrame(deviceOf(id));
  Device *device;
  if (HeteroStatus status = getDevice(deviceOf(id), &device))
    return status;
  auto launch = [&] {
    Kernel *loaded;
    if (HeteroStatus status =
            device->getKernel(*image, kernel, sharedBytes, &loaded))
      return status;
    Operation operation{Operation::Launch, device, unitOf(id), label};
    operation.launch = {loaded,
                        {gridX, gridY, gridZ},
                        {blockX, blockY, blockZ},
                        sharedBytes,
                        arguments};
    return submit(operation);
  };
  HeteroStatus status =
      isMeasuring() ? measureLaunch(deviceOf(id), label, launch) : launch();
  if (status == HETERO_OK)
    countLaunch(deviceOf(id), label);
  return status;
}

HeteroStatus heteroLaunch(int32_t id, const HeteroImage *image,
                          const char *kernel, int64_t gridX, int64_t gridY,
                          int64_t gridZ, int64_t blockX, int64_t blockY,
                          int64_t blockZ, int64_t sharedBytes, void **arguments,
                          int32_t numArguments) {
  return heteroLaunchAs(id, image, kernel, gridX, gridY, gridZ, blockX, blockY,
                        blockZ, sharedBytes, arguments, numArguments, kernel);
}

HeteroStatus heteroOrder(int32_t id, int32_t after) {
  HostRegionPause pause;
  Device *device, *other;
  if (HeteroStatus status = getDevice(deviceOf(id), &device))
    return status;
  if (HeteroStatus status = getDevice(deviceOf(after), &other))
    return status;
  return submit(orderOf(*device, unitOf(id), *other, unitOf(after)));
}

HeteroStatus heteroWait(int32_t device) {
  HostRegionPause pause;
  return device == HETERO_HOST ? HETERO_OK : waitForDevice(deviceOf(device));
}

HeteroStatus heteroWaitUnit(int32_t unit) {
  HostRegionPause pause;
  return unit == HETERO_HOST ? HETERO_OK
                             : waitFor(deviceOf(unit), unitOf(unit));
}

HeteroStatus heteroForget(const void *data, int64_t bytes) {
  forgetLibraryState(data, bytes);
  // A program that stays to the end is unloaded after its driver.
  if (isDriverGone())
    return HETERO_OK;
  forgetSequences();
  for (const std::shared_ptr<Device> &device : registry().all())
    device->forget(data, bytes);
  return HETERO_OK;
}
