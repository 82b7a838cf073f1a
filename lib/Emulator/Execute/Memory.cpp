//===- Memory.cpp - The memory of an emulated device ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Memory.h"

#include "Emulator/Execute/Access.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

using namespace hetero::emulator;

/// Alignment of allocations, and the least distance between two.
static constexpr uint64_t kAlignment = 512;

int hetero::emulator::deviceOfAddress(uint64_t address, int numDevices) {
  if (address < kFirstDeviceAddress)
    return -1;
  uint64_t device = (address - kFirstDeviceAddress) / kDeviceWindowBytes;
  return device < uint64_t(numDevices) ? static_cast<int>(device) : -1;
}

void FreeHostMemory::operator()(uint8_t *memory) const {
  if (isOwned)
    std::free(memory);
}

static uint64_t extent(uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
}

/// A free range: after the last one given out, else the first gap.
uint64_t Memory::findAddress(uint64_t bytes) {
  uint64_t end = base + kDeviceWindowBytes, size = extent(bytes);
  if (end - next >= size) {
    uint64_t address = next;
    next += size;
    return address;
  }
  std::map<uint64_t, uint64_t> taken = reserved;
  for (const auto &[address, allocation] : allocations)
    if (address >= base && address < end) // Others are the host's.
      taken[address] = allocation.bytes;
  uint64_t candidate = base;
  for (const auto &[address, length] : taken) {
    if (address - candidate >= size)
      return candidate;
    candidate = address + extent(length);
  }
  return end - candidate >= size ? candidate : 0;
}

/// Under the mutex.
bool Memory::add(uint64_t address, uint64_t bytes, const void *owner) {
  void *host = nullptr;
  if (posix_memalign(&host, kAlignment, bytes) != 0)
    return false;
  HostMemory memory(static_cast<uint8_t *>(host)), written;
  used += bytes;
  for (auto it = freed.lower_bound(address);
       it != freed.end() && it->first < address + bytes;)
    it = freed.erase(it);
  if (tracksWrites)
    written.reset(static_cast<uint8_t *>(std::calloc(bytes, 1)));
  allocations.emplace(
      address, Allocation{bytes, std::move(memory), std::move(written), owner});
  return true;
}

uint64_t Memory::allocate(uint64_t bytes, const void *owner) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  if (bytes == 0 || bytes > limit - used)
    return 0;
  uint64_t address = findAddress(bytes);
  return address && add(address, bytes, owner) ? address : 0;
}

uint64_t Memory::reserve(uint64_t bytes) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  if (bytes == 0 || bytes > limit)
    return 0;
  uint64_t address = findAddress(bytes);
  if (address)
    reserved[address] = bytes;
  return address;
}

void Memory::unreserve(uint64_t address) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  reserved.erase(address);
}

bool Memory::allocateAt(uint64_t address, uint64_t bytes, const void *owner) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  return !allocations.count(address) && bytes <= limit - used &&
         add(address, bytes, owner);
}

/// Addresses ascend, so that the lowest is the oldest.
void Memory::noteFreed(uint64_t address, uint64_t bytes) {
  constexpr size_t kMost = 4096;
  freed[address] = bytes;
  if (freed.size() > kMost)
    freed.erase(freed.begin());
}

std::map<uint64_t, Memory::Allocation>::iterator
Memory::remove(std::map<uint64_t, Allocation>::iterator it) {
  if (!it->second.isForeign()) {
    used -= it->second.bytes;
    noteFreed(it->first, it->second.bytes);
  }
  if (runningKernels > 0) {
    retired.push_back(std::move(it->second.host));
    retired.push_back(std::move(it->second.written));
  }
  return allocations.erase(it);
}

bool Memory::free(uint64_t address, uint64_t *bytes) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  auto it = allocations.find(address);
  if (it == allocations.end() || it->second.isForeign())
    return false;
  if (bytes)
    *bytes = it->second.bytes;
  remove(it);
  return true;
}

void Memory::addForeign(uint64_t address, uint64_t bytes, uint8_t *host,
                        bool isReadOnly) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  HostMemory memory(host, FreeHostMemory{/*isOwned=*/false});
  allocations.emplace(address, Allocation{bytes, std::move(memory),
                                          HostMemory(), nullptr, isReadOnly});
}

void Memory::removeForeign(uint64_t address) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  auto it = allocations.find(address);
  if (it != allocations.end() && it->second.isForeign())
    remove(it);
}

bool Memory::take(uint64_t bytes) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  if (bytes > limit - used)
    return false;
  used += bytes;
  return true;
}

void Memory::giveBack(uint64_t bytes) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  used -= bytes;
}

void Memory::clear(const void *owner) {
  std::lock_guard<std::shared_mutex> lock(mutex);
  for (auto it = allocations.begin(); it != allocations.end();)
    it = it->second.owner == owner ? remove(it) : std::next(it);
}

const void *Memory::ownerOf(uint64_t address) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto it = find(address, 1);
  return it == allocations.end() ? nullptr : it->second.owner;
}

