//===- Device.cpp - A GPU: its parts under one lock -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Device.h"

#include "Runtime/Device/LibraryHandle.h"
#include "Runtime/Device/Submit/Graph.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

using namespace hetero::runtime;
using namespace hetero;

using Guard = std::lock_guard<std::recursive_mutex>;

//===----------------------------------------------------------------------===//
// Opening and closing
//===----------------------------------------------------------------------===//

HeteroStatus Device::open() {
  Guard lock(mutex);
  if (context.isLost())
    return fail(HETERO_ERROR_DEVICE_LOST,
                deviceName(getId()) + " failed before and cannot be used; call "
                                      "heteroReset() first");
  if (isOpen)
    return HETERO_OK;
  HeteroStatus status = context.open();
  cuda::Stream stream;
  if (status == HETERO_OK)
    status = streams.get(0, &stream);
  if (status == HETERO_OK)
    status = context.readCapability();
  isOpen = status == HETERO_OK;
  if (isOpen || context.isLost() || !context.get())
    return status;
  // The next call tries it all again. What is lost waits for close().
  context.release();
  streams.clear();
  return status;
}

void Device::close() {
  Guard lock(mutex);
  if (context.get())
    (void)context.tryEnter();
  libraries.clear();
  context.reset();
  isOpen = false;
  streams.clear();
  memory.clear();
  staging.clear();
  modules.clear();
  for (const auto &[constant, block] : constants)
    countFree(getId(), block.bytes);
  constants.clear();
  trace.clear();
}

void Device::forget(const void *host, int64_t bytes) {
  Guard lock(mutex);
  HostRange range(host, bytes);
  // What these calls return does not matter: after a failure the module goes
  // with its context.
  bool isUsable = isOpen && !context.isLost() && context.tryEnter();
  modules.forget(range, isUsable);
  for (auto &[key, library] : libraries)
    if (isUsable && library)
      library->forget(*this, range.begin, range.end);
  for (auto it = constants.begin(); it != constants.end();) {
    if (!range.has(it->first)) {
      ++it;
      continue;
    }
    countFree(getId(), it->second.bytes);
    memory.free(it->second.memory);
    it = constants.erase(it);
  }
}

//===----------------------------------------------------------------------===//
// Memory and kernels
//===----------------------------------------------------------------------===//

HeteroStatus Device::allocate(int64_t bytes, bool isKept, void **pointer) {
  Guard lock(mutex);
  return memory.allocate(bytes, isKept, pointer);
}

bool Device::hasUnused() {
  Guard lock(mutex);
  return memory.hasUnused();
}

HeteroStatus Device::allocateAnew(int64_t bytes, bool isKept, void **pointer) {
  Guard lock(mutex);
  if (synchronize("memory is short") == HETERO_OK)
    memory.releaseUnused();
  return memory.allocate(bytes, isKept, pointer);
}

void Device::free(void *pointer) {
  Guard lock(mutex);
  memory.free(pointer);
}

HeteroStatus Device::takeStaging(int64_t bytes, int32_t unit, Staging *result) {
  Guard lock(mutex);
  // A lane has waited for its own part, and never waits for that of others.
  // Other streams go on if the copies of this one are enough.
  if (!currentLane() && staging.isFull(bytes))
    if (HeteroStatus status = synchronizeUnit(unit))
      return status;
  if (!currentLane() && staging.isFull(bytes))
    if (HeteroStatus status = synchronize("pinned memory is in use"))
      return status;
  return staging.take(bytes, result);
}

bool Device::isStagingFull(int64_t bytes) {
  Guard lock(mutex);
  return staging.isFull(bytes);
}

HeteroStatus Device::getKernel(const HeteroImage &image, const char *name,
                               const LaunchShape &launch, Kernel **kernel) {
  Guard lock(mutex);
  return modules.getKernel(image, name, launch, kernel);
}

void Device::keepConstant(const HeteroConstant &constant, Staging block) {
  Guard lock(mutex);
  constants[&constant] = block;
}

