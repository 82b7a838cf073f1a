//===- Executor.cpp - Runs a grid on the cores of the machine -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Executor.h"

#include "Emulator/ABI/SourceLines.h"
#include "Emulator/Execute/Blocks/Block.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <memory>
#include <thread>

using namespace hetero::emulator;

namespace {
/// Blocks that a thread of the machine runs in turn.
class ResidentBlocks {
public:
  ResidentBlocks(Launch &launch, Worker &worker)
      : launch(launch), worker(worker) {}

  /// Takes blocks and runs them until none is left.
  void run() {
    for (bool isLast = false; !isLast || !blocks.empty();) {
      if (!isLast && mayTake())
        isLast = !take();
      numWaits += runTurns();
    }
  }

private:
  struct Resident {
    Resident(Launch &launch, uint64_t number, Worker *shared)
        : own(shared ? nullptr : std::make_unique<Worker>()),
          usesShared(shared != nullptr),
          block(launch, shared ? *shared : *own,
                launch.order(number, launch.numBlocks())) {}

    std::unique_ptr<Worker> own; ///< Unless it uses that of the thread.
    bool usesShared;
    Block block;
  };

  bool mayTake() const {
    if (launch.isCooperative || blocks.empty())
      return true;
    return numWaits >= kPatience && launch.residents < launch.mostResident;
  }

  /// False if there is no block left.
  bool take() {
    uint64_t number =
        launch.failed ? launch.numBlocks() : launch.nextBlock.fetch_add(1);
    if (number >= launch.numBlocks())
      return false;
    numWaits = 0;
    ++launch.residents;
    blocks.emplace_back(launch, number, isFree ? &worker : nullptr);
    isFree = false;
    blocks.back().block.start();
    noteCompany();
    return true;
  }

  void noteCompany() {
    for (Resident &resident : blocks)
      resident.block.isAlone = blocks.size() == 1 && !launch.isCooperative;
  }

  /// Whether a thread of a block had to wait.
  bool runTurns() {
    bool waits = false;
    blocks.remove_if([&](Resident &resident) {
      bool goesOn = resident.block.runTurn();
      waits |= resident.block.turns.hasWaited();
      if (!goesOn) {
        --launch.residents;
        isFree |= resident.usesShared;
      }
      return !goesOn;
    });
    noteCompany();
    return waits;
  }

  /// Turns with waits until another block begins.
  static constexpr unsigned kPatience = 64;

  Launch &launch;
  Worker &worker;
  bool isFree = true; ///< No block uses the worker.
  unsigned numWaits = 0;
  std::list<Resident> blocks;
};
} // namespace

/// Takes blocks until none is left. Each thread of the machine keeps its
/// buffers and stacks from launch to launch.
///
/// Threads may wait for threads of other blocks, as many as a device has at
/// once: where they have waited for long, the next block goes on in turn with
/// theirs. The blocks of a cooperative launch are all there from the beginning.
static void runBlocks(Launch &launch) {
  static thread_local Worker worker;
  bool mayWait = launch.kernel->usesBarriers && !launch.warpFunction;
  if (launch.isCooperative || mayWait)
    return ResidentBlocks(launch, worker).run();
  uint64_t count = launch.numBlocks();
  while (!launch.failed) {
    uint64_t number = launch.nextBlock.fetch_add(1);
    if (number >= count)
      return;
    Block(launch, worker, launch.order(number, count)).run();
  }
}

namespace {
/// Threads that help with launches. Lives as long as the process.
class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i)
      std::thread([this] { help(); }).detach();
  }

  void run(Launch &launch) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      launches.push_back(&launch);
    }
    if (launch.numBlocks() > 1)
      wake.notify_all();
    runBlocks(launch);
    std::unique_lock<std::mutex> lock(mutex);
    launches.remove(&launch);
    done.wait(lock, [&] { return launch.active == 0; });
  }

private:
  static bool hasBlocks(const Launch &launch) {
    return !launch.failed && launch.nextBlock < launch.numBlocks();
  }

  Launch *find() {
    for (Launch *launch : launches)
      if (hasBlocks(*launch))
        return launch;
    return nullptr;
  }

  void help() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      Launch *launch = nullptr;
      wake.wait(lock, [&] { return (launch = find()) != nullptr; });
      ++launch->active;
      lock.unlock();
      runBlocks(*launch);
      lock.lock();
      if (--launch->active == 0)
        done.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  std::list<Launch *> launches;
};
} // namespace

static std::atomic<int> numWorkers{0};
static std::atomic<uint64_t> executed{0};

uint64_t hetero::emulator::numInstructions() { return executed; }

void hetero::emulator::setNumWorkers(int threads) { numWorkers = threads; }

int hetero::emulator::getNumWorkers() {
  // Threads of kernels ask, and the system reads files to answer.
  static const int cores = std::max(1u, std::thread::hardware_concurrency());
  int threads = numWorkers;
  return threads > 0 ? threads : cores;
}

void hetero::emulator::runGrid(Launch &launch) {
  static Pool *pool = new Pool(getNumWorkers());
  launch.memory->kernelBegins();
  pool->run(launch);
  executed += launch.effects.instructions;
  launch.memory->kernelEnds();
}

void Launch::fail(cuda::Result code, std::string message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (fault.code == cuda::kSuccess)
    fault = {code, kernel->lines ? kernel->lines->annotate(message)
                                 : std::move(message)};
  failed = true;
}
