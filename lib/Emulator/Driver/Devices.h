//===- Devices.h - Devices by their ordinals --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_DEVICES_H
#define HETERO_LIB_EMULATOR_DRIVER_DEVICES_H

#include "Emulator/Driver/State/Device.h"

namespace hetero::emulator {

cuda::Result findDevice(cuda::Device ordinal, Device *&device);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_DEVICES_H
