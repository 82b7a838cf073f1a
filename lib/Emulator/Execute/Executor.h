//===- Executor.h - Runs a grid on the cores of the machine -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_EXECUTOR_H
#define HETERO_LIB_EMULATOR_EXECUTE_EXECUTOR_H

#include "Emulator/Execute/Heap.h"
#include "Emulator/Execute/Memory.h"
#include "Emulator/Execute/Operation.h"
#include "Emulator/Execute/Schedule.h"

#include "Emulator/ABI/CompiledCode.h"
#include "hetero/Runtime/CudaDriver.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace hetero::emulator {

/// What went wrong in a kernel; code is cuda::kSuccess if nothing did.
struct Fault {
  cuda::Result code = cuda::kSuccess;
  std::string message;
};

/// Arguments of any alignment stand right in lines of them.
struct alignas(64) ParamLine {
  uint8_t bytes[64];
};

/// What a kernel launch runs; a graph launches the same many times.
struct PreparedLaunch {
  const CompiledKernel *kernel = nullptr;
  WarpFunction warpFunction = nullptr;     ///< Runs warps as one, if there.
  KernelFunction threadFunction = nullptr; ///< Runs a thread, if not.
  Memory *memory = nullptr;
  Heap *heap = nullptr; ///< Of malloc, which may give so much.
  uint64_t heapBytes = 0;
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  /// Static plus dynamic, plus what is reserved and begins at reservedAt.
  uint32_t sharedBytes = 0;
  uint32_t dynamicBytes = 0, reservedAt = 0;
  std::vector<ParamLine> params;
  bool isExplicitCluster = false;
  bool isCooperative = false; ///< All blocks are there at once.
  uint64_t mostResident = 1;  ///< How many may wait for each other, if not.
  bool isRecorded = false;    ///< Code asks before each access.
  uint64_t limit = 0;        ///< Instructions of a thread, if code counts down.
  bool checksShared = false; ///< For races of a block's threads.
  bool sleepsVirtually = false;     ///< To sleep moves the virtual clock.
  bool checksUninitialized = false; ///< Reads of what nothing has written.

  uint64_t numBlocks() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  uint32_t numThreads() const { return block[0] * block[1] * block[2]; }
};

/// One kernel launch, and the progress of the threads that run it.
struct Launch : PreparedLaunch {
  explicit Launch(PreparedLaunch prepared)
      : PreparedLaunch(std::move(prepared)) {}

  uint64_t id = 0;        ///< Unique, not 0.
  uint64_t workspace = 0; ///< Where blocks meet, a device address, or 0.
  BlockOrder order;
  Effects effects;

  std::atomic<uint64_t> nextBlock{0}, residents{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  Fault fault;    ///< The first one; under `mutex`.
  int active = 0; ///< Threads at work on it; under the pool's mutex.

  /// Keeps the first fault and stops the blocks that have not begun.
  void fail(cuda::Result code, std::string message);
};

/// How many threads run kernels; before the first launch. 0: one per core.
void setNumWorkers(int threads);
int getNumWorkers();

/// Runs all blocks, on the calling thread and the workers, and returns when
/// all are done.
void runGrid(Launch &launch);

/// PTX instructions of all launches, if code counts them.
uint64_t numInstructions();

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_EXECUTOR_H
