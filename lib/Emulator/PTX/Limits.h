//===- Limits.h - How much a kernel may have --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_LIMITS_H
#define HETERO_LIB_EMULATOR_PTX_LIMITS_H

#include "Emulator/PTX/CallGraph.h"

namespace hetero::emulator::ptx {

/// Throws PTXError when a kernel has more static shared memory or parameters,
/// or the module more constant memory, than ptxas lets it have.
void checkLimits(const Module &module, CallGraph &graph);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_LIMITS_H
