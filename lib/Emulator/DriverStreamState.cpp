//===- DriverStreamState.cpp - Attributes and captures of streams ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "DriverTypes.h"

#include <algorithm>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Attributes: those of launches, as far as streams have them
//===----------------------------------------------------------------------===//

/// Those that change how fast a stream is, and nothing else.
static bool isHint(LaunchAttribute::Id id) {
  return id == LaunchAttribute::AccessPolicyWindow ||
         id == LaunchAttribute::SynchronizationPolicy ||
         id == LaunchAttribute::MemSyncDomainMap ||
         id == LaunchAttribute::MemSyncDomain;
}

HETERO_CUDA_API cuStreamSetAttribute(cuda::Stream handle,
                                     LaunchAttribute::Id id, const int *value) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!value || (!isHint(id) && id != LaunchAttribute::Priority))
    return cuda::kInvalidValue;
  if (id == LaunchAttribute::Priority)
    stream->priority = std::clamp(*value, kGreatestPriority, kLeastPriority);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamGetAttribute(cuda::Stream handle,
                                     LaunchAttribute::Id id, int *value) {
  constexpr size_t kBytes = sizeof(LaunchAttribute::bytes);
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!value || (!isHint(id) && id != LaunchAttribute::Priority))
    return cuda::kInvalidValue;
  std::memset(value, 0, kBytes);
  if (id == LaunchAttribute::Priority)
    *value = stream->priority;
  else if (id == LaunchAttribute::SynchronizationPolicy)
    *value = 1; // CU_SYNC_POLICY_AUTO
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamCopyAttributes(cuda::Stream to, cuda::Stream from) {
  std::shared_ptr<Stream> target, source;
  if (cuda::Result error = getStream(to, target))
    return error;
  if (cuda::Result error = getStream(from, source))
    return error;
  target->priority = source->priority.load();
  return cuda::kSuccess;
}
