//===- Device.cpp - An emulated device and its context --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "hetero/Emulator/EmulatorControl.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace hetero::emulator;
using namespace hetero;

std::shared_ptr<Stream> Device::defaultStream() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!nullStream)
    nullStream = Stream::create(*this, /*blocking=*/true);
  return nullStream;
}

OperationRef Device::lastOperation(Stream &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  return stream.lastOperation;
}

void Device::submit(const std::shared_ptr<Stream> &stream, const Work &work,
                    Stream::Task task, Effects *effects) {
  submitAlways(
      stream, work,
      [this, task = std::move(task)] {
        if (fault() == cuda::kSuccess)
          task();
      },
      nullptr, effects);
}

std::shared_ptr<Marker> Device::record(const std::shared_ptr<Stream> &stream) {
  auto marker = std::make_shared<Marker>();
  Work work;
  work.name = "record";
  marker->operation =
      submitAlways(stream, work, [marker] { marker->signal(); });
  return marker;
}

void Device::wait(const std::shared_ptr<Stream> &stream,
                  const std::shared_ptr<Marker> &marker) {
  Work work;
  work.name = "wait";
  submitAlways(stream, work, [marker] { marker->wait(); }, marker->operation);
}

static OperationRef makeOperation(const Work &work, const Stream &stream) {
  auto operation = std::make_shared<Operation>();
  operation->kind = work.kind;
  operation->name = work.name;
  operation->bytes = work.bytes;
  operation->device = work.device;
  operation->source = work.source;
  operation->stream = stream.number;
  auto addRows = [&](std::vector<Span> &spans, Span row, uint64_t pitch) {
    for (uint64_t i = 0; row.end != 0 && i < work.rows; ++i)
      spans.push_back({row.begin + i * pitch, row.end + i * pitch});
    normalize(spans);
  };
  addRows(operation->reads, work.read, work.readPitch);
  addRows(operation->writes, work.written, work.writtenPitch);
  return operation;
}

OperationRef Device::submitAlways(const std::shared_ptr<Stream> &stream,
                                  const Work &work, Stream::Task task,
                                  const OperationRef &after, Effects *effects) {
  std::lock_guard<std::mutex> lock(mutex);
  Driver &driver = *getDriver();
  std::vector<OperationRef> predecessors;
  if (driver.tracksOperations())
    predecessors = {stream->lastOperation, after};
  auto comeAfter = [&](const std::shared_ptr<Stream> &other) {
    if (driver.tracksOperations())
      predecessors.push_back(other->lastOperation);
    if (!other->isIdle())
      stream->enqueue(
          [other, number = other->last()] { other->waitFor(number); });
  };
  // Between the default stream and the blocking ones all work is in the order
  // of the calls.
  if (stream == nullStream) {
    for (const std::shared_ptr<Stream> &other : driver.streams.all())
      if (&other->device == this && other->blocking)
        comeAfter(other);
  } else if (stream->blocking && nullStream) {
    comeAfter(nullStream);
  }
  if (!driver.tracksOperations()) {
    stream->enqueue(std::move(task));
    return nullptr;
  }
  OperationRef operation = makeOperation(work, *stream);
  if (driver.races)
    driver.races->issue(operation, predecessors);
  if (driver.timeline)
    driver.timeline->issue(operation, std::move(predecessors));
  stream->lastOperation = operation;
  stream->enqueue([=, task = std::move(task)] {
    task();
    complete(operation, effects);
  });
  return operation;
}

/// In the stream's thread, before anybody sees that the operation is done.
void Device::complete(const OperationRef &operation, Effects *effects) {
  Driver &driver = *getDriver();
  if (driver.races)
    driver.reportRace(*this, driver.races->finish(operation, effects));
  if (driver.timeline)
    driver.timeline->finish(*operation, effects ? effects->flops.load() : 0,
                            effects ? effects->bytes.load() : 0);
}

