//===- Device.h - A device and its memory -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STATE_DEVICE_H
#define HETERO_LIB_EMULATOR_DRIVER_STATE_DEVICE_H

#include "Emulator/Device/Capability.h"
#include "Emulator/Device/Config.h"
#include "Emulator/Driver/State/Context.h"

namespace hetero::emulator {

/// A device: its memory, which all its contexts share, and its primary context.
class Device {
public:
  Device(int ordinal, const Config &config)
      : ordinal(ordinal), major(config.capability(ordinal).first),
        minor(config.capability(ordinal).second),
        limits(capabilityOf(major, minor)),
        memory(ordinal, config.memory, config.checksUninitialized),
        primary(*this, /*isPrimary=*/true) {}

  const int ordinal, major, minor;
  const Capability &limits;
  Memory memory;
  Context primary;
  /// Until the primary context is reset.
  std::atomic<bool> isLost{false};
  /// What the last fault of a context was, until that is reset.
  std::string fault;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STATE_DEVICE_H
