//===- DriverContext.cpp - Initialization, devices, contexts --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Log.h"

#include "hetero/Runtime/CudaDriver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

static std::mutex driverMutex;
static std::atomic<Driver *> theDriver{nullptr};

Driver *hetero::emulator::getDriver() { return theDriver; }

static bool configure(Config &config) {
  const char *text = std::getenv("HETERO_EMULATOR");
  std::string error;
  bool valid = parseConfig(text ? text : "", config, error);
  if (valid && !openLog(config.log)) {
    error = "HETERO_EMULATOR: cannot write the log '" + config.log +
            "'; name a file in a folder that can be written";
    valid = false;
  }
  if (valid && config.virtualClock && !reportTimelineAtExit(config.timeline)) {
    error = "HETERO_EMULATOR: cannot write '" + config.timeline +
            "'; name a file in a folder that can be written";
    valid = false;
  }
  if (valid && !reportLeaksAtExit(config.leaks)) {
    error = "HETERO_EMULATOR: cannot write '" + config.leaks +
            "'; name a file in a folder that can be written";
    valid = false;
  }
  if (!valid)
    std::fprintf(stderr, "hetero emulator: %s\n", error.c_str());
  return valid;
}

HETERO_CUDA_API cuInit(unsigned flags) {
  if (flags != 0)
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(driverMutex);
  if (getDriver())
    return getDriver()->devices.empty() ? cuda::kNoDevice : cuda::kSuccess;
  auto driver = std::make_unique<Driver>();
  if (!configure(driver->config))
    return cuda::kInvalidValue;
  for (int ordinal = 0; ordinal < driver->config.devices; ++ordinal)
    driver->devices.push_back(
        std::make_unique<Device>(ordinal, driver->config));
  if (driver->config.virtualClock)
    driver->timeline = std::make_unique<Timeline>(driver->config);
  if (driver->config.checksRaces)
    driver->races = std::make_unique<Races>();
  setRandomSchedule(driver->config.randomSchedule, driver->config.seed);
  setNumWorkers(driver->config.threads);
  setFailPoints(driver->config.fail);
  bool none = driver->devices.empty();
  theDriver = driver.release();
  return none ? cuda::kNoDevice : cuda::kSuccess;
}

HETERO_CUDA_API cuDriverGetVersion(int *version) {
  if (!version)
    return cuda::kInvalidValue;
  *version = 12080;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static cuda::Result findDevice(cuda::Device ordinal, Device *&device) {
  Driver *driver = getDriver();
  if (!driver)
    return cuda::kNotInitialized;
  if (ordinal < 0 || ordinal >= static_cast<int>(driver->devices.size()))
    return cuda::kInvalidDevice;
  device = driver->devices[ordinal].get();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGetCount(int *count) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!count)
    return cuda::kInvalidValue;
  *count = static_cast<int>(getDriver()->devices.size());
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGet(cuda::Device *result, int ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = ordinal;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGetName(char *name, int size, cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!name || size <= 0)
    return cuda::kInvalidValue;
  std::snprintf(name, size, "hetero emulated GPU %d", ordinal);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceTotalMem_v2(size_t *bytes, cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!bytes)
    return cuda::kInvalidValue;
  *bytes = device->memory.totalBytes();
  return cuda::kSuccess;
}

namespace {
struct Attribute {
  int number, value;
};
} // namespace

/// CUdevice_attribute by number; the rest are 0.
static constexpr Attribute kAttributes[] = {
    {1, 1024},        // threads per block
    {2, 1024},        // block x
    {3, 1024},        // block y
    {4, 64},          // block z
    {5, 2147483647},  // grid x
    {6, 65535},       // grid y
    {7, 65535},       // grid z
    {8, 49152},       // shared memory per block
    {9, 65536},       // constant memory
    {10, 32},         // warp size
    {11, 2147483647}, // pitch
    {12, 65536},      // registers per block
    {13, 1000000},    // clock in kHz
    {14, 512},        // texture alignment
    {15, 1},          // copies overlap kernels
    {31, 1},          // concurrent kernels
    {36, 1000000},    // memory clock in kHz
    {37, 64},         // bus width
    {38, 4194304},    // L2 cache
    {39, 2048},       // threads per multiprocessor
    {40, 2},          // copy engines
    {41, 1},          // unified addressing
    {78, 1},          // stream priorities
    {81, 233472},     // shared memory per multiprocessor
    {82, 65536},      // registers per multiprocessor
    {95, 1},          // cooperative launches
    {97, 232448},     // shared memory per block with opt-in
    {106, 32},        // blocks per multiprocessor
    {111, 1024},      // shared memory that the system keeps of each block
    {115, 1},         // cuMemAllocAsync
};

HETERO_CUDA_API cuDeviceGetAttribute(int *value, int attribute,
                                     cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!value || attribute <= 0)
    return cuda::kInvalidValue;
  *value = 0;
  if (attribute == cuda::kComputeCapabilityMajor)
    *value = device->major;
  else if (attribute == cuda::kComputeCapabilityMinor)
    *value = device->minor;
  else if (attribute == 16) // multiprocessors
    *value = getNumWorkers();
  for (Attribute known : kAttributes)
    if (known.number == attribute)
      *value = known.value;
  return cuda::kSuccess;
}

