//===- Barriers.h - The barriers of a block ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BARRIERS_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BARRIERS_H

#include "Emulator/Execute/Blocks/Turns.h"

namespace hetero::emulator {

/// Called on a thread of the block; what waits returns when the others are
/// there.
class Barriers {
public:
  Barriers(BlockState &state, Turns &turns) : state(state), turns(turns) {}

  uint32_t wait(PTXThread &thread, uint32_t id, uint32_t count, uint32_t mode,
                uint32_t predicate);
  void arrive(PTXThread &thread, uint32_t id, uint32_t count);
  // The same for the lanes in `mask` of a warp that runs as one.
  uint32_t waitOfWarp(WarpContext &warp, uint32_t mask, uint32_t id,
                      uint32_t count, uint32_t mode, uint32_t predicates);
  void arriveOfWarp(WarpContext &warp, uint32_t mask, uint32_t id,
                    uint32_t count);
  /// barrier.cluster: a thread waits for the phase at which it has arrived.
  void arriveAtCluster(PTXThread &thread);
  void waitForCluster(PTXThread &thread);
  /// A thread is gone, which is not waited for.
  void noteEnd(PTXThread &thread);

private:
  struct Barrier {
    uint32_t arrived = 0, expected = 0; ///< expected 0: all live threads.
    uint32_t count = 0, all = 1, any = 0;
  };

  bool tryComplete(uint32_t id);
  void note(uint32_t id);
  void resumeThreads(uint32_t id, const uint32_t *results);
  void resumeWarps(uint32_t id, const uint32_t *results);
  void check(PTXThread &thread, uint32_t id, uint32_t count);
  void checkCluster(PTXThread &thread, bool arrives);

  BlockState &state;
  Turns &turns;
  Barrier barriers[kClusterBarrier + 1];
  uint32_t clusterPhase = 1;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BARRIERS_H
