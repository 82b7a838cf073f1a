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
#include <thread>

using namespace hetero::emulator;

namespace {
/// A block that runs together with others.
struct ResidentBlock {
  ResidentBlock(Launch &launch, uint64_t number)
      : block(launch, worker, launch.order(number, launch.numBlocks())) {
    block.start();
  }

  Worker worker;
  Block block;
};
} // namespace

/// Takes blocks of a cooperative launch, and lets all that it has go on in
/// turn: each may wait for any other.
static void runTogether(Launch &launch) {
  std::list<ResidentBlock> blocks;
  uint64_t count = launch.numBlocks();
  for (bool isLast = false; !isLast || !blocks.empty();) {
    uint64_t number = isLast ? count : launch.nextBlock.fetch_add(1);
    isLast = number >= count || launch.failed;
    if (!isLast)
      blocks.emplace_back(launch, number);
    blocks.remove_if(
        [](ResidentBlock &resident) { return !resident.block.runTurn(); });
  }
}

/// Takes blocks until none is left. Each thread of the machine keeps its
/// buffers and stacks from launch to launch.
static void runBlocks(Launch &launch) {
  if (launch.isCooperative)
    return runTogether(launch);
  static thread_local Worker worker;
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
