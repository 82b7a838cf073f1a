//===- Devices.cpp - Initialization and devices ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Devices.h"

#include "Emulator/Driver/Control.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"

#include "Emulator/Execute/Access.h"
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

static bool configure(Config &config) {
  const char *text = std::getenv("HETERO_EMULATOR");
  std::string error;
  bool valid = parseConfig(text ? text : "", config, error);
  if (valid && !openLog(config.log)) {
    error = "HETERO_EMULATOR: cannot write the log '" + config.log +
            "'; name a file in a folder that can be written";
    valid = false;
  }
  if (valid && !reportTimelineAtExit(config.timeline)) {
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

/// Where in which allocation.
static std::string placeOf(Span span) {
  std::string bytes = std::to_string(span.end - span.begin) + " bytes at ";
  Device *device = getDriver()->deviceOf(span.begin);
  AccessWindow window;
  if (!device)
    return bytes + hexadecimal(span.begin) + " of the host";
  if (!device->memory.translate(span.begin, 1, &window))
    return bytes + hexadecimal(span.begin) +
           " of gpu:" + std::to_string(device->ordinal);
  return bytes + "offset " + std::to_string(span.begin - window.begin) +
         " of the allocation of " + std::to_string(window.size) + " bytes at " +
         hexadecimal(window.begin) +
         " on gpu:" + std::to_string(device->ordinal);
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
    driver->timelines = std::make_unique<Timelines>(driver->config);
  else if (!driver->config.timeline.empty())
    driver->wallTimes = std::make_unique<WallTimes>();
  if (driver->config.checksRaces)
    driver->races = std::make_unique<Races>(placeOf);
  setRandomSchedule(driver->config.randomSchedule, driver->config.seed);
  setNumWorkers(driver->config.threads);
  setFailPoints(driver->config.fail);
  bool none = driver->devices.empty();
  setDriver(std::move(driver));
  return none ? cuda::kNoDevice : cuda::kSuccess;
}

HETERO_CUDA_API cuDriverGetVersion(int *version) {
  if (!version)
    return cuda::kInvalidValue;
  *version = 13000;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

cuda::Result hetero::emulator::findDevice(cuda::Device ordinal,
                                          Device *&device) {
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

/// CUdevice_attribute by number: those that all devices have alike.
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
    {13, 1000000},    // clock in kHz
    {14, 512},        // texture alignment
    {15, 1},          // copies overlap kernels
    {19, 1},          // mapped memory of the host
    {31, 1},          // concurrent kernels
    {36, 1000000},    // memory clock in kHz
    {37, 64},         // bus width
    {38, 4194304},    // L2 cache
    {40, 2},          // copy engines
    {41, 1},          // unified addressing
    {78, 1},          // stream priorities
    {79, 1},          // global memory in the L1 cache
    {80, 1},          // local memory in the L1 cache
    {82, 65536},      // registers per multiprocessor
    {83, 1},          // managed memory
    {91, 1},          // registered memory has one address
    {99, 1},          // cuMemHostRegister
    {102, 1},         // cuMemAddressReserve
    {113, 1},         // memory registered for reading only
    {115, 1},         // memory pools
    {122, 1},         // cuStreamWaitValue64
    {123, 1},         // CU_STREAM_WAIT_VALUE_NOR
};

/// Those that follow from the compute capability; 0 for the rest. Clusters are
/// not among them: no launch can have one.
static int getCapabilityAttribute(const Device &device, int attribute) {
  const Capability &limits = device.limits;
  bool isPascal = device.major >= 6;
  switch (attribute) {
  case cuda::kComputeCapabilityMajor:
    return device.major;
  case cuda::kComputeCapabilityMinor:
    return device.minor;
  case 12:
    return limits.blockRegisters;
  case 39:
    return limits.threads();
  case 81:
    return limits.sharedBytes();
  case 87:
    return limits.doubleRatio;
  case 89: // managed memory that host and device access at once
  case 90: // kernels can be preempted
  case 95: // cooperative launches
    return isPascal;
  case 97:
    return limits.blockSharedBytes();
  case 106:
    return limits.blocks;
  case 108:
    return limits.persistingCache();
  case 109:
    return limits.accessWindow();
  case 111:
    return limits.reservedShared();
  case 126:
    return limits.syncDomains();
  case 127: // tensor maps
    return device.major >= 9;
  default:
    return 0;
  }
}

HETERO_CUDA_API cuDeviceGetAttribute(int *value, int attribute,
                                     cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!value || attribute <= 0)
    return cuda::kInvalidValue;
  *value = getCapabilityAttribute(*device, attribute);
  if (attribute == 16) // multiprocessors
    *value = getNumWorkers();
  else if (attribute == 33) // bus of PCI
    *value = ordinal + 1;
  for (Attribute known : kAttributes)
    if (known.number == attribute)
      *value = known.value;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceComputeCapability(int *major, int *minor,
                                          cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!major || !minor)
    return cuda::kInvalidValue;
  *major = device->major;
  *minor = device->minor;
  return cuda::kSuccess;
}

/// CUdevprop: the attributes from 1 to 14, in their order.
HETERO_CUDA_API cuDeviceGetProperties(int *result, cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  for (int attribute = 1; attribute <= 14; ++attribute)
    cuDeviceGetAttribute(result++, attribute, ordinal);
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Names of devices
//===----------------------------------------------------------------------===//

/// CUuuid: differs among devices and is the same in every process.
HETERO_CUDA_API cuDeviceGetUuid_v2(char *bytes, cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!bytes)
    return cuda::kInvalidValue;
  std::memcpy(bytes, "hetero emulator", 15);
  bytes[15] = static_cast<char>(ordinal);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGetUuid(char *bytes, cuda::Device ordinal) {
  return cuDeviceGetUuid_v2(bytes, ordinal);
}

/// Each device is the only one of a bus.
HETERO_CUDA_API cuDeviceGetPCIBusId(char *name, int size,
                                    cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!name || size <= 0)
    return cuda::kInvalidValue;
  std::snprintf(name, size, "0000:%02x:00.0", ordinal + 1);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGetByPCIBusId(cuda::Device *result, const char *name) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!result || !name)
    return cuda::kInvalidValue;
  unsigned domain = 0, bus = 0, number = 0, function = 0;
  bool isName = std::sscanf(name, "%x:%x:%x.%u", &domain, &bus, &number,
                            &function) == 4 ||
                (domain = 0, function = 0,
                 std::sscanf(name, "%x:%x.%u", &bus, &number, &function) >= 2);
  Device *device;
  if (!isName || domain || number || function ||
      findDevice(static_cast<int>(bus) - 1, device))
    return cuda::kInvalidDevice;
  *result = device->ordinal;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Peers: kernels reach the memory of their own device only
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuDeviceCanAccessPeer(int *can, cuda::Device ordinal,
                                      cuda::Device peer) {
  Device *device;
  for (cuda::Device each : {ordinal, peer})
    if (cuda::Result error = findDevice(each, device))
      return error;
  if (!can)
    return cuda::kInvalidValue;
  *can = 0;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDeviceGetP2PAttribute(int *value, int attribute,
                                        cuda::Device ordinal,
                                        cuda::Device peer) {
  Device *device;
  for (cuda::Device each : {ordinal, peer})
    if (cuda::Result error = findDevice(each, device))
      return error;
  if (ordinal == peer)
    return cuda::kInvalidDevice;
  if (!value || attribute < 1 || attribute > 5)
    return cuda::kInvalidValue;
  *value = 0;
  return cuda::kSuccess;
}

/// Blocks cannot be kept to some of the multiprocessors.
HETERO_CUDA_API cuDeviceGetExecAffinitySupport(int *isSupported, int,
                                               cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!isSupported)
    return cuda::kInvalidValue;
  *isSupported = 0;
  return cuda::kSuccess;
}
