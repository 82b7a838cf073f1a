//===- SharedChecks.h - What a block does to shared memory ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A happens-before check of the threads of a block. A barrier of all threads
// begins a new epoch, in which nothing of the ones before matters. Barriers of
// some threads, and strong accesses to one place, order by vector clocks. Of
// each byte the last write and two reads are kept: with barriers of all threads
// only, that finds every byte with a race.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_SHAREDCHECKS_H
#define HETERO_LIB_EMULATOR_EXECUTE_SHAREDCHECKS_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hetero::emulator {

class SharedChecks {
public:
  /// An access that nothing orders with the one at hand.
  struct Conflict {
    uint32_t thread, line;
    bool isWrite;
  };

  /// A block of so many threads begins, with so many bytes.
  void begin(uint32_t bytes, uint32_t threads);

  /// Who accesses memory for threads, while they go on: bulk copies, and the
  /// products of each warpgroup. They have numbers after those of the threads.
  uint32_t copyAgent() const { return numThreads; }
  uint32_t productAgent(uint32_t thread) const {
    return numThreads + 1 + thread / kWarpgroup;
  }
  /// What the agent does from now on comes after what the thread has done.
  void startAgent(uint32_t agent, uint32_t thread);

  bool isWritten(uint64_t offset, uint32_t size) const;
  void noteWritten(uint64_t offset, uint32_t size);

  /// `kind` is an AccessKind.
  std::optional<Conflict> access(uint32_t thread, uint64_t offset,
                                 uint32_t size, uint32_t kind, uint32_t line);

  /// All threads of the block have met.
  void meetAll();
  /// These have.
  void meet(const std::vector<uint32_t> &threads);
  /// What the thread did comes before what others do after they acquire.
  void release(uint64_t key, uint32_t thread);
  void acquire(uint64_t key, uint32_t thread);

private:
  using Clock = std::vector<uint32_t>;

  struct Touch {
    uint32_t epoch = 0, thread = 0, time = 0, line = 0;
    bool isStrong = false;
  };
  struct Cell {
    Touch write, reads[2];
  };

  bool isBefore(const Touch &touch, uint32_t thread) const;
  void noteRead(Cell &cell, const Touch &touch) const;
  void join(Clock &to, uint32_t thread) const;

  static constexpr uint32_t kWarpgroup = 128;

  uint32_t epoch = 0, numThreads = 0, numMembers = 0; ///< Agents included.
  bool hasAgents = false;
  std::vector<Cell> cells;
  std::vector<bool> written;
  Clock times;              ///< Of each thread.
  std::vector<Clock> known; ///< By each; empty: only itself.
  std::map<uint64_t, Clock> released;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_SHAREDCHECKS_H
