//===- Virtual.h - Memory that is mapped where programs like ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_VIRTUAL_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_VIRTUAL_H

#include "Emulator/Driver/State/Device.h"

namespace hetero::emulator {

/// The device whose memory is mapped at an address that a program has reserved;
/// null for others.
Device *deviceOfMapping(uint64_t address);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_VIRTUAL_H
