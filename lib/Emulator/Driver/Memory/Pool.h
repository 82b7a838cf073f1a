//===- Pool.h - Memory that comes from pools --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_POOL_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_POOL_H

#include "hetero/Runtime/CudaDriver.h"

namespace hetero::emulator {

struct MemoryPool;
/// The pool that an address came from, or null.
MemoryPool *findPoolOf(cuda::DevicePointer address);
/// Says to a memory pool that what it gave is free; others are no matter.
void leavePool(cuda::DevicePointer address);
/// Whether the address begins what a pool gave.
bool isOfPool(cuda::DevicePointer address);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_POOL_H