/// Kernels reach the memory of their own device only.
HETERO_CUDA_API cuDeviceCanAccessPeer(int *can, cuda::Device, cuda::Device) {
  if (!can)
    return cuda::kInvalidValue;
  *can = 0;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Contexts: the handle of a device's primary context is its Device.
//===----------------------------------------------------------------------===//

static std::vector<Device *> &contextStack() {
  static thread_local std::vector<Device *> stack;
  return stack;
}

static Device *top() {
  return contextStack().empty() ? nullptr : contextStack().back();
}

/// Why a handle cannot be made current.
static cuda::Result checkContext(const void *handle) {
  for (const auto &device : getDriver()->devices)
    if (device.get() == handle)
      return device->isActive() ? device->loss() : cuda::kInvalidContext;
  return cuda::kInvalidContext;
}

cuda::Result hetero::emulator::getCurrent(Device *&device) {
  if (!getDriver())
    return cuda::kNotInitialized;
  device = top();
  if (!device || !device->isActive())
    return cuda::kInvalidContext;
  return device->countedFault();
}

HETERO_CUDA_API cuDevicePrimaryCtxRetain(cuda::Context *context,
                                         cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!context)
    return cuda::kInvalidValue;
  if (cuda::Result loss = device->loss())
    return loss;
  device->retain();
  *context = reinterpret_cast<cuda::Context>(device);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDevicePrimaryCtxRelease_v2(cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  return device->release() ? cuda::kSuccess : cuda::kInvalidContext;
}

HETERO_CUDA_API cuDevicePrimaryCtxReset_v2(cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  device->reset();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDevicePrimaryCtxGetState(cuda::Device ordinal,
                                           unsigned *flags, int *active) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (flags)
    *flags = 0;
  if (active)
    *active = device->isActive();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxPushCurrent_v2(cuda::Context context);

/// Created contexts are the primary one: each device has one address space.
static cuda::Result createContext(cuda::Context *context,
                                  cuda::Device ordinal) {
  cuda::Result error = cuDevicePrimaryCtxRetain(context, ordinal);
  return error ? error : cuCtxPushCurrent_v2(*context);
}

HETERO_CUDA_API cuCtxCreate_v2(cuda::Context *context, unsigned,
                               cuda::Device ordinal) {
  return createContext(context, ordinal);
}

/// With parameters of an affinity to multiprocessors, which does not matter.
HETERO_CUDA_API cuCtxCreate_v3(cuda::Context *context, void *, int, unsigned,
                               cuda::Device ordinal) {
  return createContext(context, ordinal);
}

HETERO_CUDA_API cuCtxCreate_v4(cuda::Context *context, void *, unsigned,
                               cuda::Device ordinal) {
  return createContext(context, ordinal);
}

HETERO_CUDA_API cuCtxDestroy_v2(cuda::Context context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (cuda::Result error = checkContext(context))
    return error;
  auto *device = reinterpret_cast<Device *>(context);
  if (top() == device)
    contextStack().pop_back();
  return device->release() ? cuda::kSuccess : cuda::kInvalidContext;
}

HETERO_CUDA_API cuCtxPushCurrent_v2(cuda::Context context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (cuda::Result error = checkContext(context))
    return error;
  contextStack().push_back(reinterpret_cast<Device *>(context));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxPopCurrent_v2(cuda::Context *context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (contextStack().empty())
    return cuda::kInvalidContext;
  if (context)
    *context = reinterpret_cast<cuda::Context>(top());
  contextStack().pop_back();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxSetCurrent(cuda::Context context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (context)
    if (cuda::Result error = checkContext(context))
      return error;
  if (!contextStack().empty())
    contextStack().pop_back();
  if (context)
    contextStack().push_back(reinterpret_cast<Device *>(context));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetCurrent(cuda::Context *context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!context)
    return cuda::kInvalidValue;
  *context = reinterpret_cast<cuda::Context>(top());
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetDevice(cuda::Device *ordinal) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!ordinal)
    return cuda::kInvalidValue;
  *ordinal = device->ordinal;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxSynchronize() {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  device->synchronize();
  return device->fault();
}

HETERO_CUDA_API cuCtxGetApiVersion(cuda::Context context, unsigned *version) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (context)
    if (cuda::Result error = checkContext(context))
      return error;
  if (!version)
    return cuda::kInvalidValue;
  *version = 3020; // That of the functions whose names end in _v2.
  return cuda::kSuccess;
}

/// All streams have the same priority.
HETERO_CUDA_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  for (int *end : {least, greatest})
    if (end)
      *end = 0;
  return cuda::kSuccess;
}

/// How shared memory and caches share what they have is a hint.
HETERO_CUDA_API cuCtxSetCacheConfig(int) {
  Device *device;
  return getCurrent(device);
}
