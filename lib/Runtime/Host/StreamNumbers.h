//===- StreamNumbers.h - Streams by lane and unit ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_STREAMNUMBERS_H
#define HETERO_LIB_RUNTIME_HOST_STREAMNUMBERS_H

#include <cstdint>
#include <string>

namespace hetero::runtime {

/// Of calls that are not under way with others; of all lanes, in calls for one.
inline constexpr int32_t kNoLane = 0, kAllLanes = -1;

/// The number of a lane's stream for a unit of the program, on every device the
/// same. Without a lane it is the unit's own.
int32_t findStream(int32_t lane, int32_t unit);
int32_t laneOfStream(int32_t stream);
/// "1", or "1 of lane 3", for messages.
std::string describeStream(int32_t stream);

/// A number, from 1, that no other lane of the process has at the same time,
/// and that a later one may have: then it finds the same streams.
int32_t takeLane();
void giveLane(int32_t lane);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_STREAMNUMBERS_H
