//===- Context.h - The context of the calling thread ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_CONTEXT_H
#define HETERO_LIB_EMULATOR_DRIVER_CONTEXT_H

#include "Emulator/Driver/State/Context.h"

namespace hetero::emulator {

/// The calling thread's context, unless there is none or it has failed.
cuda::Result getCurrent(Context *&context);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_CONTEXT_H
