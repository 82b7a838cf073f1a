//===- Fills.h - Fills of memory, planned -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_FILLS_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_FILLS_H

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/Types.h"

namespace hetero::emulator {

/// Checks a fill and gives its work.
cuda::Result planFill(Context &context, const FillBox &box, IssueWork &issue);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_FILLS_H
