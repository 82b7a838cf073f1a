//===- Worker.h - Threads of PTX, and what runs them ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_WORKER_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_WORKER_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/Execute/AccessRecorder.h"
#include "Emulator/Execute/Fiber.h"
#include "Emulator/Execute/SharedChecks.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hetero::emulator {

constexpr uint32_t kWarpSize = 32;
constexpr uint32_t kNumBarriers = 16;
/// That of the cluster, which is the block's own.
constexpr uint32_t kClusterBarrier = kNumBarriers;
/// Of a thread that waits in a loop; see Turns.cpp.
constexpr uint32_t kPatience = 1 << 16;

class Block;

/// What a warp does together; members of one meeting agree on it.
enum WarpOperation : uint32_t {
  kWarpSync,
  kWarpVote,
  kWarpMatch,
  kWarpRedux,
  kWarpShuffle = kWarpRedux + 8,
  kWarpMultiply = kWarpShuffle + 4,
  kWarpLoadMatrix,
  kWarpStoreMatrix,
  kWarpMoveMatrix,
  kWarpAccessFragment,
  kWarpGroupMultiply
};

/// One PTX thread: `context.executor` points back to it.
struct PTXThread {
  enum State : uint8_t { Running, AtBarrier, AtWarp, AtStep, Idle, Exited };

  ThreadContext context;
  uint64_t budget; ///< Instructions that it may still execute.
  Block *block;
  uint32_t index; ///< In the block.
  uint32_t spins = 0;
  uint32_t patience; ///< Until its warp no longer waits for it.
  uint64_t wakesAt;  ///< If it sleeps, in nanoseconds; or 0.
  uint64_t slept;    ///< With the virtual clock.
  uint32_t copyGroups, productGroups; ///< That it has committed.
  /// The phase of the cluster's barrier at which it has arrived, from 1; 0: it
  /// has waited since.
  uint32_t clusterArrival;
  State state;
  uint8_t barrier; ///< AtBarrier: which.
  // What the thread brought to the meeting, and what it takes away.
  uint32_t operation; ///< AtWarp: a number that all members agree on; AtStep:
                      ///< the place.
  uint32_t mask;
  uint64_t value;
  uint64_t lanes[kWarpSize]; ///< What each lane brought to the last meeting.
};

inline PTXThread &threadOf(const ThreadContext *context) {
  return *static_cast<PTXThread *>(context->executor);
}

inline PTXThread &threadOf(const WarpContext *warp, uint32_t lane) {
  return threadOf(warp->threads[lane]);
}

/// How many threads of a warp run, and how many wait at places for each other.
struct WarpCounts {
  uint8_t running = 0, atStep = 0;
};

/// The lanes of a warp that runs as one and what they wait for.
struct WarpState {
  uint32_t waiting = 0; ///< Lanes at the barrier.
  uint32_t barrier = 0, operation = 0, result = 0;
};

/// A thread of the machine that runs blocks, with buffers that it keeps.
struct Worker {
  AccessWindow windows[kNumAccessWindows] = {};
  uint64_t counters[kNumCounters] = {};
  AccessRecorder accesses;
  uint64_t windowsOf = 0; ///< The launch that the windows belong to,
  uint64_t warpsOf = 0;   ///< and that of the warps and their threads.
  std::vector<PTXThread> threads;
  std::vector<WarpContext> warps;
  std::vector<WarpState> warpStates;
  std::vector<WarpCounts> warpCounts; ///< Of warps whose threads run apart.
  std::vector<std::unique_ptr<Fiber>> fibers, warpFibers;
  std::vector<uint8_t> shared, local;
  SharedChecks sharedChecks;
  alignas(64) uint8_t scratch[64]; ///< For lanes that are not there.
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_WORKER_H
