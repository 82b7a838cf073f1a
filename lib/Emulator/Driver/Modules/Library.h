//===- Library.h - Kernels of libraries -------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MODULES_LIBRARY_H
#define HETERO_LIB_EMULATOR_DRIVER_MODULES_LIBRARY_H

#include "Emulator/Driver/Modules/Function.h"

namespace hetero::emulator {

/// The function that a handle of cuLibraryGetKernel is in a context.
cuda::Result findKernel(const void *handle, Context *context,
                        FunctionReference &result);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MODULES_LIBRARY_H
