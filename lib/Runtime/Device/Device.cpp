//===- Device.cpp - A GPU: its context and memory -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Device.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Libraries/DeviceLibrary.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace hetero::runtime;
using namespace hetero;

static cuda::DevicePointer address(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
}

/// Describes a call by its bytes.
static auto inBytes(int64_t bytes) {
  return [bytes] { return std::to_string(bytes) + " bytes"; };
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
struct Diagnosis {
  HeteroStatus status;
  const char *remedy;
};
} // namespace

static Diagnosis diagnose(cuda::Result result) {
  switch (result) {
  case cuda::kOutOfMemory:
    return {HETERO_ERROR_OUT_OF_MEMORY,
            "free memory on the device, use a smaller batch, or place fewer "
            "operations there"};
  case cuda::kInvalidImage:
  case cuda::kNoBinaryForGpu:
  case cuda::kInvalidPtx:
  case cuda::kUnsupportedPtxVersion:
  case cuda::kNotFound:
    return {HETERO_ERROR_MODULE,
            "compile for this device's architecture with --chip"};
  case cuda::kIllegalAddress:
  case cuda::kIllegalInstruction:
  case cuda::kMisalignedAddress:
  case cuda::kInvalidAddressSpace:
  case cuda::kAssert:
  case cuda::kInvalidPc:
  case cuda::kHardwareStackError:
  case cuda::kLaunchFailed:
  case cuda::kLaunchTimeout:
    return {HETERO_ERROR_LAUNCH,
            "call heteroReset() before the next program, and check the "
            "program's sizes"};
  case cuda::kLaunchOutOfResources:
    return {HETERO_ERROR_LAUNCH,
            "compile for this device's architecture with --chip"};
  case cuda::kDeviceLost:
  case cuda::kEccUncorrectable:
    return {HETERO_ERROR_DEVICE_LOST,
            "call heteroReset() before the next program"};
  default:
    return {HETERO_ERROR_DRIVER, "check the driver's installation"};
  }
}

HeteroStatus Device::failCall(cuda::Result result, const char *call,
                              const std::string &detail, int32_t unit) {
  Diagnosis diagnosis = diagnose(result);
  // After these the context answers every call with the same error. A kernel
  // that asked for too much has not run and harmed nothing.
  isLost |= (diagnosis.status == HETERO_ERROR_LAUNCH &&
             result != cuda::kLaunchOutOfResources) ||
            diagnosis.status == HETERO_ERROR_DEVICE_LOST;
  std::string text = std::string(call) + " failed on " + deviceName(id);
  if (id != ordinal)
    text += " (the machine's gpu:" + std::to_string(ordinal) + ")";
  if (unit != kNoStream)
    text += ", stream " + std::to_string(unit);
  text += ": " + driver.describe(result);
  if (!detail.empty())
    text += ": " + detail;
  if (driver.lastFault && (isLost || diagnosis.status == HETERO_ERROR_LAUNCH))
    if (const char *fault = driver.lastFault(); fault && *fault)
      text += std::string(": ") + fault;
  return fail(diagnosis.status, text + "; " + diagnosis.remedy);
}

//===----------------------------------------------------------------------===//
// Opening and closing
//===----------------------------------------------------------------------===//

HeteroStatus Device::open() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (isLost)
    return fail(HETERO_ERROR_DEVICE_LOST,
                deviceName(id) + " failed before and cannot be used; call "
                                 "heteroReset() first");
  if (isOpen)
    return HETERO_OK;
  const cuda::Functions &cu = driver.functions;
  HeteroStatus status = check(cu.deviceGet(&device, ordinal), "cuDeviceGet");
  if (status == HETERO_OK)
    status = check(cu.primaryCtxRetain(&context, device),
                   "cuDevicePrimaryCtxRetain");
  if (status == HETERO_OK)
    status = check(cu.ctxSetCurrent(context), "cuCtxSetCurrent");
  cuda::Stream stream;
  if (status == HETERO_OK)
    status = getStream(0, &stream);
  if (status == HETERO_OK)
    status = check(
        cu.deviceGetAttribute(&major, cuda::kComputeCapabilityMajor, device),
        "cuDeviceGetAttribute");
  if (status == HETERO_OK)
    status = check(
        cu.deviceGetAttribute(&minor, cuda::kComputeCapabilityMinor, device),
        "cuDeviceGetAttribute");
  isOpen = status == HETERO_OK;
  if (isOpen || isLost || !context)
    return status;
  // The next call tries it all again. What is lost waits for close().
  cu.primaryCtxRelease(device);
  context = nullptr;
  streams.clear();
  return status;
}