/// The allocation that holds the bytes; under the mutex.
std::map<uint64_t, Memory::Allocation>::const_iterator
Memory::find(uint64_t address, uint64_t bytes) const {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return allocations.end();
  --it;
  uint64_t offset = address - it->first;
  if (offset > it->second.bytes || bytes > UINT64_MAX - offset)
    return allocations.end();
  // Allocations lie apart; mappings may go on in the next one.
  auto last = it;
  for (uint64_t size = it->second.bytes; size < offset + bytes;) {
    auto next = std::next(last);
    if (next == allocations.end() || next->first != it->first + size ||
        next->second.host.get() != it->second.host.get() + size)
      return allocations.end();
    size += next->second.bytes;
    last = next;
  }
  return it;
}

uint8_t *Memory::translate(uint64_t address, uint64_t bytes,
                           AccessWindow *window) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto it = find(address, bytes);
  if (it == allocations.end())
    return nullptr;
  if (window)
    *window = {it->first, it->second.bytes, it->second.host.get()};
  return it->second.host.get() + (address - it->first);
}

/// Under the mutex, of bytes that there are.
bool Memory::isReadOnly(uint64_t address, uint64_t bytes) const {
  auto it = std::prev(allocations.upper_bound(address));
  for (; it != allocations.end() && it->first < address + bytes; ++it)
    if (it->second.isReadOnly)
      return true;
  return false;
}

bool Memory::isWritable(uint64_t address, uint64_t bytes) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return find(address, bytes) != allocations.end() &&
         !isReadOnly(address, bytes);
}

uint8_t *Memory::access(uint64_t address, uint64_t bytes, bool isStore,
                        AccessWindow *window) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto it = find(address, bytes);
  if (it == allocations.end() || (isStore && isReadOnly(address, bytes)))
    return nullptr;
  if (window && !it->second.isReadOnly)
    *window = {it->first, it->second.bytes, it->second.host.get()};
  return it->second.host.get() + (address - it->first);
}

uint8_t *Memory::writtenFlags(uint64_t address, uint64_t bytes) const {
  if (!tracksWrites)
    return nullptr;
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto it = find(address, bytes);
  if (it == allocations.end() || !it->second.written)
    return nullptr;
  return it->second.written.get() + (address - it->first);
}

// Blocks that run at once may touch one flag.
bool Memory::isWritten(uint64_t address, uint64_t bytes) const {
  const uint8_t *flags = writtenFlags(address, bytes);
  for (uint64_t i = 0; flags && i < bytes; ++i)
    if (!__atomic_load_n(&flags[i], __ATOMIC_RELAXED))
      return false;
  return true;
}

void Memory::noteWritten(uint64_t address, uint64_t bytes) const {
  uint8_t *flags = writtenFlags(address, bytes);
  for (uint64_t i = 0; flags && i < bytes; ++i)
    __atomic_store_n(&flags[i], uint8_t(1), __ATOMIC_RELAXED);
}

static std::string nameOf(uint64_t address, uint64_t bytes) {
  return "the allocation of " + std::to_string(bytes) + " bytes at " +
         hexadecimal(address);
}

std::string Memory::describe(uint64_t address, uint64_t bytes) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto old = freed.upper_bound(address);
  if (old != freed.begin() &&
      address - std::prev(old)->first < std::prev(old)->second) {
    --old;
    return "at offset " + std::to_string(address - old->first) + " of " +
           nameOf(old->first, old->second) + ", which was freed";
  }
  if (allocations.empty())
    return "on a device without allocations";
  auto after = allocations.upper_bound(address);
  auto name = [](const auto &pair) {
    return nameOf(pair.first, pair.second.bytes);
  };
  uint64_t toNext =
      after == allocations.end() ? UINT64_MAX : after->first - address;
  if (after == allocations.begin())
    return std::to_string(toNext) + " bytes before " + name(*after);
  auto before = std::prev(after);
  uint64_t offset = address - before->first, size = before->second.bytes;
  if (offset < size)
    return (offset + bytes > size
                ? std::string("crosses the end of ")
                : "at offset " + std::to_string(offset) + " of ") +
           name(*before) +
           (before->second.isReadOnly ? ", which is only read" : "");
  if (toNext < offset - size)
    return std::to_string(toNext) + " bytes before " + name(*after);
  return std::to_string(offset - size) + " bytes after the end of " +
         name(*before);
}

uint64_t Memory::usedBytes() const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return used;
}

uint64_t Memory::numAllocations() const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return std::count_if(
      allocations.begin(), allocations.end(),
      [](const auto &pair) { return !pair.second.isForeign(); });
}

void Memory::kernelBegins() {
  std::lock_guard<std::shared_mutex> lock(mutex);
  ++runningKernels;
}

void Memory::kernelEnds() {
  std::lock_guard<std::shared_mutex> lock(mutex);
  if (--runningKernels == 0)
    retired.clear();
}
