//===- Memory.h - Memory of devices -----------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_MEMORY_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_MEMORY_H

#include "Emulator/Driver/State/Context.h"

namespace hetero::emulator {

/// Memory of the context's device, as cuMemAlloc gives it.
cuda::Result allocate(Context &context, cuda::DevicePointer *result,
                      size_t bytes);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_MEMORY_H
