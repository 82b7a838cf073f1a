//===- MachineEngines.cpp - What of a device works by itself --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/MachineEngines.h"

using namespace mlir;
using namespace mlir::hetero;

std::optional<EngineRole> mlir::hetero::getCopyEngine(const Topology &topology,
                                                      DeviceIndex end,
                                                      bool isSource) {
  if (!topology.overlapsCopies(end))
    return EngineRole::Compute;
  if (end == Topology::kHost)
    return std::nullopt;
  return isSource ? EngineRole::CopyOut : EngineRole::CopyIn;
}
