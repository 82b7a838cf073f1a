//===- Context.cpp - Streams, faults and the end of a context -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/State/Context.h"

#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Module.h"
#include "Emulator/Driver/Streams/Event.h"
#include "hetero/Emulator/EmulatorControl.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace hetero::emulator;
using namespace hetero;

static std::atomic<uint64_t> nextContextId{1};

Context::Context(Device &device, bool isPrimary, unsigned flags)
    : device(device), isPrimary(isPrimary), id(nextContextId++), flags(flags),
      heap(device.memory, this), users(isPrimary ? 0 : 1) {}

std::shared_ptr<Stream> Context::defaultStream() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!nullStream)
    nullStream = Stream::create(*this, /*blocking=*/true);
  return nullStream;
}

OperationRef Context::lastOperation(Stream &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  return stream.lastOperation;
}

void Context::submit(const std::shared_ptr<Stream> &stream, const Work &work,
                     Stream::Task task, Effects *effects) {
  submitAlways(
      stream, work,
      [this, task = std::move(task)] {
        if (fault() == cuda::kSuccess)
          task();
      },
      nullptr, effects);
}

std::shared_ptr<Marker> Context::record(const std::shared_ptr<Stream> &stream) {
  auto marker = std::make_shared<Marker>();
  Work work;
  work.name = "record";
  marker->operation = submitAlways(
      stream, work, [] {}, /*after=*/nullptr,
      /*effects=*/nullptr, marker);
  return marker;
}

void Context::wait(const std::shared_ptr<Stream> &stream,
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

OperationRef Context::submitAlways(const std::shared_ptr<Stream> &stream,
                                   const Work &work, Stream::Task task,
                                   const OperationRef &after, Effects *effects,
                                   const std::shared_ptr<Marker> &marker) {
  std::lock_guard<std::mutex> lock(mutex);
  Driver &driver = *getDriver();
  if (driver.wallTimes)
    task = driver.wallTimes->note(work, stream->number, std::move(task));
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
      if (&other->context == this && other->blocking)
        comeAfter(other);
  } else if (stream->blocking && nullStream) {
    comeAfter(nullStream);
  }
  if (!driver.tracksOperations()) {
    stream->enqueue(std::move(task), marker);
    return nullptr;
  }
  OperationRef operation = makeOperation(work, *stream);
  if (driver.races)
    driver.races->issue(operation, predecessors);
  if (Timeline *timeline = driver.timeline())
    timeline->issue(operation, std::move(predecessors));
  stream->lastOperation = operation;
  stream->enqueue(
      [=, task = std::move(task)] {
        task();
        complete(operation, effects);
      },
      marker);
  return operation;
}

/// In the stream's thread, before anybody sees that the operation is done.
void Context::complete(const OperationRef &operation, Effects *effects) {
  Driver &driver = *getDriver();
  if (driver.races)
    driver.reportRace(*this, driver.races->finish(operation, effects));
  if (operation->timeline)
    operation->timeline->finish(*operation, effects);
}

void Context::synchronize() {
  std::vector<std::shared_ptr<Stream>> mine;
  for (std::shared_ptr<Stream> &stream : getDriver()->streams.all())
    if (&stream->context == this)
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
  operations.reserve(mine.size());
  for (const std::shared_ptr<Stream> &stream : mine)
    operations.push_back(lastOperation(*stream));
  getDriver()->hostWaits(operations);
}

void Context::synchronize(Stream &stream) {
  stream.synchronize();
  if (getDriver()->tracksOperations())
    getDriver()->hostWaits({lastOperation(stream)});
}

static std::mutex lastFaultMutex;
static std::string &lastFault() {
  static std::string *text = new std::string;
  return *text;
}

bool Context::setFault(const Fault &fault) {
  // The text is there before anybody can see the code.
  std::lock_guard<std::mutex> lock(lastFaultMutex);
  if (this->fault() != cuda::kSuccess && fault.code != cuda::kDeviceLost)
    return false;
  lastFault() = fault.message;
  device.fault = fault.message;
  if (fault.code == cuda::kDeviceLost)
    device.isLost = true;
  else
    faultCode = fault.code;
  return true;
}

static std::atomic<bool> printsFaults{true};

void heteroEmulatorPrintFaults(int prints) { printsFaults = prints != 0; }

void Context::reportFault(const Fault &fault) {
  if (setFault(fault) && printsFaults)
    std::fprintf(stderr, "hetero emulator: %s\n", fault.message.c_str());
}

cuda::Result Context::fault() const {
  return device.isLost ? cuda::kDeviceLost : faultCode.load();
}

cuda::Result Context::countedFault() {
  if (std::string why = countCall(CallClass::Device); !why.empty())
    setFault({cuda::kDeviceLost, "gpu:" + std::to_string(device.ordinal) +
                                     " is lost (" + why + ")"});
  return fault();
}

const char *heteroEmulatorLastFault() {
  static thread_local std::string copy;
  std::lock_guard<std::mutex> lock(lastFaultMutex);
  copy = lastFault();
  return copy.c_str();
}

const char *heteroEmulatorDeviceFault(int ordinal) {
  static thread_local std::string copy;
  Device *device;
  copy.clear();
  if (findDevice(ordinal, device) == cuda::kSuccess) {
    std::lock_guard<std::mutex> lock(lastFaultMutex);
    copy = device->fault;
  }
  return copy.c_str();
}

bool Context::release() {
  int before = users;
  while (before > 0 && !users.compare_exchange_weak(before, before - 1))
    ;
  if (before == 1)
    reset();
  return before > 0;
}

void Context::reset() {
  synchronize();
  Driver *driver = getDriver();
  auto isMine = [this](const auto &object) { return &object.context == this; };
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
  device.memory.clear(this);
  heap.clear();
  driver->forgetHostRangesOf(*this);
  std::lock_guard<std::mutex> lock(lastFaultMutex);
  if (fault() != cuda::kSuccess)
    device.fault.clear();
  faultCode = cuda::kSuccess;
  if (isPrimary)
    device.isLost = false;
}
