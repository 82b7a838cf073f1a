//===- Devices.cpp - The devices of the program, by number ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Devices.h"

#include "Runtime/Device/Constants.h"
#include "Runtime/Device/Device.h"
#include "Runtime/Device/Memory/Allocations.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/HostMemory.h"
#include "Runtime/Host/Rank.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace hetero::runtime;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Device map
//===----------------------------------------------------------------------===//

namespace {
/// The program's devices and the machine's.
struct Registry {
  std::mutex mutex;
  bool mapRead = false;
  std::map<int32_t, int32_t> map;
  /// By device of the machine: those of the program that were on it.
  std::map<int32_t, std::set<int32_t>> sharing;
  /// By rank of the process, what its gpu:0 is before the map.
  std::vector<int32_t> firstDevices;
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
    if (!map.emplace(from, to).second)
      return fail(HETERO_ERROR_INVALID_ARGUMENT,
                  "the device map '" + std::string(text) + "' has " +
                      deviceName(from) + " twice; keep one of its pairs");
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
  all.sharing.clear();
  all.mapRead = true;
  return HETERO_OK;
}

void hetero::runtime::setFirstDevices(std::vector<int32_t> devices) {
  forgetSequences();
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (devices != all.firstDevices)
    all.close();
  all.firstDevices = std::move(devices);
  divideDevices();
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

/// The driver has no device for `id`, which is `own` for the map, which gives
/// it to `ordinal`.
static HeteroStatus failNoDevice(const Driver &driver, int32_t id, int32_t own,
                                 int32_t ordinal) {
  std::string mapped;
  if (own != id)
    mapped = ", the machine's " + deviceName(own);
  if (ordinal != own)
    mapped += ", which the device map gives to " + deviceName(ordinal);
  return fail(HETERO_ERROR_NO_DEVICE,
              "the program needs " + deviceName(id) + mapped + ", but " +
                  driver.name + " has " + std::to_string(driver.deviceCount) +
                  " device(s); map it to one of them with --device-map or "
                  "HETERO_DEVICE_MAP, for example gpu:" +
                  std::to_string(own) + "=gpu:0");
}

/// The machine's number of the program's device, which must be there.
static HeteroStatus getOrdinal(Registry &all, const Driver &driver, int32_t id,
                               int32_t *ordinal) {
  if (HeteroStatus status = readMap(all))
    return status;
  auto [rank, number] = inProgram(id);
  bool isOfRank = static_cast<size_t>(rank) < all.firstDevices.size();
  int32_t own = isOfRank ? all.firstDevices[rank] + number : id;
  auto it = all.map.find(own);
  *ordinal = it == all.map.end() ? own : it->second;
  return id < 0 || *ordinal >= driver.deviceCount
             ? failNoDevice(driver, id, own, *ordinal)
             : HETERO_OK;
}

/// Says once that the map gives a device of the machine to this one and to
/// another one of the program: times and peaks of memory are not those of two.
static void noteSharing(Registry &all, int32_t id, int32_t ordinal) {
  std::set<int32_t> &sharing = all.sharing[ordinal];
  if (!sharing.insert(id).second || sharing.size() == 1 || all.map.empty())
    return;
  std::string names;
  for (int32_t device : sharing)
    names += (names.empty() ? "" : " and ") + deviceName(device);
  std::fprintf(stderr,
               "hetero: the device map gives %s of the program to %s of the "
               "machine; they share its memory and take turns\n",
               names.c_str(), deviceName(ordinal).c_str());
}

HeteroStatus hetero::runtime::getDevice(int32_t id, Device **device) {
  Driver *driver;
  if (HeteroStatus status = getDriver(&driver))
    return status;
  Registry &all = registry();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    auto it = all.devices.find(id);
    if (it == all.devices.end()) {
      int32_t ordinal;
      if (HeteroStatus status = getOrdinal(all, *driver, id, &ordinal))
        return status;
      noteSharing(all, id, ordinal);
      it = all.devices
               .emplace(id, std::make_shared<Device>(*driver, id, ordinal))
               .first;
    }
    *device = it->second.get();
  }
  return (*device)->open();
}

/// Whether the program's device is there; opens nothing.
static bool hasDevice(int32_t id) {
  Driver *driver;
  if (getDriver(&driver))
    return false;
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  int32_t ordinal;
  return getOrdinal(all, *driver, id, &ordinal) == HETERO_OK;
}

int32_t heteroLacksDevice(const char *entry, const int32_t *devices,
                          int32_t count, int32_t numArguments) {
  std::string error = lastError();
  for (int32_t i = 0; i < count; ++i)
    if (int32_t device = inProcess(devices[i]); !hasDevice(device)) {
      // It is no failure of the call.
      setLastError(error);
      if (numArguments != HETERO_INITIALIZE)
        countFallback(entry, device);
      return 1;
    }
  return 0;
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
                                               bool isKept, void **pointer) {
  Device *device;
  if (HeteroStatus status = getDevice(id, &device))
    return status;
  Lane *lane = currentLane();
  for (;;) {
    int64_t numReturned = lane ? lane->lanes.countReturned() : 0;
    HeteroStatus status = device->allocate(bytes, isKept, pointer);
    if (status == HETERO_ERROR_OUT_OF_MEMORY && device->hasUnused())
      status = withNothingHeld(
          [&] { return device->allocateAnew(bytes, isKept, pointer); });
    if (status != HETERO_ERROR_OUT_OF_MEMORY || !lane)
      return status;
    // Others give back what they have when they return.
    std::string error = lastError();
    if (!lane->lanes.waitForMemory(*lane, numReturned)) {
      setLastError(error);
      return status;
    }
  }
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
  if (!freeAfterHeld(*device, pointer))
    device->free(pointer);
  return HETERO_OK;
}

/// Waits for the lane's own streams without the device's lock, which other
/// lanes need meanwhile. What fails the caller finds when it looks.
static void waitInLane(Lane &lane, Device &device, int32_t unit) {
  std::vector<cuda::Stream> streams = device.getBusyStreams(unit);
  if (streams.empty() || lane.lanes.waitForStreams(lane, streams) ||
      !device.getContext().tryEnter())
    return;
  for (cuda::Stream stream : streams)
    device.getContext().getFunctions().streamSynchronize(stream);
}

static HeteroStatus waitForUnitInLane(Lane &lane, int32_t id, int32_t unit) {
  if (HeteroStatus status = endSequence())
    return status;
  Device *device;
  if (HeteroStatus status = getDevice(id, &device))
    return status;
  Moment begin = isTracing() ? Moment::now() : Moment();
  waitInLane(lane, *device, unit);
  return device->wait(unit, begin);
}

HeteroStatus hetero::runtime::waitForAllDevices() {
  HeteroStatus status = HETERO_OK;
  for (const std::shared_ptr<Device> &device : registry().all())
    if (status == HETERO_OK)
      status = waitForDevice(device->getId());
  return status;
}

HeteroStatus hetero::runtime::waitForUnit(int32_t id, int32_t unit) {
  if (Lane *lane = currentLane())
    return waitForUnitInLane(*lane, id, unit);
  WaitScope scope;
  HeteroStatus ended = endSequence();
  std::string error = lastError();
  Device *device;
  HeteroStatus status = getDevice(id, &device);
  if (status == HETERO_OK)
    status = device->wait(unit, isTracing() ? Moment::now() : Moment());
  if (ended == HETERO_OK)
    return status;
  setLastError(error);
  return ended;
}

HeteroStatus hetero::runtime::waitForDevice(int32_t id) {
  return waitForUnit(id, Context::kNoUnit);
}

void hetero::runtime::dropCopiesTo(const void *host, int64_t bytes) {
  dropHeldCopiesTo(host, bytes);
  // Waits for no device.
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto &[id, device] : all.devices)
    device->dropCopiesTo(host, bytes);
}

