//===- WarpBlock.cpp - Blocks whose warps run as one ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Block.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

void Block::setUpWarp(uint32_t index) {
  WarpContext &warp = worker.warps[index];
  uint32_t first = index * kWarpSize;
  uint32_t count = std::min(kWarpSize, numThreads - first);
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (lane < count)
      setUp(first + lane);
    // Lanes that are not there are never asked anything.
    ThreadContext &context = worker.threads[first + lane % count].context;
    for (int i = 0; i < 3; ++i)
      warp.tid[i][lane] = context.tid[i];
    warp.local[lane] = context.local;
    warp.threads[lane] = &context;
  }
  warp.scratch = worker.scratch;
  warp.live = count == kWarpSize ? ~0u : (1u << count) - 1;
  warp.isInRows = launch.block[0] % 8 == 0;
}

/// Most of what warps see is the same for all blocks of a launch.
void Block::setUpWarps() {
  if (worker.warpsOf != launch.id) {
    for (uint32_t index = 0; index < numUnits; ++index)
      setUpWarp(index);
    worker.warpsOf = launch.id;
    return;
  }
  for (uint32_t index = 0; index < numThreads; ++index) {
    PTXThread &thread = worker.threads[index];
    thread.block = this;
    thread.state = PTXThread::Running;
    std::copy(position, position + 3, thread.context.ctaid);
  }
}

void Block::runWarps() {
  setUpWarps();
  if (!usesFibers && setjmp(escape) != 0)
    return;
  for (uint32_t index = 0; index < numUnits; ++index) {
    if (usesFibers &&
        !worker.warpFibers[index]->prepare(runWarp, &worker.warps[index])) {
      launch.fail(cuda::kLaunchOutOfResources,
                  "no memory for the stacks of a block's warps");
      return;
    }
    if (usesFibers)
      turns.add(index);
    else
      launch.warpFunction(&worker.warps[index]);
  }
  if (usesFibers)
    runReady();
}

void Block::runWarp(void *argument) {
  auto &warp = *static_cast<WarpContext *>(argument);
  PTXThread &thread = threadOf(&warp, 0);
  Block &block = *thread.block;
  Fiber &fiber = block.fiberOf(thread);
  fiber.enter();
  block.launch.warpFunction(&warp);
  fiber.suspend(/*last=*/true);
}

void Block::exitOfWarp(WarpContext &warp, uint32_t mask) {
  if (!usesFibers || mask == 0)
    return;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (mask >> lane & 1)
      exitThread(threadOf(&warp, lane));
}
