//===- Block.cpp - The threads of a block and how they meet ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Block.h"

#include "Emulator/ABI/SourceLines.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

/// What recursive functions may use of the stack of a worker.
static constexpr uint64_t kStackOfThread = 1 << 20;

/// Of barriers among the keys of SharedChecks; those below are addresses.
static constexpr uint64_t kBarrierKey = UINT64_C(1) << 32;

static std::string list(const uint32_t *sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) +
         ", " + std::to_string(sizes[2]) + ")";
}

//===----------------------------------------------------------------------===//
// Setting up and running
//===----------------------------------------------------------------------===//

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
    : launch(launch), worker(worker), numThreads(launch.numThreads()),
      numUnits(unitOf(numThreads - 1) + 1), live(numThreads),
      usesFibers(launch.kernel->usesBarriers) {
  position[0] = number % launch.grid[0];
  position[1] = number / launch.grid[0] % launch.grid[1];
  position[2] = number / launch.grid[0] / launch.grid[1];
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
  setState(thread, PTXThread::Running);
  thread.patience = kPatience;
  thread.wakesAt = thread.slept = 0;
  thread.operation = 0;
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
  for (size_t count = ready.size(); count > 0 && !launch.failed; --count)
    resumeNext();
  if (!ready.empty() && !launch.failed)
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
    launch.kernel->function(&worker.threads[0].context);
  }
}

void Block::runThread(void *argument) {
  auto &thread = *static_cast<PTXThread *>(argument);
  Block &block = *thread.block;
  Fiber &fiber = block.fiberOf(thread);
  fiber.enter();
  block.launch.kernel->function(&thread.context);
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
    ready.push_back(index);
  }
  return true;
}

void Block::resumeNext() {
  uint32_t index = ready.front();
  ready.pop_front();
  fibers()[index]->resume();
}

void Block::runReady() {
  while (!ready.empty() && !launch.failed)
    resumeNext();
  checkEnd();
}

/// No thread can go on: all must have ended.
void Block::checkEnd() {
  if (usesFibers && live > 0 && !launch.failed)
    reportDeadlock();
}

void Block::suspend(PTXThread &thread) { fiberOf(thread).suspend(false); }

/// A thread that is gone is not waited for.
void Block::exitThread(PTXThread &thread) {
  if (thread.slept > launch.effects.slept)
    launch.effects.noteSleep(thread.slept);
  setState(thread, PTXThread::Exited);
  --live;
  for (uint32_t id = 0; id < kNumBarriers; ++id)
    if (barriers[id].arrived > 0)
      tryCompleteBarrier(id);
  uint32_t first = thread.index / kWarpSize * kWarpSize;
  uint32_t end = std::min(first + kWarpSize, numThreads);
  for (uint32_t index = first; index < end; ++index)
    if (worker.threads[index].state == PTXThread::AtWarp)
      tryCompleteWarp(worker.threads[index]);
  keepStep(first / kWarpSize);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

bool Block::tryCompleteBarrier(uint32_t id) {
  Barrier &barrier = barriers[id];
  uint32_t expected = barrier.expected ? barrier.expected : live;
  if (barrier.arrived < expected)
    return false;
  const uint32_t results[] = {barrier.count, barrier.all, barrier.any};
  if (sharedChecks())
    noteBarrier(id);
  barrier = Barrier();
  if (launch.warpFunction)
    resumeWarps(id, results);
  else
    resumeThreads(id, results);
  return true;
}

/// Accesses before the barrier come before those behind it.
void Block::noteBarrier(uint32_t id) {
  std::vector<uint32_t> waiting;
  for (uint32_t index = 0; index < numThreads; ++index)
    if (worker.threads[index].state == PTXThread::AtBarrier &&
        worker.threads[index].barrier == id)
      waiting.push_back(index);
  if (waiting.size() == live)
    return sharedChecks()->meetAll();
  sharedChecks()->meet(waiting);
  for (uint32_t index : waiting)
    sharedChecks()->acquire(kBarrierKey + id, index);
}

void Block::resumeThreads(uint32_t id, const uint32_t *results) {
  for (uint32_t index = 0; index < numThreads; ++index) {
    PTXThread &thread = worker.threads[index];
    if (thread.state != PTXThread::AtBarrier || thread.barrier != id)
      continue;
    setState(thread, PTXThread::Running);
    thread.value = results[thread.operation];
    ready.push_back(index);
  }
}

/// Leaves the thread when it asks for what no barrier does.
void Block::checkBarrier(PTXThread &thread, uint32_t id, uint32_t count) {
  const char *problem = nullptr;
  if (id >= kNumBarriers)
    problem = "uses a barrier whose number is not below 16";
  else if (count % kWarpSize != 0)
    problem = "waits at a barrier for a number of threads that is not a "
              "multiple of 32";
  else if (barriers[id].arrived > 0 && barriers[id].expected != count)
    problem = "waits at a barrier for another number of threads than those "
              "that wait there";
  if (!problem)
    return;
  reportMeeting(thread, problem);
  leave(thread);
}

uint32_t Block::barrier(PTXThread &thread, uint32_t id, uint32_t count,
                        uint32_t mode, uint32_t predicate) {
  if (!usesFibers && numThreads == 1)
    return predicate != 0;
  checkBarrier(thread, id, count);
  Barrier &barrier = barriers[id];
  barrier.expected = count;
  ++barrier.arrived;
  barrier.count += predicate != 0;
  barrier.all &= predicate != 0;
  barrier.any |= predicate != 0;
  setState(thread, PTXThread::AtBarrier);
  thread.barrier = static_cast<uint8_t>(id);
  thread.operation = std::min(mode, 2u);
  tryCompleteBarrier(id);
  keepStep(thread.index / kWarpSize);
  suspend(thread);
  return static_cast<uint32_t>(thread.value);
}

void Block::arrive(PTXThread &thread, uint32_t id, uint32_t count) {
  checkBarrier(thread, id, count);
  barriers[id].expected = count;
  ++barriers[id].arrived;
  if (SharedChecks *checks = sharedChecks())
    checks->release(kBarrierKey + id, thread.index);
  tryCompleteBarrier(id);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

uint32_t Block::liveMask(uint32_t first) const {
  uint32_t mask = 0, end = std::min(first + kWarpSize, numThreads);
  for (uint32_t index = first; index < end; ++index)
    if (worker.threads[index].state != PTXThread::Exited)
      mask |= 1u << (index - first);
  return mask;
}

/// Lets the members of the thread's meeting go on when all are there.
bool Block::tryCompleteWarp(const PTXThread &thread) {
  uint32_t first = thread.index / kWarpSize * kWarpSize;
  uint32_t operation = thread.operation, mask = thread.mask;
  uint32_t members = mask & liveMask(first);
  uint64_t values[kWarpSize] = {};
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(members >> lane & 1))
      continue;
    const PTXThread &other = worker.threads[first + lane];
    if (other.state != PTXThread::AtWarp || other.mask != mask ||
        other.operation != operation)
      return false;
    values[lane] = other.value;
  }
  std::vector<uint32_t> meeting;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(members >> lane & 1))
      continue;
    PTXThread &other = worker.threads[first + lane];
    meeting.push_back(first + lane);
    std::copy(std::begin(values), std::end(values), other.lanes);
    other.mask = members;
    setState(other, PTXThread::Running);
    ready.push_back(first + lane);
  }
  // Others than bar.warp.sync do not order memory.
  if (sharedChecks() && operation == kWarpSync)
    sharedChecks()->meet(meeting);
  return true;
}