void Device::synchronize() {
  std::vector<std::shared_ptr<Stream>> mine;
  for (std::shared_ptr<Stream> &stream : getDriver()->streams.all())
    if (&stream->device == this)
      mine.push_back(std::move(stream));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (nullStream)
      mine.push_back(nullStream);
  }
  for (const std::shared_ptr<Stream> &stream : mine)
    stream->synchronize();
  if (!getDriver()->tracksOperations())
    return;
  std::vector<OperationRef> operations;
  for (const std::shared_ptr<Stream> &stream : mine)
    operations.push_back(lastOperation(*stream));
  getDriver()->hostWaits(operations);
}

void Device::synchronize(Stream &stream) {
  stream.synchronize();
  if (getDriver()->tracksOperations())
    getDriver()->hostWaits({lastOperation(stream)});
}

void Driver::hostWaits(const std::vector<OperationRef> &operations) {
  if (timeline)
    timeline->hostWaits(operations);
  if (races)
    races->hostWaits(operations);
}

/// The context fails: a program with a race is wrong, whatever this run gave.
void Driver::reportRace(Device &device, const std::string &race) {
  if (race.empty())
    return;
  std::fprintf(stderr, "hetero emulator: %s\n", race.c_str());
  device.setFault({cuda::kLaunchFailed, race});
}

static std::mutex lastFaultMutex;
static std::string &lastFault() {
  static std::string *text = new std::string;
  return *text;
}

void Device::setFault(const Fault &fault) {
  // The text is there before anybody can see the code.
  std::lock_guard<std::mutex> lock(lastFaultMutex);
  if (faultCode != cuda::kSuccess && fault.code != cuda::kDeviceLost)
    return;
  lastFault() = fault.message;
  faultCode = fault.code;
}

cuda::Result Device::countedFault() {
  if (std::string why = countCall(CallClass::Device); !why.empty())
    setFault({cuda::kDeviceLost,
              "gpu:" + std::to_string(ordinal) + " is lost (" + why + ")"});
  return fault();
}

const char *heteroEmulatorLastFault() {
  static thread_local std::string copy;
  std::lock_guard<std::mutex> lock(lastFaultMutex);
  copy = lastFault();
  return copy.c_str();
}

bool Device::release() {
  int before = users;
  while (before > 0 && !users.compare_exchange_weak(before, before - 1))
    ;
  if (before == 1)
    reset();
  return before > 0;
}

void Device::reset() {
  synchronize();
  Driver *driver = getDriver();
  auto isMine = [this](const auto &object) { return &object.device == this; };
  for (const std::shared_ptr<Stream> &stream : driver->streams.all())
    if (isMine(*stream)) {
      if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
        lane->capture->abandon();
      stream->stop();
    }
  driver->streams.removeIf(isMine);
  driver->events.removeIf(isMine);
  driver->modules.removeIf(isMine);
  auto usesMe = [this](const auto &graph) { return graph.isOn(*this); };
  driver->graphs.removeIf(usesMe);
  driver->execGraphs.removeIf(usesMe);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (nullStream)
      nullStream->stop();
    nullStream.reset();
  }
  memory.clear();
  driver->forgetHostRangesOf(*this);
  faultCode = cuda::kSuccess;
}

/// Pinned memory goes with the context that it was allocated in.
void Driver::forgetHostRangesOf(const Device &device) {
  auto isMine = [&](const auto &range) {
    return range.second.owner == &device;
  };
  {
    std::lock_guard<std::mutex> lock(hostMutex);
    if (std::none_of(hostRanges.begin(), hostRanges.end(), isMine))
      return;
  }
  // What is under way on other devices may still use it.
  for (const auto &other : devices)
    other->synchronize();
  std::lock_guard<std::mutex> lock(hostMutex);
  for (auto it = hostRanges.begin(); it != hostRanges.end();) {
    if (!isMine(*it)) {
      ++it;
      continue;
    }
    if (it->second.allocated)
      std::free(reinterpret_cast<void *>(it->first));
    it = hostRanges.erase(it);
  }
}

bool Driver::isPinned(const void *pointer, uint64_t bytes) {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(hostMutex);
  auto it = hostRanges.upper_bound(address);
  if (it == hostRanges.begin())
    return false;
  --it;
  uintptr_t offset = address - it->first;
  return offset <= it->second.bytes && bytes <= it->second.bytes - offset;
}
