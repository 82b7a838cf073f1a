//===- Block.cpp - The threads of a block and how they meet ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Block.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

/// What recursive functions may use of the stack of a worker.
static constexpr uint64_t kStackOfThread = 1 << 20;

/// Makes `buffer` hold `bytes` from an address that is a multiple of 128.
static uint8_t *reserve(std::vector<uint8_t> &buffer, uint64_t bytes) {
  if (buffer.size() < bytes + 128)
    buffer.resize(bytes + 128);
  uintptr_t address = reinterpret_cast<uintptr_t>(buffer.data());
  return buffer.data() + (128 - address % 128) % 128;
}

static uint64_t localStride(const CompiledKernel &kernel) {
  return (uint64_t(kernel.localBytes) + 127) / 128 * 128;
}

Block::Block(Launch &launch, Worker &worker, uint64_t number)
    : BlockState(launch, worker, number) {
  shared = reserve(worker.shared, launch.sharedBytes);
  if (SharedChecks *checks = sharedChecks())
    checks->begin(launch.sharedBytes, numThreads);
  uint64_t stride = localStride(*launch.kernel);
  uint32_t slots = usesFibers || launch.warpFunction ? numThreads : 1;
  local = reserve(worker.local, stride * slots);
  if (worker.threads.size() < slots)
    worker.threads.resize(slots);
  if (launch.warpFunction && worker.warps.size() < numUnits)
    worker.warps.resize(numUnits);
  if (launch.warpFunction)
    worker.warpStates.assign(numUnits, WarpState());
  else
    worker.warpCounts.assign(numUnits / kWarpSize + 1, WarpCounts());
  while (usesFibers && fibers().size() < numUnits)
    fibers().push_back(std::make_unique<Fiber>(
        launch.warpFunction ? kWarpStack : kThreadStack));
  if (worker.windowsOf != launch.id) {
    std::fill(std::begin(worker.windows), std::end(worker.windows),
              AccessWindow());
    worker.windowsOf = launch.id;
  }
}

/// Fills in thread `index`, in its own slot or in the only one.
void Block::setUp(uint32_t index) {
  uint32_t slot = usesFibers || launch.warpFunction ? index : 0;
  PTXThread &thread = worker.threads[slot];
  thread.block = this;
  thread.index = index;
  thread.state = PTXThread::Exited;
  turns.setState(thread, PTXThread::Running);
  thread.patience = kPatience;
  thread.wakesAt = thread.slept = 0;
  thread.operation = 0;
  thread.clusterArrival = 0;
  thread.copyGroups = thread.productGroups = 0;
  ThreadContext &context = thread.context;
  context.tid[0] = index % launch.block[0];
  context.tid[1] = index / launch.block[0] % launch.block[1];
  context.tid[2] = index / launch.block[0] / launch.block[1];
  for (int i = 0; i < 3; ++i) {
    context.ntid[i] = launch.block[i];
    context.ctaid[i] = position[i];
    context.nctaid[i] = launch.grid[i];
  }
  context.laneid = index % kWarpSize;
  context.warpid = index / kWarpSize;
  context.params = reinterpret_cast<uint8_t *>(launch.params.data());
  context.shared = shared;
  context.local = local + slot * localStride(*launch.kernel);
  context.executor = &thread;
  context.sharedBytes = launch.sharedBytes;
  context.dynamicBytes = launch.dynamicBytes;
  context.reservedAt = launch.reservedAt;
  context.isExplicitCluster = launch.isExplicitCluster;
  context.localBytes = launch.kernel->localBytes;
  context.smid = 0;
  context.nsmid = getNumWorkers();
  context.gridid = launch.id;
  context.windows = worker.windows;
  context.counters = worker.counters;
  thread.budget = launch.limit;
  context.budget = &thread.budget;
  context.workspace = launch.workspace;
  context.stackLimit =
      usesFibers ? fiberOf(thread).stackLimit()
                 : reinterpret_cast<uint64_t>(__builtin_frame_address(0)) -
                       kStackOfThread;
}

void Block::run() {
  if (launch.warpFunction)
    runWarps();
  else if (!usesFibers)
    runInOrder();
  else if (startFibers())
    runReady();
  finish();
}

void Block::start() {
  if (usesFibers)
    startFibers();
  else
    runInOrder();
}

bool Block::runTurn() {
  for (size_t count = turns.numReady(); count > 0 && !launch.failed; --count)
    turns.resumeNext();
  if (!turns.areOver())
    return true;
  checkEnd();
  finish();
  return false;
}

