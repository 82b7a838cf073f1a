//===- Pool.cpp - Memory in the order of streams, and its pools -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pools keep nothing back: what is free goes to the device at once, so that the
// next access to it is found. What is reserved is therefore what is used.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/Pool.h"

#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/Memory/HostMemory.h"
#include "Emulator/Driver/Memory/Memory.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"
#include "Emulator/Driver/Types.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

namespace hetero::emulator {
/// CUmemoryPool.
struct MemoryPool {
  enum Kind : uint8_t { OnDevice, OnHost, Managed };

  Kind kind;
  Device *device; ///< Null for memory of the host.
  bool isDefault;
  uint64_t most = UINT64_MAX; ///< Bytes that it gives at a time.
  int reuse[3] = {1, 1, 1};
  uint64_t threshold = 0;
  uint64_t used = 0, usedHigh = 0;
};
} // namespace hetero::emulator

namespace {
/// All under the mutex.
struct Pools {
  std::mutex mutex;
  std::map<const MemoryPool *, std::unique_ptr<MemoryPool>> alive;
  /// Of a device, or of the host.
  using Place = std::pair<MemoryPool::Kind, const Device *>;
  std::map<Place, MemoryPool *> defaults, current;
  struct Piece {
    MemoryPool *pool; ///< Null when it was destroyed since.
    uint64_t bytes;
  };
  std::map<DevicePointer, Piece> pieces;

  MemoryPool *add(MemoryPool::Kind kind, Device *device, bool isDefault) {
    auto pool = std::make_unique<MemoryPool>();
    pool->kind = kind;
    pool->device = device;
    pool->isDefault = isDefault;
    MemoryPool *handle = pool.get();
    alive.emplace(handle, std::move(pool));
    return handle;
  }
  MemoryPool *defaultOf(MemoryPool::Kind kind, Device *device) {
    MemoryPool *&pool = defaults[{kind, device}];
    if (!pool)
      pool = add(kind, device, /*isDefault=*/true);
    return pool;
  }
  MemoryPool *currentOf(MemoryPool::Kind kind, Device *device) {
    auto it = current.find({kind, device});
    return it == current.end() ? defaultOf(kind, device) : it->second;
  }
};

/// The pools, locked.
struct LockedPools {
  Pools &pools;
  std::unique_lock<std::mutex> lock{pools.mutex};
  Pools *operator->() const { return &pools; }
};
} // namespace

static LockedPools lockPools() {
  static auto *pools = new Pools;
  return {*pools};
}

bool hetero::emulator::isOfPool(DevicePointer address) {
  LockedPools pools = lockPools();
  return pools->pieces.count(address) != 0;
}

MemoryPool *hetero::emulator::findPoolOf(DevicePointer address) {
  LockedPools pools = lockPools();
  auto it = pools->pieces.upper_bound(address);
  if (it == pools->pieces.begin() ||
      address - std::prev(it)->first >= std::prev(it)->second.bytes)
    return nullptr;
  return std::prev(it)->second.pool;
}

