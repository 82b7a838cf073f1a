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

namespace hetero::runtime {

/// One of the ranks of a program over several nodes. A process is one, or each
/// of some threads of it; threads that they start for their work belong to it
/// as well.
struct Rank {
  int32_t number = 0;
};

/// The calling thread's, else that of the process, or null.
Rank *currentRank();
/// Sets the calling thread's and returns what it had of its own, or null.
Rank *exchangeCurrentRank(Rank *rank);
/// Sets that of the process.
void setProcessRank(Rank *rank);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_RANK_H
