//===- Frames.cpp - What one call of an entry point holds -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Frame.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/HostMemory.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace hetero::runtime;

static thread_local Frame *current = nullptr;

Frame *hetero::runtime::currentFrame() { return current; }

void hetero::runtime::useInFrame(int32_t device) {
  if (current && device != HETERO_HOST)
    current->use(device);
}

Frame *hetero::runtime::exchangeCurrentFrame(Frame *frame) {
  std::swap(current, frame);
  return frame;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

int32_t hetero::runtime::ownerOf(int32_t device, const void *pointer) {
  return device < HETERO_HOST || isShared(pointer, 0) ? HETERO_HOST : device;
}

/// Wherever the device's number says.
static HeteroStatus allocateAt(int32_t device, int64_t bytes, int64_t alignment,
                               void **pointer) {
  if (device == HETERO_HOST)
    return allocateOnHost(bytes, alignment, pointer);
  return device < HETERO_HOST ? allocateShared(sharerOf(device), bytes, pointer)
                              : allocateOnDevice(device, bytes, pointer);
}

HeteroStatus hetero::runtime::allocate(int32_t device, int64_t bytes,
                                       int64_t alignment, void **pointer) {
  if (bytes < 0)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "cannot allocate a negative number of bytes on " +
                    deviceName(std::max(device, HETERO_HOST)) +
                    "; check the dynamic sizes");
  HeteroStatus status = allocateAt(device, bytes, alignment, pointer);
  if (status == HETERO_OK)
    countAllocation(std::max(device, HETERO_HOST), bytes);
  return status;
}

HeteroStatus hetero::runtime::release(int32_t device, void *pointer,
                                      int64_t bytes) {
  countFree(device, bytes);
  if (device != HETERO_HOST)
    return freeOnDevice(device, pointer);
  dropCopiesTo(pointer, bytes);
  if (!freeShared(pointer))
    freeOnHost(pointer, bytes);
  return HETERO_OK;
}

namespace {
/// Results and callers' values: allocations that no frame holds.
struct Detached {
  std::mutex mutex;
  Allocations allocations;
};
} // namespace

static Detached &detached() {
  static Detached *instance = new Detached;
  return *instance;
}

void hetero::runtime::rememberDetached(int32_t device, void *pointer,
                                       int64_t bytes) {
  std::lock_guard<std::mutex> lock(detached().mutex);
  detached().allocations.insert({device, pointer}, bytes);
}

bool hetero::runtime::takeDetached(int32_t device, void *pointer,
                                   int64_t &bytes) {
  std::lock_guard<std::mutex> lock(detached().mutex);
  return detached().allocations.take({device, pointer}, bytes);
}

void hetero::runtime::forgetDetachedOnDevices() {
  std::lock_guard<std::mutex> lock(detached().mutex);
  detached().allocations.takeIf([](const auto &place, int64_t bytes) {
    if (place.first == HETERO_HOST && !isShared(place.second, 0))
      return false;
    countFree(place.first, bytes);
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

static HeteroStatus noFrame(const char *call) {
  return fail(HETERO_ERROR_PROGRAM,
              std::string(call) + " was called outside of an entry point; "
                                  "call heteroFrameBegin first");
}

/// Of calls of this thread that are over.
static thread_local std::vector<std::unique_ptr<Frame>> spareFrames;

HeteroStatus heteroFrameBegin(const char *) {
  std::unique_ptr<Frame> frame;
  if (spareFrames.empty()) {
    frame = std::make_unique<Frame>();
  } else {
    frame = std::move(spareFrames.back());
    spareFrames.pop_back();
  }
  frame->parent = current;
  current = frame.release();
  return HETERO_OK;
}

HeteroStatus heteroFrameEnd(HeteroStatus status) {
  if (!current)
    return noFrame("heteroFrameEnd");
  endHostRegion();
  std::unique_ptr<Frame> frame(current);
  std::string text = lastError();
  for (int32_t device : frame->devices) {
    HeteroStatus waited = waitForDevice(device);
    if (status == HETERO_OK && waited != HETERO_OK) {
      status = waited;
      text = lastError();
    }
  }
  const std::vector<void *> &donated = frame->donated;
  frame->allocations.takeIf([&](const auto &place, int64_t bytes) {
    if (status == HETERO_OK && std::find(donated.begin(), donated.end(),
                                         place.second) == donated.end())
      countLeftover(place.first, bytes);
    release(place.first, place.second, bytes);
    return true;
  });
  frame->devices.clear();
  frame->donated.clear();
  current = frame->parent;
  spareFrames.push_back(std::move(frame));
  if (status != HETERO_OK)
    setLastError(text);
  return status;
}

HeteroStatus hetero::runtime::holdInFrame(int32_t device, void *pointer,
                                          int64_t bytes) {
  Frame *frame = current;
  if (!frame)
    return noFrame("heteroDonate");
  useInFrame(device);
  std::lock_guard<std::mutex> lock(frame->mutex);
  frame->allocations.insert({device, pointer}, bytes);
  frame->donated.push_back(pointer);
  return HETERO_OK;
}

HeteroStatus heteroAlloc(int32_t device, int64_t bytes, int64_t alignment,
                         void **pointer) {
  Frame *frame = current;
  if (!frame)
    return noFrame("heteroAlloc");
  useInFrame(device < HETERO_HOST ? sharerOf(device) : device);
  HeteroStatus status = allocate(device, bytes, alignment, pointer);
  if (status != HETERO_OK)
    return status;
  std::lock_guard<std::mutex> lock(frame->mutex);
  frame->allocations.insert({std::max(device, HETERO_HOST), *pointer}, bytes);
  return HETERO_OK;
}

/// Takes an allocation out of the calling thread's frames.
static bool takeFromFrame(int32_t device, void *pointer, int64_t &bytes) {
  for (Frame *frame = current; frame; frame = frame->parent) {
    std::lock_guard<std::mutex> lock(frame->mutex);
    if (frame->allocations.take({device, pointer}, bytes))
      return true;
  }
  return false;
}

static HeteroStatus notHeld(const char *call, int32_t device) {
  return fail(HETERO_ERROR_PROGRAM,
              std::string(call) + " got an address on " + deviceName(device) +
                  " that the program does not hold; this is a bug in the "
                  "compiled program");
}

HeteroStatus heteroFree(int32_t device, void *pointer) {
  device = ownerOf(device, pointer);
  int64_t bytes;
  if (!takeFromFrame(device, pointer, bytes))
    return notHeld("heteroFree", device);
  return release(device, pointer, bytes);
}

HeteroStatus heteroDetach(int32_t device, void *pointer) {
  device = ownerOf(device, pointer);
  int64_t bytes;
  if (!takeFromFrame(device, pointer, bytes))
    return notHeld("heteroDetach", device);
  rememberDetached(device, pointer, bytes);
  return HETERO_OK;
}

HeteroStatus heteroHostRegion(const char *name) {
  countHostRegion(name);
  HeteroStatus status = endSequence();
  beginHostRegion(name);
  return status;
}

HeteroStatus heteroHostRegionEnd(void) {
  endHostRegion();
  return HETERO_OK;
}
