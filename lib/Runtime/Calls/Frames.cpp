//===- Frames.cpp - What one call of an entry point holds -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Driver.h"
#include "Runtime/Device/Memory/Allocations.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Host/Rank.h"
#include "Runtime/Nodes/Session.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"
#include "hetero/Runtime/HeteroRequests.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace hetero::runtime;

HeteroStatus heteroFrameBegin(const char *) {
  pushFrame();
  return HETERO_OK;
}

/// Waits for the devices of the frame; the first failure after that of the
/// call.
static HeteroStatus waitForDevices(const Frame &frame, HeteroStatus status,
                                   std::string &text) {
  for (int32_t device : frame.devices) {
    HeteroStatus waited = waitForDevice(device);
    if (status == HETERO_OK && waited != HETERO_OK) {
      status = waited;
      text = lastError();
    }
  }
  return status;
}

/// Gives up transfers that were not awaited; returns what memory must stay.
static std::vector<MemoryRange> cancelTransfers(const Frame &frame) {
  Session *session = currentSession();
  return session ? session->cancelTransfers(&frame)
                 : std::vector<MemoryRange>();
}

/// Whether one of the ranges begins in the memory.
static bool holdsAny(const std::vector<MemoryRange> &ranges,
                     const void *pointer, int64_t bytes) {
  const char *begin = static_cast<const char *>(pointer);
  return std::any_of(ranges.begin(), ranges.end(), [&](MemoryRange range) {
    return range.first >= begin && range.first < begin + bytes;
  });
}

/// Memory that a transfer may still use when nobody else does stays until the
/// process ends. It is noted, so that it does not count as lost.
static void keepForTransfers(void *pointer) {
  static std::mutex mutex;
  static auto *kept = new std::vector<void *>();
  std::lock_guard<std::mutex> lock(mutex);
  kept->push_back(pointer);
}

HeteroStatus heteroFrameEnd(HeteroStatus status) {
  Frame *frame = currentFrame();
  if (!frame)
    return failWithoutFrame("heteroFrameEnd");
  endHostRegion();
  std::string text = lastError();
  std::vector<MemoryRange> inUse = cancelTransfers(*frame);
  status = waitForDevices(*frame, status, text);
  const std::vector<void *> &donated = frame->donated;
  frame->allocations.takeIf([&](const auto &place, int64_t bytes) {
    if (status == HETERO_OK && std::find(donated.begin(), donated.end(),
                                         place.second) == donated.end())
      countLeftover(place.first, bytes);
    if (place.first == HETERO_HOST && holdsAny(inUse, place.second, bytes))
      keepForTransfers(place.second);
    else
      release(place.first, place.second, bytes);
    return true;
  });
  popFrame();
  if (status != HETERO_OK)
    setLastError(text);
  return status;
}

HeteroStatus heteroAlloc(int32_t device, int64_t bytes, int64_t alignment,
                         void **pointer) {
  Frame *frame = currentFrame();
  if (!frame)
    return failWithoutFrame("heteroAlloc");
  device = inProcess(device);
  useInFrame(device < HETERO_HOST ? sharerOf(device) : device);
  HeteroStatus status = allocate(device, bytes, alignment, pointer);
  if (status == HETERO_OK)
    frame->hold(std::max(device, HETERO_HOST), *pointer, bytes);
  return status;
}

static HeteroStatus notHeld(const char *call, int32_t device) {
  return fail(HETERO_ERROR_PROGRAM,
              std::string(call) + " got an address on " + deviceName(device) +
                  " that the program does not hold; this is a bug in the "
                  "compiled program");
}

HeteroStatus heteroFree(int32_t device, void *pointer) {
  device = ownerOf(inProcess(device), pointer);
  int64_t bytes;
  if (!takeFromFrames(device, pointer, bytes))
    return notHeld("heteroFree", device);
  return release(device, pointer, bytes);
}

HeteroStatus heteroDetach(int32_t device, void *pointer) {
  device = ownerOf(inProcess(device), pointer);
  int64_t bytes;
  if (!takeFromFrames(device, pointer, bytes))
    return notHeld("heteroDetach", device);
  rememberDetached(device, pointer, bytes);
  return HETERO_OK;
}

namespace {
/// What host regions take on a virtual clock, by name, in picoseconds.
struct HostTimes {
  std::atomic<bool> areKnown{false};
  std::mutex mutex;
  std::map<std::string, uint64_t> times;
};
} // namespace

static HostTimes &hostTimes() {
  static HostTimes *instance = new HostTimes;
  return *instance;
}

/// The emulated host takes the time of the region, whatever the host takes.
static void workVirtually(const char *name) {
  HostTimes &all = hostTimes();
  Driver *driver = all.areKnown ? getLoadedDriver() : nullptr;
  if (!driver || !driver->hostWorks)
    return;
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.times.find(name);
  if (it != all.times.end())
    driver->hostWorks(it->second);
}

void heteroSetHostTimes(const char *const *names, const uint64_t *picoseconds,
                        int64_t count) {
  HostTimes &all = hostTimes();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.times.clear();
  for (int64_t i = 0; i < count; ++i)
    all.times[names[i]] = picoseconds[i];
  all.areKnown = count > 0;
}

HeteroStatus heteroHostRegion(const char *name) {
  countHostRegion(name);
  HeteroStatus status = endSequence();
  beginHostRegion(name);
  workVirtually(name);
  return status;
}

HeteroStatus heteroHostRegionEnd(void) {
  endHostRegion();
  return HETERO_OK;
}