HeteroStatus Device::finishUploads() {
  Guard lock(mutex);
  return synchronize("constants");
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

HeteroStatus Device::submitWork(const Operation &operation,
                                cuda::Stream stream) {
  HeteroStatus status = HETERO_OK;
  cuda::Result result =
      trace.run(context.getFunctions(), stream, traceOf(operation), [&] {
        status = (*operation.work)(stream);
        return status == HETERO_OK ? cuda::kSuccess : cuda::kUnknown;
      });
  return status == HETERO_OK
             ? context.check(result, operation.call(), operation.unit)
             : status;
}

HeteroStatus Device::submitNow(const Operation &operation) {
  HostSpan span("issue", getId(), [&] {
    bool isOrder = operation.kind == Operation::Order;
    return isOrder ? "order " + deviceName(getId())
                   : std::string("issue ") + operation.name;
  });
  if (operation.kind == Operation::Order)
    return order(operation.unit, *operation.other, operation.otherUnit);
  Guard lock(mutex);
  cuda::Stream stream;
  HeteroStatus status = memory.markRetired();
  if (status == HETERO_OK)
    status = streams.get(operation.unit, &stream);
  if (status == HETERO_OK && operation.kind == Operation::Library)
    return submitWork(operation, stream);
  if (status == HETERO_OK)
    status = context.check(
        trace.run(context.getFunctions(), stream, traceOf(operation),
                  [&] { return issue(operation, stream); }),
        operation.call(), [&] { return describe(operation); }, operation.unit);
  keep(operation);
  return status;
}

void Device::drop(const Operation &operation) {
  Operation rest = operation;
  rest.target = nullptr;
  Guard lock(mutex);
  keep(rest);
}

HeteroStatus Device::order(int32_t unit, Device &other, int32_t otherUnit) {
  std::unique_lock<std::recursive_mutex> lock(mutex, std::defer_lock);
  std::unique_lock<std::recursive_mutex> otherLock(other.mutex,
                                                   std::defer_lock);
  if (this == &other)
    lock.lock();
  else
    std::lock(lock, otherLock);
  cuda::Stream stream, after;
  HeteroStatus status = other.streams.get(otherUnit, &after);
  if (status == HETERO_OK)
    status = streams.get(unit, &stream);
  return status == HETERO_OK ? streams.order(stream, other.context, after)
                             : status;
}

bool Device::hasOneStream() {
  Guard lock(mutex);
  return streams.haveOne();
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

HeteroStatus Device::settle(int32_t unit) {
  std::shared_ptr<const GraphLanes> graph;
  HeteroStatus status = streams.synchronize(unit, graph);
  if (graph)
    graph->settle(*this, unit);
  return status;
}

HeteroStatus Device::synchronize(const char *why) {
  HeteroStatus status = context.enter();
  {
    HostSpan span("wait", getId(), [&] {
      std::string name = "wait for " + deviceName(getId());
      return why ? name + ": " + why : name;
    });
    for (int32_t unit = 0; unit < streams.size(); ++unit)
      if (status == HETERO_OK)
        status = settle(unit);
  }
  staging.finish(status == HETERO_OK, Context::kNoUnit);
  if (status == HETERO_OK) {
    streams.noteReuse(false);
    trace.resolve(context.getFunctions(), getId());
    memory.revive(/*all=*/true);
  }
  return status;
}

HeteroStatus Device::synchronizeLane(int32_t lane) {
  HeteroStatus status = context.enter();
  {
    HostSpan span("wait", getId(),
                  [&] { return "wait for " + deviceName(getId()); });
    for (int32_t unit = 0; unit < streams.size(); ++unit)
      if (streams[unit].lane == lane && status == HETERO_OK)
        status = settle(unit);
  }
  for (int32_t unit = 0; unit < streams.size(); ++unit)
    if (streams[unit].lane == lane)
      staging.finish(status == HETERO_OK, unit);
  if (status == HETERO_OK)
    memory.reviveOf(lane);
  return status;
}

std::vector<cuda::Stream> Device::getBusyStreams(int32_t unit) {
  Guard lock(mutex);
  std::vector<cuda::Stream> busy;
  for (int32_t i = 0; i < streams.size(); ++i)
    if (streams[i].isUnderWay() &&
        (i == unit ||
         (unit == Context::kNoUnit && streams[i].lane == currentLaneNumber())))
      busy.push_back(streams[i].stream);
  return busy;
}

HeteroStatus Device::synchronizeUnit(int32_t unit) {
  HeteroStatus status = context.enter();
  {
    HostSpan span("wait", getId(), [&] {
      return "wait for " + deviceName(getId()) + ", stream " +
             describeStream(unit);
    });
    if (status == HETERO_OK && unit < streams.size())
      status = settle(unit);
  }
  staging.finish(status == HETERO_OK, unit);
  return status;
}

HeteroStatus Device::wait(int32_t unit, Moment begin) {
  Guard lock(mutex);
  if (!isOpen)
    return HETERO_OK;
  countWait(getId());
  if (unit != Context::kNoUnit)
    return synchronizeUnit(unit);
  return currentLane() ? synchronizeLane(currentLaneNumber()) : synchronize();
}
