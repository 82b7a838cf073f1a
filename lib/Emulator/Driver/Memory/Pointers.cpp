//===- Pointers.cpp - What an address stands for --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Memory/Pool.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"

#include <cstring>
#include <mutex>
#include <set>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

/// CUpointer_attribute.
enum PointerAttribute : int {
  kContextOf = 1,
  kMemoryType = 2,
  kDevicePointerOf = 3,
  kHostPointerOf = 4,
  kSyncMemops = 6,
  kBufferId = 7,
  kIsManaged = 8,
  kDeviceOrdinal = 9,
  kIsIpcCapable = 10,
  kRangeStart = 11,
  kRangeSize = 12,
  kIsMapped = 13,
  kAllowedHandleTypes = 14,
  kIsRdmaCapable = 15,
  kAccessFlags = 16,
  kPoolOf = 17
};

namespace {
/// What is known of an address.
struct Place {
  Context *context = nullptr;
  unsigned type = 0; ///< CUmemorytype; 0 where the driver knows nothing.
  bool isManaged = false;
  uint64_t begin = 0, bytes = 0;
};
} // namespace

static Place findPlace(DevicePointer address) {
  Driver &driver = *getDriver();
  void *pointer = reinterpret_cast<void *>(address);
  if (auto range = driver.findHostRange(pointer, 1)) {
    bool isManaged = range->second.kind == Driver::HostRange::Managed;
    return {range->second.owner,
            isManaged ? cuda::kMemoryDevice : cuda::kMemoryHost, isManaged,
            range->first, range->second.bytes};
  }
  Device *device = driver.deviceOf(address);
  AccessWindow window;
  if (!device || !device->memory.translate(address, 1, &window))
    return {};
  return {&driver.ownerOf(address), cuda::kMemoryDevice, false, window.begin,
          window.size};
}

/// Allocations whose copies are to be synchronous, by their addresses, which
/// are not given away twice while they are known.
static std::mutex synchronousMutex;
static std::set<uint64_t> &synchronous() {
  static auto *allocations = new std::set<uint64_t>;
  return *allocations;
}

static bool isSynchronous(uint64_t begin) {
  std::lock_guard<std::mutex> lock(synchronousMutex);
  return synchronous().count(begin) != 0;
}

template <typename Value> static cuda::Result put(void *data, Value value) {
  std::memcpy(data, &value, sizeof value);
  return cuda::kSuccess;
}

/// Those that say where the memory lies.
static cuda::Result putPlace(void *data, PointerAttribute attribute,
                             const Place &place, DevicePointer address) {
  switch (attribute) {
  case kContextOf:
    return put(data, place.context);
  case kMemoryType:
    return put(data, place.type);
  case kDevicePointerOf:
    return put(data, address);
  case kHostPointerOf:
    return place.isManaged || place.type == cuda::kMemoryHost
               ? put(data, address)
               : cuda::kInvalidValue;
  case kDeviceOrdinal:
    return put(data, place.context->device.ordinal);
  case kRangeStart:
    return put(data, place.begin);
  case kRangeSize:
    return put(data, place.bytes);
  default:
    return refuse("another attribute of cuPointerGetAttribute");
  }
}

static cuda::Result putAttribute(void *data, PointerAttribute attribute,
                                 const Place &place, DevicePointer address) {
  switch (attribute) {
  case kSyncMemops:
    return put(data, unsigned(isSynchronous(place.begin)));
  case kBufferId: // The address is not given away twice while it is known.
    return put(data, place.begin);
  case kIsManaged:
    return put(data, place.isManaged);
  case kIsIpcCapable:
  case kIsRdmaCapable:
    return put(data, false);
  case kIsMapped:
    return put(data, true);
  case kAllowedHandleTypes:
    return put(data, uint64_t(0));
  case kAccessFlags:
    return put(data, 3); // CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
  case kPoolOf:
    return put(data, findPoolOf(address));
  default:
    return putPlace(data, attribute, place, address);
  }
}

HETERO_CUDA_API cuPointerGetAttribute(void *data, PointerAttribute attribute,
                                      DevicePointer address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!data)
    return cuda::kInvalidValue;
  Place place = findPlace(address);
  return place.type ? putAttribute(data, attribute, place, address)
                    : cuda::kInvalidValue;
}

/// How many bytes an attribute has.
static size_t sizeOf(PointerAttribute attribute) {
  switch (attribute) {
  case kMemoryType:
  case kSyncMemops:
  case kDeviceOrdinal:
  case kAccessFlags:
    return 4;
  case kIsManaged:
  case kIsIpcCapable:
  case kIsMapped:
  case kIsRdmaCapable:
    return 1;
  default:
    return 8;
  }
}

/// Of memory that the driver does not know, attributes are 0; the device is -2.
HETERO_CUDA_API cuPointerGetAttributes(unsigned count,
                                       PointerAttribute *attributes,
                                       void **data, DevicePointer address) {
  constexpr int kNoDevice = -2;
  if (!getDriver())
    return cuda::kNotInitialized;
  if (count == 0 || !attributes || !data)
    return cuda::kInvalidValue;
  Place place = findPlace(address);
  for (unsigned i = 0; i < count; ++i) {
    if (place.type &&
        putAttribute(data[i], attributes[i], place, address) == cuda::kSuccess)
      continue;
    std::memset(data[i], 0, sizeOf(attributes[i]));
    if (attributes[i] == kDeviceOrdinal)
      put(data[i], kNoDevice);
  }
  return cuda::kSuccess;
}

/// Every copy of an allocation may be synchronous: nothing else tells.
HETERO_CUDA_API cuPointerSetAttribute(const void *value,
                                      PointerAttribute attribute,
                                      DevicePointer address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  Place place = findPlace(address);
  if (!value || attribute != kSyncMemops || !place.type)
    return cuda::kInvalidValue;
  unsigned isSet;
  std::memcpy(&isSet, value, sizeof isSet);
  std::lock_guard<std::mutex> lock(synchronousMutex);
  if (isSet)
    synchronous().insert(place.begin);
  else
    synchronous().erase(place.begin);
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuMemGetAddressRange_v2(DevicePointer *base, size_t *bytes,
                                        DevicePointer address) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  Place place = findPlace(address);
  if (!place.type)
    return cuda::kNotFound;
  if (base)
    *base = place.begin;
  if (bytes)
    *bytes = place.bytes;
  return cuda::kSuccess;
}
