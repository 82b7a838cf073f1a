//===- Rank.cpp - The node that a thread works for ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Rank.h"

#include <atomic>
#include <utility>

using namespace hetero::runtime;

static thread_local Rank *rankOfThread = nullptr;
static std::atomic<Rank *> rankOfProcess{nullptr};

Rank *hetero::runtime::currentRank() {
  return rankOfThread ? rankOfThread : rankOfProcess.load();
}

Rank *hetero::runtime::exchangeCurrentRank(Rank *rank) {
  return std::exchange(rankOfThread, rank);
}

void hetero::runtime::setProcessRank(Rank *rank) { rankOfProcess = rank; }