void hetero::emulator::leavePool(DevicePointer address) {
  LockedPools pools = lockPools();
  auto it = pools->pieces.find(address);
  if (it == pools->pieces.end())
    return;
  if (it->second.pool)
    it->second.pool->used -= it->second.bytes;
  pools->pieces.erase(it);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

/// Memory of the host lies in no device, whoever asks for it.
static cuda::Result allocateOf(MemoryPool::Kind kind, Device *device,
                               DevicePointer *result, size_t bytes,
                               Context &context) {
  using HostRange = Driver::HostRange;
  if (kind == MemoryPool::OnDevice)
    return allocate(device == &context.device ? context : device->primary,
                    result, bytes);
  constexpr unsigned kGlobal = 1, kPortable = 1;
  bool isManaged = kind == MemoryPool::Managed;
  void *memory = nullptr;
  cuda::Result error =
      allocateHost(context, &memory, bytes,
                   isManaged ? HostRange::Managed : HostRange::Allocated,
                   isManaged ? kGlobal : kPortable);
  *result = reinterpret_cast<DevicePointer>(memory);
  return error;
}

/// CUmemAllocationType.
enum AllocationType : int { kPinned = 1, kManaged = 2 };

static cuda::Result allocateFrom(MemoryPool *pool, DevicePointer *result,
                                 size_t bytes, Stream &stream) {
  if (!result || bytes == 0)
    return cuda::kInvalidValue;
  MemoryPool::Kind kind;
  Device *device = nullptr;
  {
    LockedPools pools = lockPools();
    if (!pool)
      pool = pools->currentOf(MemoryPool::OnDevice, &stream.context.device);
    if (!pools->alive.count(pool))
      return cuda::kInvalidValue;
    if (bytes > pool->most - std::min(pool->used, pool->most))
      return cuda::kOutOfMemory;
    kind = pool->kind;
    device = pool->device;
  }
  if (cuda::Result error =
          allocateOf(kind, device, result, bytes, stream.context))
    return error;
  LockedPools pools = lockPools();
  if (!pools->alive.count(pool))
    return cuda::kSuccess; // Destroyed meanwhile: the memory is nobody's.
  pools->pieces[*result] = {pool, bytes};
  pool->used += bytes;
  pool->usedHigh = std::max(pool->usedHigh, pool->used);
  return cuda::kSuccess;
}

/// In a captured stream: a node that allocates, where the pool does.
static cuda::Result captureAllocation(const CaptureLane &lane, MemoryPool *pool,
                                      DevicePointer *result, size_t bytes,
                                      const Context &context) {
  AllocationParams params = {};
  if (!result)
    return cuda::kInvalidValue;
  params.pool.allocationType = kPinned;
  params.pool.location = {Location::OnDevice, context.device.ordinal};
  params.bytes = bytes;
  {
    LockedPools pools = lockPools();
    if (pool && !pools->alive.count(pool))
      return cuda::kInvalidValue;
    if (pool && pool->device != &context.device)
      return refuse("a node that allocates elsewhere than on its device");
  }
  cuda::Result error = lane.capture->addAllocation(lane.index, params);
  *result = params.address;
  return error;
}

HETERO_CUDA_API cuMemAllocAsync(DevicePointer *result, size_t bytes,
                                cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    return captureAllocation(*lane, nullptr, result, bytes, stream->context);
  return allocateFrom(nullptr, result, bytes, *stream);
}

HETERO_CUDA_API cuMemAllocFromPoolAsync(DevicePointer *result, size_t bytes,
                                        MemoryPool *pool, cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!pool)
    return cuda::kInvalidValue;
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    return captureAllocation(*lane, pool, result, bytes, stream->context);
  return allocateFrom(pool, result, bytes, *stream);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// Where the memory of a pool lies: managed memory is the host's, wherever it
/// is wanted.
static cuda::Result placeOf(int type, const Location &location,
                            MemoryPool::Kind &kind, Device *&device) {
  device = nullptr;
  bool isOnHost = location.type == Location::OnHost ||
                  location.type == Location::OnNode ||
                  location.type == Location::OnThisNode;
  bool isOnDevice = location.type == Location::OnDevice;
  if (isOnDevice && findDevice(location.id, device))
    return cuda::kInvalidValue;
  if (type == kManaged) {
    kind = MemoryPool::Managed;
    device = nullptr;
    return isOnDevice || isOnHost || location.type == Location::Nowhere
               ? cuda::kSuccess
               : cuda::kInvalidValue;
  }
  kind = isOnHost ? MemoryPool::OnHost : MemoryPool::OnDevice;
  return type == kPinned && (isOnHost || isOnDevice) ? cuda::kSuccess
                                                     : cuda::kInvalidValue;
}

HETERO_CUDA_API cuMemPoolCreate(MemoryPool **result,
                                const PoolProperties *properties) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!result || !properties)
    return cuda::kInvalidValue;
  MemoryPool::Kind kind;
  Device *device;
  if (cuda::Result error = placeOf(properties->allocationType,
                                   properties->location, kind, device))
    return error;
  if (properties->handleTypes != 0)
    return refuse("cuMemPoolCreate with handles for other processes");
  LockedPools pools = lockPools();
  *result = pools->add(kind, device, /*isDefault=*/false);
  if (properties->mostBytes)
    (*result)->most = properties->mostBytes;
  return cuda::kSuccess;
}

/// What the pool gave stays until it is freed.
HETERO_CUDA_API cuMemPoolDestroy(MemoryPool *pool) {
  if (!getDriver())
    return cuda::kNotInitialized;
  LockedPools pools = lockPools();
  if (!pools->alive.count(pool) || pool->isDefault)
    return cuda::kInvalidValue;
  for (auto &[address, piece] : pools->pieces)
    if (piece.pool == pool)
      piece.pool = nullptr;
  auto it = pools->current.find({pool->kind, pool->device});
  if (it != pools->current.end() && it->second == pool)
    pools->current.erase(it);
  pools->alive.erase(pool);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemPoolTrimTo(MemoryPool *pool, size_t) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return lockPools()->alive.count(pool) ? cuda::kSuccess : cuda::kInvalidValue;
}

/// CUmemPool_attribute; numbers of 4 bytes up to kThreshold, of 8 from there.
enum PoolAttribute : int {
  kFirstReuse = 1,
  kThreshold = 4,
  kReservedNow = 5,
  kReservedHigh = 6,
  kUsedNow = 7,
  kUsedHigh = 8
};

