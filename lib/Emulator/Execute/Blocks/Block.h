//===- Block.h - The threads of a block and how they meet -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCK_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCK_H

#include "Emulator/Execute/AccessRecorder.h"
#include "Emulator/Execute/Executor.h"
#include "Emulator/Execute/Fiber.h"
#include "Emulator/Execute/SharedChecks.h"

#include <algorithm>
#include <csetjmp>
#include <deque>
#include <memory>
#include <vector>

namespace hetero::emulator {

constexpr uint32_t kWarpSize = 32;
constexpr uint32_t kNumBarriers = 16;
/// Of a thread that waits in a loop; see BlockSteps.cpp.
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

/// Runs one block. The threads of a kernel without collectives run one after
/// the other as plain calls; otherwise each has a fiber, and a thread that
/// waits for others gives way to the next. The threads of a warp may run as
/// one, with one fiber.
class Block {
public:
  Block(Launch &launch, Worker &worker, uint64_t number);

  void run();

  /// The same little by little, so that blocks can wait for each other: after
  /// start(), runTurn() lets each thread that can go on do so until it waits.
  /// False when the block has ended.
  void start();
  bool runTurn();

  // Called on a thread of the block; they return when the others are there.
  uint32_t barrier(PTXThread &thread, uint32_t id, uint32_t count,
                   uint32_t mode, uint32_t predicate);
  void arrive(PTXThread &thread, uint32_t id, uint32_t count);
  /// Meets the threads of `mask` in the warp; thread.lanes then has what each
  /// brought. Returns who is there.
  uint32_t meetWarp(PTXThread &thread, uint32_t operation, uint32_t mask,
                    uint64_t value);
  void yield(PTXThread &thread);
  void sleep(PTXThread &thread, uint32_t nanoseconds);
  /// Keeps the threads of a warp in step: waits until the others have come to
  /// the same place, or wait elsewhere, and returns who goes on together. Of
  /// several places the first goes on first.
  uint32_t step(PTXThread &thread, uint32_t place, uint64_t address,
                bool waits);

  // The same for the lanes in `mask` of a warp that runs as one.
  uint32_t barrierOfWarp(WarpContext &warp, uint32_t mask, uint32_t id,
                         uint32_t count, uint32_t mode, uint32_t predicates);
  void arriveOfWarp(WarpContext &warp, uint32_t mask, uint32_t id,
                    uint32_t count);
  void exitOfWarp(WarpContext &warp, uint32_t mask);

  /// An access to global memory, by the instruction that uses the window.
  void noteAccess(const AccessWindow *window, uint64_t address, uint32_t size,
                  bool isWrite) {
    if (launch.isRecorded)
      worker.accesses.add(static_cast<uint32_t>(window - worker.windows),
                          address, size, isWrite);
  }

  /// An allocation is gone: what this thread of the machine knows of
  /// allocations may be wrong.
  void forgetWindows() {
    std::fill(std::begin(worker.windows), std::end(worker.windows),
              AccessWindow());
  }

  /// That of the block's shared memory, if it is checked.
  SharedChecks *sharedChecks() {
    return launch.checksShared || launch.checksUninitialized
               ? &worker.sharedChecks
               : nullptr;
  }
  /// "(3, 0, 0)".
  std::string nameOfThread(uint32_t index) const;
  /// "thread (3, 0, 0)", or what an agent of SharedChecks does.
  std::string nameOfMember(uint32_t index) const;

  /// Records the fault; `what` follows the position of the thread.
  void report(PTXThread &thread, cuda::Result code, const std::string &what);
  /// The same where the thread meets others, with the line.
  void reportMeeting(PTXThread &thread, const std::string &what);
  /// That of a thread whose warp is not complete, as matrices need it.
  void reportPartOfWarp(PTXThread &thread);
  /// Leaves the thread for good after a fault.
  [[noreturn]] void leave(PTXThread &thread);

  Launch &launch;

private:
  struct Barrier {
    uint32_t arrived = 0, expected = 0; ///< expected 0: all live threads.
    uint32_t count = 0, all = 1, any = 0;
  };

  void setUp(uint32_t index);
  void runInOrder();
  bool startFibers();
  void resumeNext();
  void checkEnd();
  void finish();
  static void runThread(void *thread);
  void setUpWarp(uint32_t index);
  void setUpWarps();
  void runWarps();
  void runReady();
  static void runWarp(void *warp);
  void suspend(PTXThread &thread);
  void giveWay(PTXThread &thread);
  void setState(PTXThread &thread, PTXThread::State state);
  void losePatience(PTXThread &thread, uint32_t amount);
  void keepStep(uint32_t warp);
  uint64_t firstToWake() const;
  void exitThread(PTXThread &thread);
  bool tryCompleteBarrier(uint32_t id);
  void noteBarrier(uint32_t id);
  void resumeThreads(uint32_t id, const uint32_t *results);
  void resumeWarps(uint32_t id, const uint32_t *results);
  bool tryCompleteWarp(const PTXThread &thread);
  uint32_t liveMask(uint32_t firstOfWarp) const;
  void checkBarrier(PTXThread &thread, uint32_t id, uint32_t count);
  std::string lineOf(uint32_t index) const;
  std::string describeWaiting(const std::vector<uint32_t> &waiting,
                              const std::string &where) const;
  void reportDeadlock();
  Fiber &fiberOf(const PTXThread &thread) {
    return *fibers()[unitOf(thread.index)];
  }
  std::vector<std::unique_ptr<Fiber>> &fibers() {
    return launch.warpFunction ? worker.warpFibers : worker.fibers;
  }
  /// What is scheduled: a thread, or its warp.
  uint32_t unitOf(uint32_t index) const {
    return launch.warpFunction ? index / kWarpSize : index;
  }

  Worker &worker;
  uint32_t position[3];
  uint32_t numThreads, numUnits, live;
  bool usesFibers;
  uint8_t *shared = nullptr, *local = nullptr;
  Barrier barriers[kNumBarriers];
  std::deque<uint32_t> ready;
  uint32_t numAsleep = 0;
  std::jmp_buf escape;
};

/// Meets all lanes of the warp; what each brings is then in thread.lanes. A
/// thread whose warp is not complete is at fault.
PTXThread &meetAll(ThreadContext *context, WarpOperation operation,
                   uint64_t value);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCK_H
