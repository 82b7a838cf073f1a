//===- Rank.cpp - The node that a thread works for ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/Rank.h"

#include "hetero/Runtime/HeteroRuntime.h"

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

static std::atomic<bool> areDivided{false};

void hetero::runtime::divideDevices() { areDivided = true; }

int32_t hetero::runtime::inProcess(int32_t device) {
  int32_t first = rankOfThread ? rankOfThread->firstDevice : 0;
  if (device == HETERO_HOST)
    return device;
  return device < 0 ? device - first : device + first;
}

std::pair<int32_t, int32_t> hetero::runtime::inProgram(int32_t device) {
  if (!areDivided || device < 0)
    return {0, device};
  return {device / kDevicesOfRank, device % kDevicesOfRank};
}
