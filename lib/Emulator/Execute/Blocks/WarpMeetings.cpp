//===- WarpMeetings.cpp - Threads of a warp that meet ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/WarpMeetings.h"

#include <algorithm>
#include <vector>

using namespace hetero::emulator;

/// Lets the members of the thread's meeting go on when all are there.
bool WarpMeetings::tryComplete(const PTXThread &thread) {
  uint32_t first = thread.index / kWarpSize * kWarpSize;
  uint32_t operation = thread.operation, mask = thread.mask;
  uint32_t members = mask & state.liveMask(first);
  uint64_t values[kWarpSize] = {};
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(members >> lane & 1))
      continue;
    const PTXThread &other = state.worker.threads[first + lane];
    if (other.state != PTXThread::AtWarp || other.mask != mask ||
        other.operation != operation)
      return false;
    values[lane] = other.value;
  }
  std::vector<uint32_t> meeting;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(members >> lane & 1))
      continue;
    PTXThread &other = state.worker.threads[first + lane];
    meeting.push_back(first + lane);
    std::copy(std::begin(values), std::end(values), other.lanes);
    other.mask = members;
    turns.resume(other);
  }
  // Others than bar.warp.sync do not order memory.
  if (state.sharedChecks() && operation == kWarpSync)
    state.sharedChecks()->meet(meeting);
  return true;
}

uint32_t WarpMeetings::meet(PTXThread &thread, uint32_t operation,
                            uint32_t mask, uint64_t value) {
  uint32_t lane = thread.context.laneid;
  if (!(mask >> lane & 1)) {
    state.reportMeeting(
        thread, "takes part in a warp's operation whose mask leaves it out");
    state.leave(thread);
  }
  thread.operation = operation;
  thread.mask = mask;
  thread.value = value;
  if (!state.usesFibers) { // The only thread there can be.
    thread.lanes[lane] = value;
    return 1u << lane;
  }
  turns.setState(thread, PTXThread::AtWarp);
  tryComplete(thread);
  turns.keepStep(thread.index / kWarpSize);
  state.suspend(thread);
  return thread.mask;
}

void WarpMeetings::noteEnd(const PTXThread &thread) {
  uint32_t first = thread.index / kWarpSize * kWarpSize;
  uint32_t end = std::min(first + kWarpSize, state.numThreads);
  for (uint32_t index = first; index < end; ++index)
    if (state.worker.threads[index].state == PTXThread::AtWarp)
      tryComplete(state.worker.threads[index]);
}
