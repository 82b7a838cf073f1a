//===- LaunchAttributes.cpp - Attributes of launches ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most attributes make no difference here, where the launches of a stream come
// one after the other. Programs set those of later devices on earlier ones too,
// where hardware ignores them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/LaunchAttributes.h"

#include "Emulator/Driver/Errors.h"

using namespace hetero::emulator;
using namespace hetero;

/// Whether cuda.h calls the attribute valid for the user.
static bool isOf(LaunchAttribute::Id id, AttributeUser user) {
  bool isStream = user == AttributeUser::Stream;
  switch (id) {
  case LaunchAttribute::Ignore:
  case LaunchAttribute::AccessPolicyWindow:
  case LaunchAttribute::Priority:
  case LaunchAttribute::MemSyncDomainMap:
  case LaunchAttribute::MemSyncDomain:
  case LaunchAttribute::LinkCentricScheduling:
    return true;
  case LaunchAttribute::SynchronizationPolicy:
    return isStream;
  case LaunchAttribute::Cooperative:
  case LaunchAttribute::ClusterDimension:
  case LaunchAttribute::ClusterSchedulingPolicy:
  case LaunchAttribute::PreferredClusterDimension:
  case LaunchAttribute::DeviceUpdatableNode:
    return !isStream;
  case LaunchAttribute::ProgrammaticStreamSerialization:
  case LaunchAttribute::ProgrammaticEvent:
  case LaunchAttribute::LaunchCompletionEvent:
  case LaunchAttribute::SharedMemoryCarveout:
    return user == AttributeUser::Launch;
  }
  return false;
}

cuda::Result hetero::emulator::checkCluster(const uint32_t *cluster) {
  for (int i = 0; i < 3; ++i)
    if (cluster[i] == 0)
      return cuda::kInvalidValue;
  return cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1
             ? cuda::kSuccess
             : refuse("a cluster of more than one block");
}

static bool isWindow(const LaunchAttribute::Window &window,
                     const Device &device) {
  enum : int { kNormal = 0, kStreaming = 1, kPersisting = 2 };
  return window.bytes <= device.limits.accessWindow() && window.hitRatio >= 0 &&
         window.hitRatio <= 1 && window.hit >= kNormal &&
         window.hit <= kPersisting && window.miss >= kNormal &&
         window.miss <= kStreaming;
}

/// Values that are none of the attribute are errors on every device.
static bool isValue(const LaunchAttribute &attribute, const Device &device) {
  auto isWithin = [&](int least, int most) {
    return attribute.number >= least && attribute.number <= most;
  };
  switch (attribute.id) {
  case LaunchAttribute::AccessPolicyWindow:
    return isWindow(attribute.window, device);
  case LaunchAttribute::SynchronizationPolicy:
    return isWithin(1, 4);
  case LaunchAttribute::ClusterSchedulingPolicy:
    return isWithin(0, 2);
  case LaunchAttribute::MemSyncDomain:
    return isWithin(0, 1);
  case LaunchAttribute::SharedMemoryCarveout:
    return isWithin(-1, 100);
  default:
    return true;
  }
}

cuda::Result hetero::emulator::checkUser(LaunchAttribute::Id id,
                                         AttributeUser user) {
  if (id < LaunchAttribute::Ignore || id > LaunchAttribute::Last)
    return refuse("an attribute of launches and streams that is not known");
  return isOf(id, user) ? cuda::kSuccess : cuda::kInvalidValue;
}

cuda::Result hetero::emulator::checkAttribute(const LaunchAttribute &attribute,
                                              AttributeUser user,
                                              const Device &device) {
  if (cuda::Result error = checkUser(attribute.id, user))
    return error;
  if (!isValue(attribute, device))
    return cuda::kInvalidValue;
  if (attribute.id == LaunchAttribute::ClusterDimension ||
      attribute.id == LaunchAttribute::PreferredClusterDimension)
    return checkCluster(attribute.cluster);
  if (attribute.id == LaunchAttribute::DeviceUpdatableNode && attribute.number)
    return refuse("a node that kernels update");
  return cuda::kSuccess;
}

LaunchAttribute hetero::emulator::defaultOf(LaunchAttribute::Id id) {
  LaunchAttribute attribute = {};
  attribute.id = id;
  if (id == LaunchAttribute::SynchronizationPolicy)
    attribute.number = 1; // CU_SYNC_POLICY_AUTO
  else if (id == LaunchAttribute::MemSyncDomainMap)
    attribute.bytes[1] = 1; // The remote domain.
  return attribute;
}

static cuda::Result applyAttribute(const LaunchAttribute &attribute,
                                   AttributeUser user, const Device &device,
                                   LaunchCall &call) {
  // The grid consists of whole clusters.
  if (attribute.id == LaunchAttribute::ClusterDimension)
    for (int i = 0; i < 3; ++i)
      if (attribute.cluster[i] && call.grid[i] % attribute.cluster[i] != 0)
        return cuda::kInvalidValue;
  if (cuda::Result error = checkAttribute(attribute, user, device))
    return error;
  if (attribute.id == LaunchAttribute::Cooperative)
    call.isCooperative = attribute.number != 0;
  if (attribute.id != LaunchAttribute::Ignore)
    call.attributes.set(attribute.id, attribute.bytes);
  return cuda::kSuccess;
}

cuda::Result
hetero::emulator::applyAttributes(const LaunchAttribute *attributes,
                                  unsigned count, AttributeUser user,
                                  const Device &device, LaunchCall &call) {
  if (count > 0 && !attributes)
    return cuda::kInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    if (cuda::Result error = applyAttribute(attributes[i], user, device, call))
      return error;
  return cuda::kSuccess;
}

void hetero::emulator::inheritAttributes(Stream &stream, LaunchCall &call) {
  std::lock_guard<std::mutex> lock(stream.attributesMutex);
  for (LaunchAttribute::Id id :
       {LaunchAttribute::AccessPolicyWindow, LaunchAttribute::MemSyncDomainMap,
        LaunchAttribute::MemSyncDomain, LaunchAttribute::LinkCentricScheduling})
    if (const void *value = stream.attributes.find(id))
      if (!call.attributes.find(id))
        call.attributes.set(id, value);
  LaunchAttribute priority = defaultOf(LaunchAttribute::Priority);
  priority.number = stream.priority;
  if (!call.attributes.find(priority.id))
    call.attributes.set(priority.id, priority.bytes);
}
