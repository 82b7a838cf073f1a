//===- StreamValues.h - Operations of streams on words ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STREAMS_STREAMVALUES_H
#define HETERO_LIB_EMULATOR_DRIVER_STREAMS_STREAMVALUES_H

#include "Emulator/Driver/Graphs/Graph.h"

namespace hetero::emulator {

/// Checks operations and makes the work of them. `isNow`: memory that a graph
/// is yet to allocate is an error.
cuda::Result planOperations(Context &context, const WordOperation *operations,
                            unsigned count, unsigned flags, bool isNow,
                            IssueWork &issue);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STREAMS_STREAMVALUES_H