HeteroStatus Device::makeCurrent() {
  return check(driver.functions.ctxSetCurrent(context), "cuCtxSetCurrent");
}

void Device::close() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (context) {
    driver.functions.ctxSetCurrent(context);
    libraries.clear();
    // Takes memory, modules and streams along, after a fault too.
    driver.functions.primaryCtxReset(device);
    driver.functions.primaryCtxRelease(device);
  }
  context = nullptr;
  streams.clear();
  hasReused = false;
  retired.clear();
  hasUnmarked = false;
  isOpen = isLost = false;
  cache.clear();
  blocks.clear();
  freeStaging.clear();
  busyStaging.clear();
  busyStagingBytes = 0;
  {
    std::lock_guard<std::mutex> pendingLock(pendingMutex);
    pending.clear();
  }
  modules.clear();
  kernels.clear();
  for (const auto &[constant, block] : constants)
    countFree(id, block.bytes);
  constants.clear();
  trace.clear();
}

void Device::forget(const void *host, int64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto *begin = static_cast<const char *>(host), *end = begin + bytes;
  auto isInside = [&](const void *place) {
    auto *first = static_cast<const char *>(place);
    return first >= begin && first < end;
  };
  // What these calls return does not matter: after a failure the module goes
  // with its context.
  bool isUsable = isOpen && !isLost &&
                  driver.functions.ctxSetCurrent(context) == cuda::kSuccess;
  for (auto it = kernels.begin(); it != kernels.end();)
    it = isInside(it->first.first.first) ? kernels.erase(it) : std::next(it);
  for (auto it = modules.begin(); it != modules.end();) {
    bool isGone = isInside(it->first.first);
    if (isGone && isUsable)
      driver.functions.moduleUnload(it->second);
    it = isGone ? modules.erase(it) : std::next(it);
  }
  for (auto &[key, library] : libraries)
    if (isUsable && library)
      library->forget(*this, begin, end);
  for (auto it = constants.begin(); it != constants.end();) {
    if (!isInside(it->first)) {
      ++it;
      continue;
    }
    countFree(id, it->second.bytes);
    free(it->second.memory);
    it = constants.erase(it);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

HeteroStatus Device::allocate(int64_t bytes, void **pointer) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  int64_t size = blockSize(bytes);
  if (HeteroStatus status = markRetired())
    return status;
  reviveBlocks(/*all=*/false);
  *pointer = cache.take(size);
  if (*pointer)
    return HETERO_OK;
  HeteroStatus status = makeCurrent();
  if (status != HETERO_OK)
    return status;
  cuda::DevicePointer block = 0;
  status = check(driver.functions.memAlloc(&block, size), "cuMemAlloc",
                 inBytes(bytes));
  if (status != HETERO_OK)
    return status;
  *pointer = reinterpret_cast<void *>(block);
  blocks[*pointer] = size;
  cache.announce(size);
  return HETERO_OK;
}

bool hetero::runtime::hasProperty(const Device &device, int attribute) {
  int value = 0;
  const cuda::Functions &cu = device.driver.functions;
  return cu.deviceGetAttribute(&value, attribute, device.device) ==
             cuda::kSuccess &&
         value == 1;
}

bool Device::hasUnused() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return !cache.empty() || !retired.empty();
}

HeteroStatus Device::allocateAnew(int64_t bytes, void **pointer) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  releaseCache();
  return allocate(bytes, pointer);
}

HeteroStatus Device::free(void *pointer) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto it = blocks.find(pointer);
  if (it == blocks.end())
    return HETERO_OK; // from before a reset
  retire(pointer, it->second);
  return HETERO_OK;
}

/// Gives unused blocks back to the driver, once nothing uses them.
void Device::releaseCache() {
  if (synchronize() != HETERO_OK)
    return;
  cache.forEach([&](void *pointer) {
    blocks.erase(pointer);
    driver.functions.memFree(address(pointer));
  });
  cache.clear();
}