void Block::finish() {
  if (std::any_of(worker.counters, worker.counters + kNumCounters,
                  [](uint64_t count) { return count > 0; })) {
    launch.effects.flops += worker.counters[kCountedFlops];
    launch.effects.bytes += worker.counters[kCountedBytes];
    launch.effects.instructions += worker.counters[kCountedInstructions];
    std::fill_n(worker.counters, kNumCounters, 0);
  }
  if (launch.isRecorded) {
    std::lock_guard<std::mutex> lock(launch.mutex);
    worker.accesses.moveTo(launch.effects.reads, launch.effects.writes);
  }
}

void Block::runInOrder() {
  // leave() comes back here; nothing of this frame changes after setjmp but
  // what is in `this`.
  if (setjmp(escape) != 0)
    return;
  for (uint32_t index = 0; index < numThreads; ++index) {
    setUp(index);
    launch.threadFunction(&worker.threads[0].context);
  }
}

void Block::runThread(void *argument) {
  auto &thread = *static_cast<PTXThread *>(argument);
  Block &block = *thread.block;
  Fiber &fiber = block.fiberOf(thread);
  fiber.enter();
  block.launch.threadFunction(&thread.context);
  block.exitThread(thread);
  fiber.suspend(/*last=*/true);
}

bool Block::startFibers() {
  for (uint32_t index = 0; index < numThreads; ++index) {
    if (!worker.fibers[index]->prepare(runThread, &worker.threads[index])) {
      launch.fail(cuda::kLaunchOutOfResources,
                  "no memory for the stacks of a block's threads");
      return false;
    }
    setUp(index);
    turns.add(index);
  }
  return true;
}

void Block::runReady() {
  while (!turns.areOver())
    turns.resumeNext();
  checkEnd();
}

/// No thread can go on: all must have ended.
void Block::checkEnd() {
  if (usesFibers && live > 0 && !launch.failed)
    reportDeadlock();
}

/// A thread that is gone is not waited for.
void Block::exitThread(PTXThread &thread) {
  if (thread.slept > launch.effects.slept)
    launch.effects.noteSleep(thread.slept);
  turns.setState(thread, PTXThread::Exited);
  --live;
  barriers.noteEnd(thread);
  meetings.noteEnd(thread);
  turns.keepStep(thread.index / kWarpSize);
}

/// "3 of its 64 threads wait at barrier 1, thread (0, 0, 0) among them (line 12
/// of the PTX)".
std::string Block::describeWaiting(const std::vector<uint32_t> &waiting,
                                   const std::string &where) const {
  const PTXThread &first = worker.threads[waiting.front()];
  return std::to_string(waiting.size()) + " of its " +
         std::to_string(numThreads) + " threads wait " + where + ", thread " +
         nameOfThread(first.index) + " among them" + lineOf(first.index);
}

void Block::reportDeadlock() {
  std::vector<uint32_t> atBarrier[kClusterBarrier + 1], atWarp;
  uint32_t ended = 0;
  for (uint32_t index = 0; index < numThreads; ++index) {
    const PTXThread &thread = worker.threads[index];
    ended += thread.state == PTXThread::Exited;
    if (launch.warpFunction) {
      const WarpState &warp = worker.warpStates[unitOf(index)];
      if (warp.waiting >> index % kWarpSize & 1)
        atBarrier[warp.barrier].push_back(index);
    } else if (thread.state == PTXThread::AtBarrier) {
      atBarrier[thread.barrier].push_back(index);
    } else if (thread.state == PTXThread::AtWarp) {
      atWarp.push_back(index);
    }
  }
  std::string text = name() + " can never go on";
  const char *separator = ": ";
  for (uint32_t id = 0; id <= kClusterBarrier; ++id)
    if (!atBarrier[id].empty()) {
      text +=
          separator + describeWaiting(atBarrier[id],
                                      id == kClusterBarrier
                                          ? "at the barrier of the cluster"
                                          : "at barrier " + std::to_string(id));
      separator = ", ";
    }
  if (!atWarp.empty()) {
    text += separator + describeWaiting(atWarp, "for others of their warp");
    separator = ", ";
  }
  if (ended)
    text += separator + std::to_string(ended) + " have ended";
  launch.fail(cuda::kLaunchFailed,
              text + "; let all threads reach the same barrier");
}

PTXThread &hetero::emulator::meetAll(ThreadContext *context,
                                     WarpOperation operation, uint64_t value) {
  PTXThread &thread = threadOf(context);
  Block &block = *thread.block;
  if (block.meetings.meet(thread, operation, ~0u, value) == ~0u)
    return thread;
  block.reportPartOfWarp(thread);
  block.leave(thread);
}
