//===- Virtual.cpp - Addresses and memory, apart and together -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A range of addresses is one that the host has reserved and cannot access, so
// that it is nobody else's. Beside it there is a range of the same size where
// the host sees what is mapped: neighbours there are neighbours here.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/Virtual.h"

#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Types.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

/// What addresses and sizes are multiples of.
static constexpr uint64_t kGranularity = uint64_t(2) << 20;

namespace hetero::emulator {
/// CUmemAllocationProp.
struct MemoryProperties {
  int type, handleTypes;
  Location location;
  void *security;
  unsigned char flags[8];
};

/// CUmemGenericAllocationHandle: memory without an address.
struct PhysicalMemory {
  MemoryProperties properties;
  Device &device;
  uint64_t bytes;
  int file;
  int users = 1; ///< Handles; mappings hold it too.

  PhysicalMemory(const MemoryProperties &properties, Device &device,
                 uint64_t bytes, int file)
      : properties(properties), device(device), bytes(bytes), file(file) {}
  ~PhysicalMemory() {
    close(file);
    device.memory.giveBack(bytes);
  }
};
} // namespace hetero::emulator

namespace {
struct Mapping {
  uint64_t bytes;
  std::shared_ptr<PhysicalMemory> memory;
  AccessGrant::Flags access = AccessGrant::None;
};

struct Reservation {
  uint64_t bytes;
  uint8_t *host; ///< Where the host sees it.
  std::map<uint64_t, Mapping> mappings = {};
};

/// All under the mutex.
struct VirtualMemory {
  std::mutex mutex;
  std::map<PhysicalMemory *, std::shared_ptr<PhysicalMemory>> handles;
  std::map<uint64_t, Reservation> reservations;

  /// The reservation that holds the range, or null; `begin` gets its address.
  Reservation *find(uint64_t address, uint64_t bytes, uint64_t &begin) {
    auto it = reservations.upper_bound(address);
    if (it == reservations.begin())
      return nullptr;
    --it;
    uint64_t offset = address - it->first;
    if (offset > it->second.bytes || bytes > it->second.bytes - offset)
      return nullptr;
    begin = it->first;
    return &it->second;
  }
  /// The mapping that holds the address, or null.
  Mapping *findMapping(uint64_t address) {
    uint64_t begin;
    Reservation *reservation = find(address, 1, begin);
    if (!reservation)
      return nullptr;
    auto it = reservation->mappings.upper_bound(address);
    if (it == reservation->mappings.begin())
      return nullptr;
    --it;
    return address - it->first < it->second.bytes ? &it->second : nullptr;
  }
};
} // namespace

static VirtualMemory &virtualMemory() {
  static auto *memory = new VirtualMemory;
  return *memory;
}

Device *hetero::emulator::deviceOfMapping(uint64_t address) {
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  Mapping *mapping = all.findMapping(address);
  return mapping ? &mapping->memory->device : nullptr;
}

static bool isMultiple(uint64_t bytes) {
  return bytes > 0 && bytes % kGranularity == 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The device that memory of these properties is of.
static cuda::Result check(const MemoryProperties *properties, Device *&device) {
  constexpr int kPinned = 1;
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!properties || properties->type != kPinned)
    return cuda::kInvalidValue;
  if (properties->handleTypes != 0)
    return refuse("memory with handles for other processes");
  if (properties->location.type != Location::OnDevice)
    return refuse("cuMemCreate on the host");
  return findDevice(properties->location.id, device);
}

