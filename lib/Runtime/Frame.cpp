//===- Frame.cpp - What one call of an entry point holds ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frame.h"

#include "Device.h"
#include "Error.h"
#include "Measure.h"
#include "Report.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace hetero::runtime;

static thread_local Frame *current = nullptr;

Frame *hetero::runtime::currentFrame() { return current; }

Frame *hetero::runtime::exchangeCurrentFrame(Frame *frame) {
  std::swap(current, frame);
  return frame;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static HeteroStatus allocateHost(int64_t bytes, int64_t alignment,
                                 void **pointer) {
  size_t align = std::max<int64_t>(alignment, 64);
  size_t size = (static_cast<size_t>(bytes) + align - 1) / align * align;
  *pointer = std::aligned_alloc(align, std::max(size, align));
  if (*pointer)
    return HETERO_OK;
  return fail(HETERO_ERROR_OUT_OF_MEMORY,
              "cannot allocate " + std::to_string(bytes) +
                  " bytes on cpu:0; free memory or use smaller tensors");
}

HeteroStatus hetero::runtime::allocate(int32_t device, int64_t bytes,
                                       int64_t alignment, void **pointer) {
  if (bytes < 0)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "cannot allocate a negative number of bytes on " +
                    deviceName(device) + "; check the dynamic sizes");
  HeteroStatus status = device == HETERO_HOST
                            ? allocateHost(bytes, alignment, pointer)
                            : allocateOnDevice(device, bytes, pointer);
  if (status == HETERO_OK)
    countAllocation(device, bytes);
  return status;
}

HeteroStatus hetero::runtime::release(int32_t device, void *pointer,
                                      int64_t bytes) {
  countFree(device, bytes);
  if (device != HETERO_HOST)
    return freeOnDevice(device, pointer);
  dropCopiesTo(pointer, bytes);
  std::free(pointer);
  return HETERO_OK;
}

namespace {
/// Results and callers' values: allocations that no frame holds.
struct Detached {
  std::mutex mutex;
  std::map<std::pair<int32_t, void *>, int64_t> allocations;
};
} // namespace

static Detached &detached() {
  static Detached *instance = new Detached;
  return *instance;
}

void hetero::runtime::rememberDetached(int32_t device, void *pointer,
                                       int64_t bytes) {
  std::lock_guard<std::mutex> lock(detached().mutex);
  detached().allocations[{device, pointer}] = bytes;
}

bool hetero::runtime::takeDetached(int32_t device, void *pointer,
                                   int64_t &bytes) {
  std::lock_guard<std::mutex> lock(detached().mutex);
  auto it = detached().allocations.find({device, pointer});
  if (it == detached().allocations.end())
    return false;
  bytes = it->second;
  detached().allocations.erase(it);
  return true;
}

void hetero::runtime::forgetDetachedOnDevices() {
  std::lock_guard<std::mutex> lock(detached().mutex);
  auto &allocations = detached().allocations;
  for (auto it = allocations.begin(); it != allocations.end();) {
    auto [place, bytes] = *it;
    if (place.first == HETERO_HOST) {
      ++it;
      continue;
    }
    countFree(place.first, bytes);
    it = allocations.erase(it);
  }
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

static HeteroStatus noFrame(const char *call) {
  return fail(HETERO_ERROR_PROGRAM,
              std::string(call) + " was called outside of an entry point; "
                                  "call heteroFrameBegin first");
}

HeteroStatus heteroFrameBegin(const char *entry) {
  auto frame = std::make_unique<Frame>();
  frame->entry = entry;
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
  for (const auto &[place, bytes] : frame->allocations) {
    if (status == HETERO_OK)
      countLeftover(place.first, bytes);
    release(place.first, place.second, bytes);
  }
  current = frame->parent;
  if (status != HETERO_OK)
    setLastError(text);
  return status;
}

HeteroStatus heteroAlloc(int32_t device, int64_t bytes, int64_t alignment,
                         void **pointer) {
  Frame *frame = current;
  if (!frame)
    return noFrame("heteroAlloc");
  if (device != HETERO_HOST)
    frame->use(device);
  HeteroStatus status = allocate(device, bytes, alignment, pointer);
  if (status != HETERO_OK)
    return status;
  std::lock_guard<std::mutex> lock(frame->mutex);
  frame->allocations[{device, *pointer}] = bytes;
  return HETERO_OK;
}

/// Takes an allocation out of the calling thread's frames.
static bool takeFromFrame(int32_t device, void *pointer, int64_t &bytes) {
  for (Frame *frame = current; frame; frame = frame->parent) {
    std::lock_guard<std::mutex> lock(frame->mutex);
    auto it = frame->allocations.find({device, pointer});
    if (it == frame->allocations.end())
      continue;
    bytes = it->second;
    frame->allocations.erase(it);
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
  int64_t bytes;
  if (!takeFromFrame(device, pointer, bytes))
    return notHeld("heteroFree", device);
  return release(device, pointer, bytes);
}

HeteroStatus heteroDetach(int32_t device, void *pointer) {
  int64_t bytes;
  if (!takeFromFrame(device, pointer, bytes))
    return notHeld("heteroDetach", device);
  rememberDetached(device, pointer, bytes);
  return HETERO_OK;
}

HeteroStatus heteroHostRegion(const char *name) {
  countHostRegion(name);
  beginHostRegion(name);
  return HETERO_OK;
}
