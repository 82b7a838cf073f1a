//===- SharedCrossings.h - Values that go to another node -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_SHAREDCROSSINGS_H
#define HETERO_TRANSFORMS_BUFFERS_SHAREDCROSSINGS_H

#include "hetero/Analysis/Machine/Topology.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Lets a value that several copies lead to another node, to whichever of its
/// devices and in whichever blocks, cross the network as seldom as can be.
/// Returns how many crossings that saves.
int64_t shareCrossings(ModuleOp module, const Topology &topology);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_SHAREDCROSSINGS_H
