//===- Launch.h - Kernels with their arguments ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_LAUNCH_H
#define HETERO_LIB_EMULATOR_DRIVER_LAUNCH_H

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/LaunchAttributes.h"
#include "Emulator/Driver/Modules/Function.h"

namespace hetero::emulator {

/// Checks the call and takes its arguments.
cuda::Result prepareLaunch(const FunctionReference &function,
                           const LaunchCall &call, void **params, void **extra,
                           PreparedLaunch &prepared);
IssueWork issueOf(const FunctionReference &function,
                  const PreparedLaunch &prepared);
/// A launch that is a node of a graph.
struct KernelNode {
  FunctionReference function;
  LaunchCall call;
  PreparedLaunch prepared;
  mutable std::vector<void *> arguments = {}; ///< For who asks for them.
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_LAUNCH_H
