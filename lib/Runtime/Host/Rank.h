//===- Rank.h - The node that a thread works for ------------- -*- C++ -*--===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_RANK_H
#define HETERO_LIB_RUNTIME_HOST_RANK_H

#include <cstdint>
#include <utility>

namespace hetero::runtime {

/// One of the ranks of a program over several nodes. A process is one, or each
/// of some threads of it; threads that they start for their work belong to it
/// as well.
struct Rank {
  int32_t number = 0;
  /// What the process calls gpu:0 of its program.
  int32_t firstDevice = 0;
};

/// The calling thread's, else that of the process, or null.
Rank *currentRank();
/// Sets the calling thread's and returns what it had of its own, or null.
Rank *exchangeCurrentRank(Rank *rank);
/// Sets that of the process.
void setProcessRank(Rank *rank);

/// From now on the process may be several ranks, whose gpus have numbers of
/// their own: those of rank N begin with this many times N.
inline constexpr int32_t kDevicesOfRank = 256;
void divideDevices();

/// The process's number of a device of the calling thread's program.
int32_t inProcess(int32_t device);
/// The rank of a device of the process, and its number there.
std::pair<int32_t, int32_t> inProgram(int32_t device);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_RANK_H