HETERO_CUDA_API
cuMemGetAllocationGranularity(size_t *bytes, const MemoryProperties *properties,
                              int option) {
  Device *device;
  if (cuda::Result error = check(properties, device))
    return error;
  if (!bytes || option < 0 || option > 1)
    return cuda::kInvalidValue;
  *bytes = kGranularity;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemCreate(PhysicalMemory **result, size_t bytes,
                            const MemoryProperties *properties,
                            unsigned long long flags) {
  Device *device;
  if (cuda::Result error = check(properties, device))
    return error;
  if (!result || flags != 0 || !isMultiple(bytes))
    return cuda::kInvalidValue;
  if (!countCall(CallClass::Alloc).empty() || !device->memory.take(bytes))
    return cuda::kOutOfMemory;
  int file = memfd_create("hetero emulator", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    if (file >= 0)
      close(file);
    device->memory.giveBack(bytes);
    return cuda::kOutOfMemory;
  }
  auto memory =
      std::make_shared<PhysicalMemory>(*properties, *device, bytes, file);
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  *result = memory.get();
  all.handles.emplace(memory.get(), std::move(memory));
  return cuda::kSuccess;
}

/// The memory goes when nothing is mapped to it any more.
HETERO_CUDA_API cuMemRelease(PhysicalMemory *handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.handles.find(handle);
  if (it == all.handles.end())
    return cuda::kInvalidValue;
  if (--handle->users == 0)
    all.handles.erase(it);
  return cuda::kSuccess;
}

HETERO_CUDA_API
cuMemGetAllocationPropertiesFromHandle(MemoryProperties *result,
                                       PhysicalMemory *handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (!result || !all.handles.count(handle))
    return cuda::kInvalidValue;
  *result = handle->properties;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemRetainAllocationHandle(PhysicalMemory **result,
                                            void *address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  Mapping *mapping = all.findMapping(reinterpret_cast<uint64_t>(address));
  if (!result || !mapping)
    return cuda::kInvalidValue;
  PhysicalMemory *memory = mapping->memory.get();
  memory->users += all.handles.count(memory) ? 1 : 1 - memory->users;
  all.handles.emplace(memory, mapping->memory);
  *result = memory;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Addresses that nothing lies at; null if there are none.
static uint8_t *reserve(uint64_t bytes) {
  void *range = mmap(nullptr, bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range == MAP_FAILED ? nullptr : static_cast<uint8_t *>(range);
}

/// A range of the host that begins at a multiple of `alignment`.
static uint8_t *reserveAligned(uint64_t bytes, uint64_t alignment) {
  uint64_t all;
  if (__builtin_add_overflow(bytes, alignment, &all))
    return nullptr;
  uint8_t *range = reserve(all);
  if (!range)
    return nullptr;
  uint64_t address = reinterpret_cast<uint64_t>(range);
  uint64_t before = (alignment - address % alignment) % alignment;
  if (before)
    munmap(range, before);
  if (alignment > before)
    munmap(range + before + bytes, alignment - before);
  return range + before;
}

/// Where the range lies is the driver's choice, as on hardware.
HETERO_CUDA_API cuMemAddressReserve(DevicePointer *result, size_t bytes,
                                    size_t alignment, DevicePointer,
                                    unsigned long long flags) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (alignment < kGranularity)
    alignment = kGranularity;
  if (!result || flags != 0 || !isMultiple(bytes) ||
      (alignment & (alignment - 1)) != 0)
    return cuda::kInvalidValue;
  uint8_t *range = reserveAligned(bytes, alignment);
  uint8_t *host = range ? reserve(bytes) : nullptr;
  if (!host) {
    if (range)
      munmap(range, bytes);
    return cuda::kOutOfMemory;
  }
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  *result = reinterpret_cast<DevicePointer>(range);
  all.reservations.emplace(*result, Reservation{bytes, host});
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemAddressFree(DevicePointer address, size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.reservations.find(address);
  if (it == all.reservations.end() || it->second.bytes != bytes ||
      !it->second.mappings.empty())
    return cuda::kInvalidValue;
  munmap(it->second.host, bytes);
  munmap(reinterpret_cast<void *>(address), bytes);
  all.reservations.erase(it);
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuMemMap(DevicePointer address, size_t bytes, size_t offset,
                         PhysicalMemory *handle, unsigned long long flags) {
  if (!getDriver())
    return cuda::kNotInitialized;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  uint64_t begin;
  Reservation *range = all.find(address, bytes, begin);
  if (flags != 0 || offset != 0 || !range || !isMultiple(bytes) ||
      address % kGranularity != 0 || !all.handles.count(handle) ||
      bytes > handle->bytes)
    return cuda::kInvalidValue;
  auto after = range->mappings.lower_bound(address);
  if ((after != range->mappings.end() && after->first - address < bytes) ||
      all.findMapping(address))
    return cuda::kInvalidValue;
  if (mmap(range->host + (address - begin), bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, handle->file, 0) == MAP_FAILED)
    return cuda::kOutOfMemory;
  range->mappings.emplace(address, Mapping{bytes, all.handles[handle]});
  return cuda::kSuccess;
}

/// Lets `visit` see the mappings that make up a range; false, before it has
/// seen any, if some of the range is not mapped or a mapping leads beyond it.
template <typename Visit>
static bool visitMappings(Reservation &range, uint64_t address, uint64_t bytes,
                          Visit visit) {
  uint64_t end = address + bytes, next = address;
  for (auto it = range.mappings.find(address);
       it != range.mappings.end() && it->first == next && next < end; ++it)
    next += it->second.bytes;
  if (next != end)
    return false;
  for (auto it = range.mappings.find(address);
       it != range.mappings.end() && it->first < end;) {
    auto current = it++;
    visit(current);
  }
  return true;
}

HETERO_CUDA_API cuMemUnmap(DevicePointer address, size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  // What is under way may still use it.
  getDriver()->synchronizeAll();
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  uint64_t begin;
  Reservation *range = all.find(address, bytes, begin);
  bool isMapped =
      range && bytes > 0 && visitMappings(*range, address, bytes, [&](auto it) {
        it->second.memory->device.memory.removeForeign(it->first);
        mmap(range->host + (it->first - begin), it->second.bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        range->mappings.erase(it);
      });
  return isMapped ? cuda::kSuccess : cuda::kInvalidValue;
}

/// Only the device of the memory can have access.
static cuda::Result checkGrant(const AccessGrant &grant) {
  Device *device;
  if (grant.location.type != Location::OnDevice)
    return refuse("access of the host to memory of a device");
  if (cuda::Result error = findDevice(grant.location.id, device))
    return error;
  return grant.flags == AccessGrant::None || grant.flags == AccessGrant::Read ||
                 grant.flags == AccessGrant::ReadWrite
             ? cuda::kSuccess
             : cuda::kInvalidValue;
}

HETERO_CUDA_API cuMemSetAccess(DevicePointer address, size_t bytes,
                               const AccessGrant *grants, size_t count) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!grants || count == 0)
    return cuda::kInvalidValue;
  for (size_t i = 0; i < count; ++i)
    if (cuda::Result error = checkGrant(grants[i]))
      return error;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  uint64_t begin;
  Reservation *range = all.find(address, bytes, begin);
  bool isPeer = false;
  bool isMapped =
      range && bytes > 0 && visitMappings(*range, address, bytes, [&](auto it) {
        Device &device = it->second.memory->device;
        for (size_t i = 0; i < count; ++i) {
          bool gives = grants[i].flags != AccessGrant::None;
          if (grants[i].location.id != device.ordinal) {
            isPeer |= gives;
            continue;
          }
          device.memory.removeForeign(it->first);
          it->second.access = grants[i].flags;
          if (gives)
            device.memory.addForeign(it->first, it->second.bytes,
                                     range->host + (it->first - begin),
                                     grants[i].flags == AccessGrant::Read);
        }
      });
  return !isMapped ? cuda::kInvalidValue
         : isPeer  ? cuda::kInvalidDevice
                   : cuda::kSuccess;
}

HETERO_CUDA_API cuMemGetAccess(unsigned long long *flags,
                               const Location *location,
                               DevicePointer address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  VirtualMemory &all = virtualMemory();
  std::lock_guard<std::mutex> lock(all.mutex);
  Mapping *mapping = all.findMapping(address);
  if (!flags || !location || !mapping)
    return cuda::kInvalidValue;
  bool isIts = location->type == Location::OnDevice &&
               location->id == mapping->memory->device.ordinal;
  *flags = isIts ? mapping->access : AccessGrant::None;
  return cuda::kSuccess;
}
