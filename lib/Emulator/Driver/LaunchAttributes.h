//===- LaunchAttributes.h - Attributes of launches --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_LAUNCHATTRIBUTES_H
#define HETERO_LIB_EMULATOR_DRIVER_LAUNCHATTRIBUTES_H

#include "Emulator/Device/AttributeValues.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/Types.h"

namespace hetero::emulator {

/// How a kernel is launched.
struct LaunchCall {
  uint32_t grid[3], block[3];
  unsigned sharedBytes;
  bool isCooperative;
  AttributeValues attributes = {};
};

/// The objects an attribute may be set on.
enum class AttributeUser { Stream, GraphNode, Launch };

/// Whether the user has the attribute.
cuda::Result checkUser(LaunchAttribute::Id id, AttributeUser user);
/// The same, and whether the value is one of it.
cuda::Result checkAttribute(const LaunchAttribute &attribute,
                            AttributeUser user, const Device &device);
/// The value that programs read if none was set.
LaunchAttribute defaultOf(LaunchAttribute::Id id);
/// Gives a captured launch those of its stream, as far as nodes have them.
void inheritAttributes(Stream &stream, LaunchCall &call);
/// A cluster of one block is the block; there are no larger ones.
cuda::Result checkCluster(const uint32_t *cluster);
/// Checks attributes and gives them to the launch.
cuda::Result applyAttributes(const LaunchAttribute *attributes, unsigned count,
                             AttributeUser user, const Device &device,
                             LaunchCall &call);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_LAUNCHATTRIBUTES_H
