//===- Turns.h - Threads of a block that take turns -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_TURNS_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_TURNS_H

#include "Emulator/Execute/Blocks/BlockState.h"

#include <deque>
#include <utility>

namespace hetero::emulator {

/// Which threads, or warps, of a block go on. All but the first functions are
/// called on a thread of the block.
class Turns {
public:
  explicit Turns(BlockState &state) : state(state) {}

  /// A thread or a warp can go on.
  void add(uint32_t unit) { ready.push_back(unit); }
  bool areOver() const { return ready.empty() || state.launch.failed; }
  uint64_t numReady() const { return ready.size(); }
  /// Whether a thread has waited for another one in a loop since the last call.
  bool hasWaited() { return std::exchange(waited, false); }
  /// Lets the next one go on until it waits.
  void resumeNext();

  void setState(PTXThread &thread, PTXThread::State to) {
    if (!state.launch.warpFunction && state.usesFibers) {
      WarpCounts &counts = state.worker.warpCounts[thread.index / kWarpSize];
      counts.running -= thread.state == PTXThread::Running;
      counts.atStep -= thread.state == PTXThread::AtStep;
      counts.running += to == PTXThread::Running;
      counts.atStep += to == PTXThread::AtStep;
    }
    if (thread.state == PTXThread::AtBarrier ||
        thread.state == PTXThread::AtWarp)
      thread.patience = kPatience;
    thread.state = to;
  }
  /// Lets a thread that waited go on.
  void resume(PTXThread &thread) {
    setState(thread, PTXThread::Running);
    add(thread.index);
  }
  void yield(PTXThread &thread);
  void sleep(PTXThread &thread, uint32_t nanoseconds);
  /// Keeps the threads of a warp in step: waits until the others have come to
  /// the same place, or wait elsewhere, and returns who goes on together. Of
  /// several places the first goes on first.
  uint32_t step(PTXThread &thread, uint32_t place, uint64_t address,
                bool waits);
  /// If no thread of the warp runs, lets those at the first place go on, and
  /// those that have no patience.
  void keepStep(uint32_t warp);

private:
  void giveWay(PTXThread &thread);
  void losePatience(PTXThread &thread, uint32_t amount);
  uint64_t firstToWake() const;

  BlockState &state;
  std::deque<uint32_t> ready;
  uint32_t numAsleep = 0;
  bool waited = false;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_TURNS_H
