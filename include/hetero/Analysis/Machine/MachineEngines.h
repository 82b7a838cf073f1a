//===- MachineEngines.h - What of a device works by itself ---- -*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines of a machine, for those that order work and those that predict
// how long it takes: hetero-schedule and placement for latency.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_MACHINEENGINES_H
#define HETERO_ANALYSIS_MACHINE_MACHINEENGINES_H

#include "hetero/Analysis/Machine/Topology.h"

namespace mlir::hetero {

/// What an engine does, one thing after the other. A link over the network
/// between nodes is an engine of its own, and takes none of the devices.
enum class EngineRole : uint8_t { Compute, CopyIn, CopyOut, Transfer };

/// An engine of a device, or the link from a host to another node's.
struct MachineEngine {
  DeviceIndex device;
  EngineRole role = EngineRole::Compute;
  /// Where the link ends.
  DeviceIndex peer = 0;
};

/// The engines that a copy over one link takes: of each end the one that copies
/// from or to it; none of a host, whose memory others read and write; and the
/// one that computes of a device that cannot do both at once. Between nodes the
/// link is one.
llvm::SmallVector<MachineEngine, 2>
getCopyEngines(const Topology &topology, DeviceIndex from, DeviceIndex to);

/// Gives engines numbers from 0, in the order in which they are asked for.
class EngineNumbers {
public:
  unsigned get(MachineEngine engine) {
    auto role = static_cast<unsigned>(engine.role);
    return numbers
        .try_emplace({engine.device, {role, engine.peer}}, numbers.size())
        .first->second;
  }
  unsigned size() const { return numbers.size(); }

private:
  llvm::DenseMap<std::pair<DeviceIndex, std::pair<unsigned, DeviceIndex>>,
                 unsigned>
      numbers;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_MACHINEENGINES_H
