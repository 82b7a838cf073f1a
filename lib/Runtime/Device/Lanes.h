//===- Lanes.h - Threads that work on requests at once ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request that is under way with others has a lane: a thread, and on every
// device streams of its own for the units of the program, so that it waits for
// nothing that another one has enqueued. What it allocates is used on these
// streams only, and free again once they are done.
//
// On the emulator's virtual clock there is one host, which cannot be at two
// places: one lane at a time runs, and when it waits, the clock decides whose
// turn it is. So times do not depend on how fast threads are. With a real clock
// all lanes run. Which one it is shows when the first request waits or is over:
// until then it is alone, and a driver is loaded if the program needs one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_LANES_H
#define HETERO_LIB_RUNTIME_DEVICE_LANES_H

#include "Runtime/Device/Driver.h"
#include "Runtime/Host/Rank.h"
#include "Runtime/Host/StreamNumbers.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace hetero::runtime {

class Lanes;

struct Lane {
  enum State { Ready, Runs, AwaitsStreams, AwaitsCondition, Away, Over };

  Lane(Lanes &lanes, int32_t number, int64_t request)
      : lanes(lanes), number(number), request(request) {}

  Lanes &lanes;
  /// From 1; no other lane of the process has it at the same time.
  const int32_t number;
  /// Those of lower numbers come first.
  int64_t request;
  /// By unit of the program: the number of the stream, or 0. Of its thread.
  std::vector<int32_t> streams;

  // With the lock of all lanes.
  State state = Ready;
  std::vector<cuda::Stream> awaited;
  const std::function<bool()> *condition = nullptr;
  bool isCalling = false;
  /// How many calls had returned when there was no memory for it; -1: there is.
  int64_t lacksMemorySince = -1;
};

/// The lanes of one run of requests.
class Lanes {
public:
  using Lock = std::unique_lock<std::mutex>;

  explicit Lanes(int64_t count);
  ~Lanes();

  /// Calls `work` in a thread of each lane, and returns when all have. There
  /// are fewer if the system refuses threads; false if there is none.
  bool run(const std::function<void(Lane &)> &work);

  /// Guards what conditions are about.
  std::mutex &getMutex() { return mutex; }
  /// Waits until the condition holds, with the lock, which it lets go.
  void wait(Lane &lane, Lock &lock, const std::function<bool()> &condition);
  /// Conditions may hold now; with the lock.
  void notify() { changed.notify_all(); }

  /// The lane calls the program for its request.
  void beginCall(Lane &lane);
  /// The call has returned what it had.
  void endCall(Lane &lane);
  int64_t countReturned();
  /// Waits until more calls have returned than had before memory was asked for.
  /// False if that will not be: only others that lack memory are under way.
  bool waitForMemory(Lane &lane, int64_t numReturned);
  /// Waits until all earlier requests are over.
  void waitForEarlier(Lane &lane);
  /// The same, because the program keeps state.
  void waitForState(Lane &lane);
  bool areOrderedByState() const { return hasState; }
  /// The lane's request is over; with the lock.
  void endRequest();
  /// How often a lane has waited for memory.
  int64_t countMemoryWaits() const { return numMemoryWaits; }

  /// Waits for streams of the lane, without any lock of a device. False if
  /// there is no virtual clock: the caller waits by itself.
  bool waitForStreams(Lane &lane, std::vector<cuda::Stream> streams);

  /// Between them the lane waits for what no lane does, and others may run.
  void leaveTurn(Lane &lane);
  void takeTurn(Lane &lane);

private:
  enum Mode { FirstAlone, Turns, AllAtOnce };

  void begin(Lane &lane);
  void end(Lane &lane);
  bool takesTurns();
  void pass();
  bool isStuck(const Lane &lane) const;
  void waitForTurn(Lane &lane, Lock &lock, Lane::State state);

  Mode mode = FirstAlone;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<Lane>> lanes;
  /// Calls, and requests that are over.
  int64_t numReturned = 0, numOver = 0, numMemoryWaits = 0;
  bool hasState = false;
};

/// The calling thread begins to work for a rank, on the clock of whose host it
/// is then; null: for the process.
void beginThreadOf(Rank *rank);

/// The calling thread's, or null.
Lane *currentLane();
/// Its number, or kNoLane.
int32_t currentLaneNumber();

/// The number of the calling thread's stream for a unit of the program.
int32_t findOwnStream(int32_t unit);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_LANES_H