uint32_t Block::meetWarp(PTXThread &thread, uint32_t operation, uint32_t mask,
                         uint64_t value) {
  uint32_t lane = thread.context.laneid;
  if (!(mask >> lane & 1)) {
    reportMeeting(thread,
                  "takes part in a warp's operation whose mask leaves it out");
    leave(thread);
  }
  thread.operation = operation;
  thread.mask = mask;
  thread.value = value;
  if (!usesFibers) { // The only thread there can be.
    thread.lanes[lane] = value;
    return 1u << lane;
  }
  setState(thread, PTXThread::AtWarp);
  tryCompleteWarp(thread);
  keepStep(thread.index / kWarpSize);
  suspend(thread);
  return thread.mask;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

std::string Block::nameOfThread(uint32_t index) const {
  const uint32_t tid[] = {index % launch.block[0],
                          index / launch.block[0] % launch.block[1],
                          index / launch.block[0] / launch.block[1]};
  return list(tid);
}

std::string Block::nameOfMember(uint32_t index) const {
  if (index < numThreads)
    return "thread " + nameOfThread(index);
  return index == numThreads ? "a bulk copy" : "a product of a warpgroup";
}

void Block::report(PTXThread &thread, cuda::Result code,
                   const std::string &what) {
  launch.fail(code, "kernel " + launch.kernel->name + ", block " +
                        list(position) + ", thread " +
                        list(thread.context.tid) + " " + what);
}

/// " (line 12 of the PTX)", where the thread or its warp met others last.
std::string Block::lineOf(uint32_t index) const {
  uint32_t noted = launch.warpFunction ? index / kWarpSize * kWarpSize : index;
  return " (line " + std::to_string(worker.threads[noted].context.line) +
         " of the PTX)";
}

void Block::reportMeeting(PTXThread &thread, const std::string &what) {
  report(thread, cuda::kLaunchFailed, what + lineOf(thread.index));
}

void Block::reportPartOfWarp(PTXThread &thread) {
  reportMeeting(thread, "takes part in an operation on matrices, but its warp "
                        "has not all of its 32 threads");
}

void Block::leave(PTXThread &thread) {
  if (!usesFibers)
    std::longjmp(escape, 1);
  fiberOf(thread).suspend(/*last=*/true);
  __builtin_unreachable();
}

/// "3 of its 64 threads wait at barrier 1, thread (0, 0, 0) among them (line 12
/// of the PTX)".
std::string Block::describeWaiting(const std::vector<uint32_t> &waiting,
                                   const std::string &where) const {
  const PTXThread &first = worker.threads[waiting.front()];
  return std::to_string(waiting.size()) + " of its " +
         std::to_string(numThreads) + " threads wait " + where + ", thread " +
         list(first.context.tid) + " among them" + lineOf(first.index);
}

void Block::reportDeadlock() {
  std::vector<uint32_t> atBarrier[kNumBarriers], atWarp;
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
  std::string text = "kernel " + launch.kernel->name + ", block " +
                     list(position) + " can never go on";
  const char *separator = ": ";
  for (uint32_t id = 0; id < kNumBarriers; ++id)
    if (!atBarrier[id].empty()) {
      text += separator + describeWaiting(atBarrier[id],
                                          "at barrier " + std::to_string(id));
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
  if (block.meetWarp(thread, operation, ~0u, value) == ~0u)
    return thread;
  block.reportPartOfWarp(thread);
  block.leave(thread);
}