void hetero::runtime::forgetOnDevices(const void *host, int64_t bytes) {
  // A program that stays to the end is unloaded after its driver.
  if (isDriverGone())
    return;
  forgetSequences();
  for (const std::shared_ptr<Device> &device : registry().all())
    device->forget(host, bytes);
}

/// On the clock that counts, which may have begun to move since then.
static int64_t nanosecondsSince(Moment start) {
  Moment end = Moment::now();
  auto clock = Moment::clock();
  return end.*clock - start.*clock;
}

HeteroStatus
hetero::runtime::measureLaunch(int32_t device, const char *kernel,
                               const std::function<HeteroStatus()> &launch) {
  if (HeteroStatus status = waitForDevice(device))
    return status;
  Moment start = Moment::now();
  if (HeteroStatus status = launch())
    return status;
  HeteroStatus status = waitForDevice(device);
  if (status == HETERO_OK)
    countMeasured(device, kernel, nanosecondsSince(start));
  return status;
}

/// Waits for what is not the host.
static HeteroStatus waitForEnds(int32_t to, int32_t from) {
  for (int32_t end : {to, from})
    if (end != HETERO_HOST)
      if (HeteroStatus status = waitForDevice(end))
        return status;
  return HETERO_OK;
}

HeteroStatus
hetero::runtime::measureCopy(int32_t to, int32_t from, const char *value,
                             int64_t bytes,
                             const std::function<HeteroStatus()> &copy) {
  if (HeteroStatus status = waitForEnds(to, from))
    return status;
  Moment start = Moment::now();
  HeteroStatus status = copy();
  if (status == HETERO_OK)
    status = waitForEnds(to, from);
  if (status == HETERO_OK)
    countMeasuredCopy(value, from, to, bytes, nanosecondsSince(start));
  return status;
}

HeteroStatus heteroDescribeDevice(int32_t id, HeteroDeviceInfo *info) {
  Driver *driver;
  if (HeteroStatus status = getDriver(&driver))
    return status;
  int32_t ordinal;
  {
    Registry &all = registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    if (HeteroStatus status = getOrdinal(all, *driver, id, &ordinal))
      return status;
  }
  *info = HeteroDeviceInfo();
  const cuda::Functions &cu = driver->functions;
  cuda::Device device;
  size_t bytes = 0;
  cuda::Result result = cu.deviceGet(&device, ordinal);
  if (result == cuda::kSuccess && cu.deviceGetName)
    result = cu.deviceGetName(info->name, sizeof info->name, device);
  if (result == cuda::kSuccess && cu.deviceTotalMem)
    result = cu.deviceTotalMem(&bytes, device);
  if (result == cuda::kSuccess)
    result = cu.deviceGetAttribute(&info->major, cuda::kComputeCapabilityMajor,
                                   device);
  if (result == cuda::kSuccess)
    result = cu.deviceGetAttribute(&info->minor, cuda::kComputeCapabilityMinor,
                                   device);
  info->memory = static_cast<int64_t>(bytes);
  return result == cuda::kSuccess
             ? HETERO_OK
             : fail(HETERO_ERROR_DRIVER, "the driver cannot describe " +
                                             deviceName(id) + ": " +
                                             driver->describe(result));
}
