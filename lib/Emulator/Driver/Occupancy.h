//===- Occupancy.h - How many blocks run at once ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_OCCUPANCY_H
#define HETERO_LIB_EMULATOR_DRIVER_OCCUPANCY_H

#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Module.h"

namespace hetero::emulator {

/// How many blocks a multiprocessor has room for at once.
int countActiveBlocks(const Function &function, uint32_t threads,
                      uint64_t dynamicShared);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_OCCUPANCY_H
