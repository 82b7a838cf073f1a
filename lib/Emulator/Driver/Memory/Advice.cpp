//===- Advice.cpp - Where programs want managed memory --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Managed memory never moves. What programs say of it is kept in pieces that
// end where something else was said.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/Advice.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/State/Driver.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

namespace {
/// The advice given for a piece of memory.
struct Wishes {
  bool isReadMostly = false;
  Location preferred = {Location::Nowhere, 0};
  Location prefetched = {Location::Nowhere, 0};
  std::set<int> accessedBy;
};

/// All under the mutex. A piece goes on until the next one begins.
struct AllWishes {
  std::mutex mutex;
  std::map<DevicePointer, Wishes> pieces;

  AllWishes() { pieces[0] = {}; }

  /// The pieces of a range begin and end with it.
  void split(DevicePointer address) {
    Wishes before = std::prev(pieces.upper_bound(address))->second;
    pieces.emplace(address, before);
  }
  template <typename Visit>
  void visit(DevicePointer address, uint64_t bytes, Visit visit) {
    split(address);
    split(address + bytes);
    for (auto it = pieces.find(address); it->first != address + bytes; ++it)
      visit(it->second);
  }
};
} // namespace

static AllWishes &allWishes() {
  static auto *all = new AllWishes;
  return *all;
}

static constexpr int kHost = -1, kNowhere = -2;

/// CU_DEVICE_CPU and CU_DEVICE_INVALID stand for what is no device.
static int deviceOf(const Location &location) {
  return location.type == Location::OnDevice  ? location.id
         : location.type == Location::Nowhere ? kNowhere
                                              : kHost;
}

static void apply(Wishes &wishes, Advice advice, const Location &location) {
  switch (advice) {
  case kSetReadMostly:
  case kUnsetReadMostly:
    wishes.isReadMostly = advice == kSetReadMostly;
    break;
  case kSetPreferred:
    wishes.preferred = location;
    break;
  case kUnsetPreferred:
    wishes.preferred = {Location::Nowhere, 0};
    break;
  case kSetAccessedBy:
    wishes.accessedBy.insert(deviceOf(location));
    break;
  case kUnsetAccessedBy:
    wishes.accessedBy.erase(deviceOf(location));
    break;
  case kPrefetch:
    wishes.prefetched = location;
    break;
  }
}

void hetero::emulator::noteAdvice(DevicePointer address, uint64_t bytes,
                                  Advice advice, Location location) {
  std::lock_guard<std::mutex> lock(allWishes().mutex);
  allWishes().visit(address, bytes,
                    [&](Wishes &wishes) { apply(wishes, advice, location); });
}

void hetero::emulator::forgetAdvice(DevicePointer address, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(allWishes().mutex);
  allWishes().visit(address, bytes, [](Wishes &wishes) { wishes = {}; });
}

//===----------------------------------------------------------------------===//
// Attributes of ranges
//===----------------------------------------------------------------------===//

/// CUmem_range_attribute.
enum RangeAttribute : int {
  kReadMostly = 1,
  kPreferred = 2,
  kAccessedBy = 3,
  kLastPrefetch = 4,
  kPreferredType = 5,
  kPreferredId = 6,
  kLastPrefetchType = 7,
  kLastPrefetchId = 8
};

/// What holds for all of a range: where pieces differ, it is nowhere.
static Wishes commonOf(DevicePointer address, uint64_t bytes) {
  auto join = [](Location &all, const Location &one) {
    if (all.type != one.type || all.id != one.id)
      all = {Location::Nowhere, 0};
  };
  std::lock_guard<std::mutex> lock(allWishes().mutex);
  std::optional<Wishes> result;
  allWishes().visit(address, bytes, [&](Wishes &wishes) {
    if (!result)
      result = wishes;
    result->isReadMostly &= wishes.isReadMostly;
    join(result->preferred, wishes.preferred);
    join(result->prefetched, wishes.prefetched);
    for (auto it = result->accessedBy.begin(); it != result->accessedBy.end();)
      it = wishes.accessedBy.count(*it) ? std::next(it)
                                        : result->accessedBy.erase(it);
  });
  return *result;
}

static int numberOf(const Wishes &wishes, RangeAttribute attribute) {
  switch (attribute) {
  case kReadMostly:
    return wishes.isReadMostly;
  case kPreferred:
    return deviceOf(wishes.preferred);
  case kLastPrefetch:
    return deviceOf(wishes.prefetched);
  case kPreferredType:
    return wishes.preferred.type;
  case kPreferredId:
    return wishes.preferred.id;
  case kLastPrefetchType:
    return wishes.prefetched.type;
  default:
    return wishes.prefetched.id;
  }
}

HETERO_CUDA_API cuMemRangeGetAttribute(int *data, size_t dataBytes,
                                       RangeAttribute attribute,
                                       DevicePointer address, size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  auto range =
      getDriver()->findHostRange(reinterpret_cast<void *>(address), bytes);
  if (!data || bytes == 0 || dataBytes == 0 || dataBytes % sizeof(int) != 0 ||
      attribute < kReadMostly || attribute > kLastPrefetchId || !range ||
      range->second.kind != Driver::HostRange::Managed)
    return cuda::kInvalidValue;
  Wishes wishes = commonOf(address, bytes);
  if (attribute != kAccessedBy) {
    *data = numberOf(wishes, attribute);
    return dataBytes == sizeof(int) ? cuda::kSuccess : cuda::kInvalidValue;
  }
  std::fill_n(data, dataBytes / sizeof(int), kNowhere);
  size_t count = std::min(wishes.accessedBy.size(), dataBytes / sizeof(int));
  std::copy_n(wishes.accessedBy.begin(), count, data);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemRangeGetAttributes(void **data, size_t *dataBytes,
                                        RangeAttribute *attributes,
                                        size_t count, DevicePointer address,
                                        size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!data || !dataBytes || !attributes || count == 0)
    return cuda::kInvalidValue;
  for (size_t i = 0; i < count; ++i)
    if (cuda::Result error =
            cuMemRangeGetAttribute(static_cast<int *>(data[i]), dataBytes[i],
                                   attributes[i], address, bytes))
      return error;
  return cuda::kSuccess;
}
