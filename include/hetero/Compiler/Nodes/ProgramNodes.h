//===- ProgramNodes.h - The nodes that a program runs on --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_NODES_PROGRAMNODES_H
#define HETERO_COMPILER_NODES_PROGRAMNODES_H

#include "hetero/Compiler/Compilation.h"

#include <vector>

namespace mlir::hetero {

/// A link between the hosts of two nodes.
struct NodeLink {
  double bytesPerSecond;
  double latencySeconds;
};

/// The machine of a program, by node.
struct ProgramNodes {
  int32_t count = 1;
  std::vector<int32_t> numGPUs;
  /// count * count, from each to each.
  std::vector<NodeLink> links;
};

/// Those of the topology that the program is placed on, with what the program,
/// its rules and the options name where no topology is given. One where that
/// cannot be told: compiling the program reports what is wrong.
ProgramNodes describeNodes(Compilation &compilation);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_NODES_PROGRAMNODES_H