HeteroStatus Device::takeStaging(int64_t bytes, Staging *staging) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (busyStagingBytes + bytes > kStagingLimit && !busyStaging.empty()) {
    HeteroStatus status = synchronize();
    if (status != HETERO_OK)
      return status;
  }
  staging->bytes = bytes;
  staging->memory = freeStaging.takeAtLeast(staging->bytes);
  if (!staging->memory) {
    staging->bytes = blockSize(bytes);
    HeteroStatus status = makeCurrent();
    if (status == HETERO_OK)
      status =
          check(driver.functions.memHostAlloc(&staging->memory, staging->bytes,
                                              cuda::kMemHostAllocPortable),
                "cuMemHostAlloc", inBytes(bytes));
    if (status != HETERO_OK)
      return status;
    freeStaging.announce(staging->bytes);
  }
  return HETERO_OK;
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// Completes copies to the host and takes staging memory back, of one unit or
/// of all.
void Device::finishCopies(bool areDone, int32_t unit) {
  auto isPart = [&](int32_t other) {
    return unit == kNoStream || other == unit;
  };
  {
    // Not held while the device works: whoever frees host memory must not wait
    // for a device.
    std::lock_guard<std::mutex> lock(pendingMutex);
    auto last = std::remove_if(
        pending.begin(), pending.end(), [&](const PendingCopy &copy) {
          if (isPart(copy.unit) && areDone)
            copyRowsOnHost(copy.target, copy.staging.memory, copy.rows);
          return isPart(copy.unit);
        });
    pending.erase(last, pending.end());
  }
  // So that the next call gets it in the same order.
  for (auto it = busyStaging.rbegin(); it != busyStaging.rend(); ++it)
    if (isPart(it->unit)) {
      freeStaging.put(it->staging.bytes, it->staging.memory);
      busyStagingBytes -= it->staging.bytes;
    }
  busyStaging.erase(std::remove_if(busyStaging.begin(), busyStaging.end(),
                                   [&](const BusyStaging &busy) {
                                     return isPart(busy.unit);
                                   }),
                    busyStaging.end());
}

HeteroStatus Device::synchronize() {
  HeteroStatus status = makeCurrent();
  for (size_t unit = 0; unit < streams.size(); ++unit)
    if (status == HETERO_OK)
      status = synchronize(static_cast<int32_t>(unit));
  finishCopies(status == HETERO_OK, kNoStream);
  if (status == HETERO_OK) {
    hasReused = false;
    trace.resolve(driver.functions, id);
    reviveBlocks(/*all=*/true);
  }
  return status;
}

HeteroStatus Device::synchronizeUnit(int32_t unit) {
  HeteroStatus status = makeCurrent();
  if (status == HETERO_OK && static_cast<size_t>(unit) < streams.size())
    status = synchronize(unit);
  finishCopies(status == HETERO_OK, unit);
  return status;
}

void Device::dropCopiesTo(const void *host, int64_t bytes) {
  std::lock_guard<std::mutex> lock(pendingMutex);
  const char *begin = static_cast<const char *>(host), *end = begin + bytes;
  pending.erase(std::remove_if(pending.begin(), pending.end(),
                               [&](const PendingCopy &copy) {
                                 auto *target =
                                     static_cast<const char *>(copy.target);
                                 return target >= begin && target < end;
                               }),
                pending.end());
}

HeteroStatus Device::wait(int32_t unit) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!isOpen)
    return HETERO_OK;
  countWait(id);
  auto wait = [&] {
    return unit == kNoStream ? synchronize() : synchronizeUnit(unit);
  };
  if (!isTracing())
    return wait();
  Moment begin = Moment::now();
  HeteroStatus status = wait();
  std::string name = "wait for " + deviceName(id);
  if (unit != kNoStream)
    name += ", stream " + std::to_string(unit);
  traceHost("wait", name, begin);
  return status;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

HeteroStatus Device::upload(HeteroConstant &constant) {
  // One of a program that was here before and did not say when it went.
  forget(&constant, sizeof constant);
  Staging block;
  block.bytes = constant.bytes;
  HeteroStatus status = allocateOnDevice(id, block.bytes, &block.memory);
  if (status != HETERO_OK)
    return status;
  status =
      copyStaged(*this, /*unit=*/0, /*isIn=*/true, block.memory, constant.host,
                 Rows::contiguous(block.bytes), constant.name);
  if (status != HETERO_OK) {
    free(block.memory);
    return status;
  }
  constant.address = block.memory;
  countResident(constant.name, id, block.bytes);
  countAllocation(id, block.bytes);
  std::lock_guard<std::recursive_mutex> lock(mutex);
  constants[&constant] = block;
  return HETERO_OK;
}

HeteroStatus Device::finishUploads() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return synchronize();
}
