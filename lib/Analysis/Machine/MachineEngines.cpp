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

SmallVector<MachineEngine, 2>
mlir::hetero::getCopyEngines(const Topology &topology, DeviceIndex from,
                             DeviceIndex to) {
  SmallVector<MachineEngine, 2> engines;
  if (topology.areOnTwoNodes(from, to))
    engines.push_back({from, EngineRole::Transfer, to});
  auto add = [&](DeviceIndex end, EngineRole role) {
    if (!topology.overlapsCopies(end))
      engines.push_back({end, EngineRole::Compute});
    else if (!topology.isHostOfNode(end))
      engines.push_back({end, role});
  };
  add(from, EngineRole::CopyOut);
  add(to, EngineRole::CopyIn);
  return engines;
}
