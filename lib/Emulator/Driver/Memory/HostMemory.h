//===- HostMemory.h - Memory of the host that devices reach -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_HOSTMEMORY_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_HOSTMEMORY_H

#include "Emulator/Driver/State/Driver.h"

namespace hetero::emulator {

/// Memory of the host that the driver frees; not for registered memory.
cuda::Result allocateHost(Context &context, void **result, size_t bytes,
                          Driver::HostRange::Kind kind, unsigned flags);
/// Frees what cuMemAllocManaged has given.
cuda::Result freeManaged(cuda::DevicePointer address);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_HOSTMEMORY_H
