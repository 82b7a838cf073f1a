//===- Occupancy.h - How many blocks run at once ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_OCCUPANCY_H
#define HETERO_LIB_EMULATOR_DRIVER_OCCUPANCY_H

#include "Emulator/ABI/CompiledCode.h"

namespace hetero::emulator {

/// Most shared memory of a block, static and dynamic.
constexpr uint32_t kMostShared = 227 * 1024;

/// How many blocks a multiprocessor has room for at once.
int countActiveBlocks(const CompiledKernel &kernel, uint32_t threads,
                      uint64_t dynamicShared);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_OCCUPANCY_H
