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

/// The engines of a device, each of which does one thing after the other.
enum class EngineRole : uint8_t { Compute, CopyIn, CopyOut };
inline constexpr unsigned kNumEngineRoles = 3;

/// The engine that a copy over a link takes of one of its ends, `isSource` or
/// destination: none of the host, whose memory others read and write, and the
/// one that computes of a device that cannot do both at once.
std::optional<EngineRole> getCopyEngine(const Topology &topology,
                                        DeviceIndex end, bool isSource);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_MACHINEENGINES_H
