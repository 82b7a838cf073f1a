//===- Timeline.h - The virtual clock ---------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives every operation of a host's streams a start and an end, as if each
// device had one compute engine and two copy engines. What takes part is the
// order of the calls, what they wait for, and what kernels have counted while
// they ran: nothing depends on how fast the streams' threads are.
//
// An operation starts when the host has issued it, what it comes after is done
// and its engines are free. Engines take the operation that can start first,
// then the one that was ready first, then the one that was issued first. The
// host's clock moves when the host waits, and a little with each call.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_TIMELINE_H
#define HETERO_LIB_EMULATOR_DEVICE_TIMELINE_H

#include "Emulator/Device/Config.h"
#include "Emulator/Execute/Operation.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace hetero::emulator {

/// An operation as JSON, its times less the origin; more fields come last.
std::string describe(const Operation &operation, uint64_t origin,
                     const std::string &fields = "");

/// The clock of one host, and of what its threads have given to streams. Work
/// that another host has issued takes no part: what waits for it waits in real
/// time only.
class Timeline {
public:
  /// Time begins at `origin`.
  explicit Timeline(const Config &config, uint64_t origin = 0);

  /// The host gives the operation to its stream now, after these (some may be
  /// null).
  void issue(const OperationRef &operation, std::vector<OperationRef> after);
  /// The operation has run; a kernel has counted this.
  void finish(Operation &operation, const Effects *effects);

  /// The host waits for the operations; some may be null.
  void hostWaits(const std::vector<OperationRef> &operations);
  /// The host waits for one of the groups of operations, of which some may be
  /// null: the first that is done by its clock, else the one that is done
  /// first. Returns its number; the host makes no call for it.
  size_t hostWaitsForOne(std::vector<std::vector<OperationRef>> groups);
  /// Whether the operation is done by the host's clock.
  bool isDone(const OperationRef &operation);
  /// While one exists, all that its thread gives to streams is one call of the
  /// host. The timeline may be null.
  class OneCall {
  public:
    explicit OneCall(Timeline *timeline);
    ~OneCall();
  };
  /// Whether calls of this thread take the host time; at first they do.
  static void setCallsTakeTime(bool take);
  /// The host works that long.
  void hostWorks(uint64_t picoseconds);
  uint64_t hostTime();

  /// When the operation is done, by the clock of the host that has issued it;
  /// resolves what comes before.
  static uint64_t endOf(const OperationRef &operation);
  /// End of the last operation.
  uint64_t makespan();
  /// What has happened since time began.
  struct Times {
    uint64_t origin, makespan, host;
    /// Of each engine of each device.
    std::vector<uint64_t> busy;
    /// In the order of the calls.
    std::vector<OperationRef> operations;
  };
  Times times();
  /// When all is over, by a clock that has not begun anew at any time. All
  /// operations have run.
  uint64_t settle();
  /// Forgets the operations; time begins anew at `origin`, which is not before
  /// settle().
  void restart(uint64_t origin);

private:
  struct Candidate {
    OperationRef operation;
    uint64_t start = 0, ready = 0;
  };

  bool isMine(const OperationRef &operation) const {
    return operation && operation->timeline == this;
  }
  bool findNext(Candidate &next) const;
  void resolve(std::unique_lock<std::mutex> &lock, Candidate &next);
  void resolveUntil(std::unique_lock<std::mutex> &lock, const Operation &last);
  void resolveAll(std::unique_lock<std::mutex> &lock);
  uint64_t duration(const Operation &operation) const;
  /// Calls the function with the free time of each engine that it needs.
  template <typename Function>
  void forEachEngine(const Operation &operation, Function function) const;

  const Config config;
  std::mutex mutex;
  std::condition_variable executed;
  /// Those without times, by stream.
  std::map<uint64_t, std::deque<OperationRef>> pending;
  std::vector<OperationRef> resolved;
  /// When each engine is free, and how long it has worked, by device.
  mutable std::vector<uint64_t> freeAt;
  std::vector<uint64_t> busy;
  uint64_t nextNumber = 0;
  uint64_t origin; ///< When time began anew.
  uint64_t host, last;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_TIMELINE_H