HETERO_CUDA_API cuMemPoolSetAttribute(MemoryPool *pool, PoolAttribute attribute,
                                      void *value) {
  if (!getDriver())
    return cuda::kNotInitialized;
  LockedPools pools = lockPools();
  if (!pools->alive.count(pool) || !value || attribute < kFirstReuse)
    return cuda::kInvalidValue;
  if (attribute < kThreshold) {
    pool->reuse[attribute - kFirstReuse] = *static_cast<int *>(value) != 0;
    return cuda::kSuccess;
  }
  uint64_t number = *static_cast<uint64_t *>(value);
  if (attribute == kThreshold) {
    pool->threshold = number;
    return cuda::kSuccess;
  }
  // The highest begins anew; the rest is not to be set.
  if ((attribute != kReservedHigh && attribute != kUsedHigh) || number != 0)
    return cuda::kInvalidValue;
  pool->usedHigh = pool->used;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemPoolGetAttribute(MemoryPool *pool, PoolAttribute attribute,
                                      void *value) {
  if (!getDriver())
    return cuda::kNotInitialized;
  LockedPools pools = lockPools();
  if (!pools->alive.count(pool) || !value || attribute < kFirstReuse ||
      attribute > kUsedHigh)
    return cuda::kInvalidValue;
  if (attribute < kThreshold)
    *static_cast<int *>(value) = pool->reuse[attribute - kFirstReuse];
  else
    *static_cast<uint64_t *>(value) =
        attribute == kThreshold                              ? pool->threshold
        : attribute == kReservedNow || attribute == kUsedNow ? pool->used
                                                             : pool->usedHigh;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Access: the pool's device has it and no other can, or all have it
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuMemPoolSetAccess(MemoryPool *pool, const AccessGrant *grants,
                                   size_t count) {
  if (!getDriver())
    return cuda::kNotInitialized;
  LockedPools pools = lockPools();
  if (!pools->alive.count(pool) || !grants)
    return cuda::kInvalidValue;
  for (const AccessGrant &grant :
       std::vector<AccessGrant>(grants, grants + count)) {
    if (!pool->device)
      continue;
    if (grant.location.type != Location::OnDevice)
      return cuda::kInvalidValue;
    if (grant.location.id != pool->device->ordinal &&
        grant.flags != AccessGrant::None)
      return cuda::kInvalidDevice;
    if (grant.location.id == pool->device->ordinal &&
        grant.flags != AccessGrant::ReadWrite)
      return cuda::kInvalidValue;
  }
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemPoolGetAccess(AccessGrant::Flags *flags, MemoryPool *pool,
                                   const Location *location) {
  if (!getDriver())
    return cuda::kNotInitialized;
  LockedPools pools = lockPools();
  if (!flags || !location || !pools->alive.count(pool) ||
      (pool->device && location->type != Location::OnDevice))
    return cuda::kInvalidValue;
  *flags = !pool->device || location->id == pool->device->ordinal
               ? AccessGrant::ReadWrite
               : AccessGrant::None;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Pools that there always are
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuMemGetDefaultMemPool(MemoryPool **pool,
                                       const Location *location, int type) {
  MemoryPool::Kind kind;
  Device *device;
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!pool || !location)
    return cuda::kInvalidValue;
  if (cuda::Result error = placeOf(type, *location, kind, device))
    return error;
  *pool = lockPools()->defaultOf(kind, device);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemGetMemPool(MemoryPool **pool, const Location *location,
                                int type) {
  MemoryPool::Kind kind;
  Device *device;
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!pool || !location)
    return cuda::kInvalidValue;
  if (cuda::Result error = placeOf(type, *location, kind, device))
    return error;
  *pool = lockPools()->currentOf(kind, device);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemSetMemPool(const Location *location, int type,
                                MemoryPool *pool) {
  MemoryPool::Kind kind;
  Device *device;
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!location)
    return cuda::kInvalidValue;
  if (cuda::Result error = placeOf(type, *location, kind, device))
    return error;
  LockedPools pools = lockPools();
  if (!pools->alive.count(pool) || pool->kind != kind || pool->device != device)
    return cuda::kInvalidValue;
  pools->current[{kind, device}] = pool;
  return cuda::kSuccess;
}

/// The same of a device.
static cuda::Result locationOf(cuda::Device ordinal, Location &location) {
  location = {Location::OnDevice, ordinal};
  Device *device;
  return findDevice(ordinal, device);
}

HETERO_CUDA_API cuDeviceGetDefaultMemPool(MemoryPool **pool,
                                          cuda::Device ordinal) {
  Location location;
  cuda::Result error = locationOf(ordinal, location);
  return error ? error : cuMemGetDefaultMemPool(pool, &location, kPinned);
}

HETERO_CUDA_API cuDeviceGetMemPool(MemoryPool **pool, cuda::Device ordinal) {
  Location location;
  cuda::Result error = locationOf(ordinal, location);
  return error ? error : cuMemGetMemPool(pool, &location, kPinned);
}

HETERO_CUDA_API cuDeviceSetMemPool(cuda::Device ordinal, MemoryPool *pool) {
  Location location;
  cuda::Result error = locationOf(ordinal, location);
  return error ? error : cuMemSetMemPool(&location, kPinned, pool);
}
