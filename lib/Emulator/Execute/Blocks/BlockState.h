//===- BlockState.h - What the parts of a block share -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCKSTATE_H
#define HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCKSTATE_H

#include "Emulator/Execute/Blocks/Worker.h"
#include "Emulator/Execute/Executor.h"

#include <algorithm>
#include <csetjmp>
#include <memory>
#include <string>
#include <vector>

namespace hetero::emulator {

/// A block that runs: its threads, and how their faults are told.
class BlockState {
public:
  BlockState(Launch &launch, Worker &worker, uint64_t number);

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

  /// Threads of a warp that have not ended.
  uint32_t liveMask(uint32_t firstOfWarp) const;
  /// What is scheduled: a thread, or its warp.
  uint32_t unitOf(uint32_t index) const {
    return launch.warpFunction ? index / kWarpSize : index;
  }
  std::vector<std::unique_ptr<Fiber>> &fibers() {
    return launch.warpFunction ? worker.warpFibers : worker.fibers;
  }
  Fiber &fiberOf(const PTXThread &thread) {
    return *fibers()[unitOf(thread.index)];
  }
  void suspend(PTXThread &thread) { fiberOf(thread).suspend(/*last=*/false); }

  /// "(3, 0, 0)".
  std::string nameOfThread(uint32_t index) const;
  /// "thread (3, 0, 0)", or what an agent of SharedChecks does.
  std::string nameOfMember(uint32_t index) const;
  /// "kernel k, block (3, 0, 0)".
  std::string name() const;
  /// " (line 12 of the PTX)", where the thread or its warp met others last.
  std::string lineOf(uint32_t index) const;

  /// Records the fault; `what` follows the position of the thread.
  void report(PTXThread &thread, cuda::Result code, const std::string &what);
  /// The same where the thread meets others, with the line.
  void reportMeeting(PTXThread &thread, const std::string &what);
  /// That of a thread whose warp is not complete, as matrices need it.
  void reportPartOfWarp(PTXThread &thread);
  /// Leaves the thread for good after a fault.
  [[noreturn]] void leave(PTXThread &thread);

  Launch &launch;
  Worker &worker;
  uint32_t position[3];
  uint32_t numThreads, numUnits, live;
  bool usesFibers;
  bool isAlone = true; ///< No other block runs in turn with it.
  /// Where threads without fibers leave to.
  std::jmp_buf escape;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_BLOCKS_BLOCKSTATE_H
