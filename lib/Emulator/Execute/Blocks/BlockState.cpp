//===- BlockState.cpp - What the parts of a block share -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/BlockState.h"

using namespace hetero::emulator;
using namespace hetero;

BlockState::BlockState(Launch &launch, Worker &worker, uint64_t number)
    : launch(launch), worker(worker), numThreads(launch.numThreads()),
      numUnits(unitOf(numThreads - 1) + 1), live(numThreads),
      usesFibers(launch.kernel->usesBarriers) {
  position[0] = number % launch.grid[0];
  position[1] = number / launch.grid[0] % launch.grid[1];
  position[2] = number / launch.grid[0] / launch.grid[1];
}

uint32_t BlockState::liveMask(uint32_t first) const {
  uint32_t mask = 0, end = std::min(first + kWarpSize, numThreads);
  for (uint32_t index = first; index < end; ++index)
    if (worker.threads[index].state != PTXThread::Exited)
      mask |= 1u << (index - first);
  return mask;
}

static std::string list(const uint32_t *sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) +
         ", " + std::to_string(sizes[2]) + ")";
}

std::string BlockState::nameOfThread(uint32_t index) const {
  const uint32_t tid[] = {index % launch.block[0],
                          index / launch.block[0] % launch.block[1],
                          index / launch.block[0] / launch.block[1]};
  return list(tid);
}

std::string BlockState::nameOfMember(uint32_t index) const {
  if (index < numThreads)
    return "thread " + nameOfThread(index);
  return index == numThreads ? "a bulk copy" : "a product of a warpgroup";
}

std::string BlockState::name() const {
  return "kernel " + launch.kernel->name + ", block " + list(position);
}

void BlockState::report(PTXThread &thread, cuda::Result code,
                        const std::string &what) {
  launch.fail(code,
              name() + ", thread " + list(thread.context.tid) + " " + what);
}

std::string BlockState::lineOf(uint32_t index) const {
  uint32_t noted = launch.warpFunction ? index / kWarpSize * kWarpSize : index;
  return " (line " + std::to_string(worker.threads[noted].context.line) +
         " of the PTX)";
}

void BlockState::reportMeeting(PTXThread &thread, const std::string &what) {
  report(thread, cuda::kLaunchFailed, what + lineOf(thread.index));
}

void BlockState::reportPartOfWarp(PTXThread &thread) {
  reportMeeting(thread, "takes part in an operation on matrices, but its warp "
                        "has not all of its 32 threads");
}

void BlockState::leave(PTXThread &thread) {
  if (!usesFibers)
    std::longjmp(escape, 1);
  fiberOf(thread).suspend(/*last=*/true);
  __builtin_unreachable();
}
