//===- Driver.cpp - Devices, contexts and memory of the host --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/State/Driver.h"

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/UserObject.h"
#include "Emulator/Driver/Memory/Virtual.h"
#include "Emulator/Driver/State/Module.h"
#include "Emulator/Driver/Streams/Event.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace hetero::emulator;
using namespace hetero;

static std::atomic<Driver *> theDriver{nullptr};

Driver *hetero::emulator::getDriver() { return theDriver; }

void hetero::emulator::setDriver(std::unique_ptr<Driver> driver) {
  theDriver = driver.release();
}

void Driver::hostWaits(const std::vector<OperationRef> &operations) {
  if (Timeline *timeline = this->timeline())
    timeline->hostWaits(operations);
  if (races)
    races->hostWaits(operations);
}

/// The context fails: a program with a race is wrong, whatever this run gave.
void Driver::reportRace(Context &context, const std::string &race) {
  if (race.empty())
    return;
  std::fprintf(stderr, "hetero emulator: %s\n", race.c_str());
  context.setFault({cuda::kLaunchFailed, race});
}

/// Pinned memory goes with the context that it was allocated in.
void Driver::forgetHostRangesOf(const Context &context) {
  auto isMine = [&](const auto &range) {
    return range.second.owner == &context;
  };
  {
    std::lock_guard<std::mutex> lock(hostMutex);
    if (std::none_of(hostRanges.begin(), hostRanges.end(), isMine))
      return;
  }
  // What is under way elsewhere may still use it.
  synchronizeAll();
  std::lock_guard<std::mutex> lock(hostMutex);
  for (auto it = hostRanges.begin(); it != hostRanges.end();)
    it = isMine(*it) ? dropHostRange(it) : std::next(it);
}

Context &Driver::createContext(Device &device, unsigned flags) {
  std::lock_guard<std::mutex> lock(contextsMutex);
  contexts.push_back(
      std::make_unique<Context>(device, /*isPrimary=*/false, flags));
  return *contexts.back();
}

std::vector<Context *> Driver::allContexts() {
  std::vector<Context *> all;
  for (const auto &device : devices)
    all.push_back(&device->primary);
  std::lock_guard<std::mutex> lock(contextsMutex);
  for (const auto &context : contexts)
    all.push_back(context.get());
  return all;
}

bool Driver::isContext(const void *handle) {
  for (const auto &device : devices)
    if (&device->primary == handle)
      return true;
  std::lock_guard<std::mutex> lock(contextsMutex);
  return std::any_of(
      contexts.begin(), contexts.end(),
      [&](const auto &context) { return context.get() == handle; });
}

void Driver::synchronizeAll() {
  for (Context *context : allContexts())
    if (context->isActive())
      context->synchronize();
}

Device *Driver::deviceOf(uint64_t address) {
  int ordinal = deviceOfAddress(address, static_cast<int>(devices.size()));
  return ordinal < 0 ? deviceOfMapping(address) : devices[ordinal].get();
}

Context &Driver::ownerOf(uint64_t address) {
  Device &device = *deviceOf(address);
  const void *owner = device.memory.ownerOf(address);
  for (Context *context : allContexts())
    if (context == owner)
      return *context;
  return device.primary;
}

bool Driver::addHostRange(void *pointer, const HostRange &range) {
  uintptr_t begin = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(hostMutex);
  auto after = hostRanges.lower_bound(begin);
  if (after != hostRanges.end() && after->first - begin < range.bytes)
    return false;
  if (after != hostRanges.begin() &&
      begin - std::prev(after)->first < std::prev(after)->second.bytes)
    return false;
  hostRanges.emplace(begin, range);
  for (const auto &device : devices)
    device->memory.addForeign(begin, range.bytes,
                              static_cast<uint8_t *>(pointer));
  return true;
}

/// Under the mutex.
std::map<uintptr_t, Driver::HostRange>::iterator
Driver::dropHostRange(std::map<uintptr_t, HostRange>::iterator it) {
  void *pointer = reinterpret_cast<void *>(it->first);
  for (const auto &device : devices)
    device->memory.removeForeign(it->first);
  if (it->second.kind != HostRange::Registered)
    std::free(pointer);
  return hostRanges.erase(it);
}

bool Driver::removeHostRange(void *pointer, HostRange::Kind kind) {
  std::lock_guard<std::mutex> lock(hostMutex);
  auto it = hostRanges.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == hostRanges.end() || it->second.kind != kind)
    return false;
  dropHostRange(it);
  return true;
}

std::optional<std::pair<uintptr_t, Driver::HostRange>>
Driver::findHostRange(const void *pointer, uint64_t bytes) {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(hostMutex);
  auto it = hostRanges.upper_bound(address);
  if (it == hostRanges.begin())
    return std::nullopt;
  --it;
  uintptr_t offset = address - it->first;
  if (offset > it->second.bytes || bytes > it->second.bytes - offset)
    return std::nullopt;
  return *it;
}
