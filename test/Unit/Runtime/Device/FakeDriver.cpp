//===- FakeDriver.cpp - A CUDA driver that does as a test says ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include "hetero/Runtime/CudaDriver.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

using namespace hetero::cuda;

#define FAKE_API extern "C" __attribute__((visibility("default"))) Result

static FakeDriver driver;
FakeDriver *heteroFakeDriver() { return &driver; }

/// Contexts and streams of device N are the address N + 1.
template <typename Handle> static Handle handleOf(int device) {
  return reinterpret_cast<Handle>(static_cast<intptr_t>(device) + 1);
}

static thread_local int current = 0;

/// What a reset takes along, of every device.
static std::mutex memoryMutex;
static std::set<void *> memory;

static void *take(size_t bytes) {
  std::lock_guard<std::mutex> lock(memoryMutex);
  return *memory.insert(std::calloc(1, bytes)).first;
}

static Result release(void *pointer) {
  std::lock_guard<std::mutex> lock(memoryMutex);
  if (memory.erase(pointer))
    std::free(pointer);
  return kSuccess;
}

FAKE_API cuInit(unsigned) { return kSuccess; }
FAKE_API cuGetErrorName(Result, const char **text) {
  *text = "CUDA_ERROR_FAKE";
  return kSuccess;
}
FAKE_API cuGetErrorString(Result, const char **text) {
  *text = "as the test says";
  return kSuccess;
}
FAKE_API cuDeviceGetCount(int *count) {
  *count = 2;
  return kSuccess;
}
FAKE_API cuDeviceGet(Device *device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}
FAKE_API cuDeviceGetAttribute(int *value, int attribute, Device) {
  *value = attribute == kComputeCapabilityMajor   ? driver.major
           : attribute == kComputeCapabilityMinor ? driver.minor
                                                  : 8;
  return kSuccess;
}
FAKE_API cuDevicePrimaryCtxRetain(Context *context, Device device) {
  *context = handleOf<Context>(device);
  return kSuccess;
}
FAKE_API cuDevicePrimaryCtxRelease_v2(Device) { return kSuccess; }
FAKE_API cuDevicePrimaryCtxReset_v2(Device) {
  driver.modules = 0;
  std::lock_guard<std::mutex> lock(memoryMutex);
  for (void *pointer : memory)
    std::free(pointer);
  memory.clear();
  return kSuccess;
}
FAKE_API cuCtxSetCurrent(Context context) {
  current = static_cast<int>(reinterpret_cast<intptr_t>(context)) - 1;
  return kSuccess;
}
FAKE_API cuCtxSynchronize() { return kSuccess; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void *at(DevicePointer pointer) {
  return reinterpret_cast<void *>(pointer);
}

FAKE_API cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  ++heteroFakeDriver()->allocations;
  *pointer = reinterpret_cast<DevicePointer>(take(bytes));
  return kSuccess;
}
FAKE_API cuMemFree_v2(DevicePointer pointer) { return release(at(pointer)); }
FAKE_API cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  ++heteroFakeDriver()->allocations;
  *pointer = take(bytes);
  return kSuccess;
}
FAKE_API cuMemFreeHost(void *pointer) { return release(pointer); }
FAKE_API cuMemHostRegister_v2(void *, size_t, unsigned) { return kSuccess; }
FAKE_API cuMemHostUnregister(void *) { return kSuccess; }
FAKE_API cuMemcpyAsync(DevicePointer to, DevicePointer from, size_t bytes,
                       Stream) {
  std::memcpy(at(to), at(from), bytes);
  return kSuccess;
}
FAKE_API cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes,
                              Stream) {
  std::memcpy(at(to), from, bytes);
  return kSuccess;
}
FAKE_API cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes,
                              Stream) {
  std::memcpy(to, at(from), bytes);
  return kSuccess;
}
FAKE_API cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from,
                              size_t bytes, Stream) {
  std::memcpy(at(to), at(from), bytes);
  return kSuccess;
}
FAKE_API cuMemcpy2DAsync_v2(const Copy2D *copy, Stream) {
  char *to = static_cast<char *>(
      copy->toType == kMemoryHost ? copy->toHost : at(copy->toDevice));
  const char *from = static_cast<const char *>(
      copy->fromType == kMemoryHost ? copy->fromHost : at(copy->fromDevice));
  for (size_t row = 0; row < copy->height; ++row)
    std::memcpy(to + row * copy->toPitch, from + row * copy->fromPitch,
                copy->width);
  return kSuccess;
}
FAKE_API cuMemcpyPeerAsync(DevicePointer to, Context, DevicePointer from,
                           Context, size_t bytes, Stream) {
  std::memcpy(at(to), at(from), bytes);
  return kSuccess;
}
FAKE_API cuMemsetD8Async(DevicePointer, unsigned char, size_t, Stream) {
  return kSuccess;
}
FAKE_API cuMemsetD16Async(DevicePointer, unsigned short, size_t, Stream) {
  return kSuccess;
}
FAKE_API cuMemsetD32Async(DevicePointer, unsigned, size_t, Stream) {
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

FAKE_API cuStreamCreate(Stream *stream, unsigned) {
  *stream = handleOf<Stream>(current);
  return kSuccess;
}
FAKE_API cuStreamDestroy_v2(Stream) { return kSuccess; }
FAKE_API cuStreamSynchronize(Stream stream) {
  while (stream == handleOf<Stream>(driver.stuckDevice)) {
    driver.isWaiting = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return kSuccess;
}
FAKE_API cuStreamWaitEvent(Stream, Event, unsigned) { return kSuccess; }
FAKE_API cuEventCreate(Event *event, unsigned) {
  *event = handleOf<Event>(current);
  ++driver.events;
  return kSuccess;
}
FAKE_API cuEventDestroy_v2(Event) {
  --driver.events;
  return kSuccess;
}
FAKE_API cuEventRecord(Event, Stream) { return kSuccess; }
FAKE_API cuEventQuery(Event) { return kSuccess; }
FAKE_API cuEventSynchronize(Event) { return kSuccess; }
FAKE_API cuEventElapsedTime(float *milliseconds, Event, Event) {
  *milliseconds = driver.elapsedMilliseconds;
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

FAKE_API cuModuleLoadDataEx(Module *module, const void *code, unsigned, int *,
                            void **) {
  driver.loaded = code;
  ++driver.modules;
  *module = handleOf<Module>(++driver.loads);
  return kSuccess;
}
FAKE_API cuModuleUnload(Module) {
  --driver.modules;
  return kSuccess;
}
FAKE_API cuModuleGetFunction(Function *function, Module, const char *) {
  *function = handleOf<Function>(0);
  return kSuccess;
}
FAKE_API cuFuncSetAttribute(Function, int attribute, int value) {
  if (attribute != kMaxDynamicSharedSizeBytes || value > driver.mostSharedBytes)
    return kInvalidValue;
  driver.sharedBytes.push_back(value);
  return kSuccess;
}
FAKE_API cuLaunchKernel(Function, unsigned, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, Stream, void **,
                        void **) {
  return driver.launchResult;
}
