//===- Callbacks.cpp - What compiled PTX calls ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Access.h"
#include "Emulator/Execute/Warps/WarpOperations.h"

#include <algorithm>
#include <chrono>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Strings are gone when this returns, so that the caller can leave the stack.
static void reportAccess(PTXThread &thread, const Access &access,
                         const char *space, const std::string &where) {
  bool misaligned = access.address % access.size != 0;
  thread.block->report(
      thread, misaligned ? cuda::kMisalignedAddress : cuda::kIllegalAddress,
      describe(access, space) +
          (misaligned ? "which is not a multiple of the size, " : "") + where);
}

/// The address in a block's, thread's or launch's own memory, or null.
static uint8_t *find(uint8_t *memory, uint64_t limit, const Access &access) {
  if (access.address % access.size != 0 || access.address > limit ||
      access.size > limit - access.address)
    return nullptr;
  return memory + access.address;
}

static uint8_t *accessOwn(ThreadContext *context, uint8_t *memory,
                          uint64_t limit, const Access &access,
                          const char *space) {
  if (uint8_t *host = find(memory, limit, access))
    return host;
  PTXThread &thread = threadOf(context);
  reportAccess(thread, access, space,
               "where there are " + std::to_string(limit) + " bytes");
  thread.block->leave(thread);
}

uint8_t *heteroEmuShared(ThreadContext *context, uint64_t offset, uint32_t size,
                         uint32_t isStore, uint32_t line) {
  Access access{offset, size, isStore, line};
  uint8_t *host = accessOwn(context, context->shared, context->sharedBytes,
                            access, "shared");
  PTXThread &thread = threadOf(context);
  SharedChecks *checks = thread.block->sharedChecks();
  if (checks && !checkShared(thread, thread.index, *checks, access))
    thread.block->leave(thread);
  return host;
}

uint8_t *heteroEmuLocal(ThreadContext *context, uint64_t offset, uint32_t size,
                        uint32_t isStore, uint32_t line) {
  return accessOwn(context, context->local, context->localBytes,
                   {offset, size, isStore, line}, "local");
}

uint8_t *heteroEmuParam(ThreadContext *context, uint64_t offset, uint32_t size,
                        uint32_t isStore, uint32_t line) {
  // Parameters are constant: a store finds no byte that it may write.
  uint64_t limit = isStore & kWrites
                       ? 0
                       : threadOf(context).block->launch.kernel->paramBytes;
  return accessOwn(context, const_cast<uint8_t *>(context->params), limit,
                   {offset, size, isStore, line}, "parameter");
}

uint8_t *heteroEmuTranslate(ThreadContext *context, uint64_t address,
                            uint32_t size, uint32_t isStore, uint32_t line,
                            AccessWindow *window) {
  if (address >= kSharedWindowBase &&
      address < kParamWindowBase + kWindowSize) {
    uint64_t base = address / kWindowSize * kWindowSize;
    if (base == kLocalWindowBase && isStore & kNotLocal) {
      PTXThread &thread = threadOf(context);
      thread.block->report(thread, cuda::kIllegalAddress,
                           describe({address, size, isStore, line}, "global") +
                               "which is that of local memory");
      thread.block->leave(thread);
    }
    auto access = base == kSharedWindowBase  ? heteroEmuShared
                  : base == kLocalWindowBase ? heteroEmuLocal
                                             : heteroEmuParam;
    return access(context, address - base, size, isStore, line);
  }
  PTXThread &thread = threadOf(context);
  const Memory &memory = *thread.block->launch.memory;
  Access access{address, size, isStore, line};
  uint8_t *host = address % size == 0
                      ? memory.access(address, size, access.isStore(), window)
                      : nullptr;
  if (!host) {
    reportAccess(thread, access, "global", memory.describe(address, size));
    thread.block->leave(thread);
  }
  thread.block->noteAccess(window, address, size, access.isStore());
  if (!access.reads() || memory.isWritten(address, size)) {
    if (access.isStore())
      memory.noteWritten(address, size);
    return host;
  }
  reportUnwritten(thread, access, "global",
                  ", " + memory.describe(address, size));
  thread.block->leave(thread);
}

//===----------------------------------------------------------------------===//
// Threads meet
//===----------------------------------------------------------------------===//

void heteroEmuBarrier(ThreadContext *context, uint32_t id, uint32_t threads) {
  PTXThread &thread = threadOf(context);
  thread.block->barriers.wait(thread, id, threads, 0, 0);
}

void heteroEmuBarrierArrive(ThreadContext *context, uint32_t id,
                            uint32_t threads) {
  PTXThread &thread = threadOf(context);
  thread.block->barriers.arrive(thread, id, threads);
}

uint32_t heteroEmuBarrierReduce(ThreadContext *context, uint32_t id,
                                uint32_t threads, uint32_t mode,
                                uint32_t predicate) {
  PTXThread &thread = threadOf(context);
  return thread.block->barriers.wait(thread, id, threads, mode, predicate);
}

void heteroEmuClusterBarrier(ThreadContext *context, uint32_t arrives) {
  PTXThread &thread = threadOf(context);
  if (arrives)
    thread.block->barriers.arriveAtCluster(thread);
  else
    thread.block->barriers.waitForCluster(thread);
}

void heteroEmuWarpSync(ThreadContext *context, uint32_t mask) {
  PTXThread &thread = threadOf(context);
  thread.block->meetings.meet(thread, kWarpSync, mask, 0);
}

uint64_t heteroEmuShuffle(ThreadContext *context, uint32_t mode, uint32_t value,
                          uint32_t lane, uint32_t clamp, uint32_t mask) {
  PTXThread &thread = threadOf(context);
  uint32_t members =
      thread.block->meetings.meet(thread, kWarpShuffle + mode, mask, value);
  return shuffle(mode, static_cast<int>(context->laneid), lane, clamp, members,
                 thread.lanes, value);
}

uint32_t heteroEmuVote(ThreadContext *context, uint32_t mode,
                       uint32_t predicate, uint32_t mask) {
  PTXThread &thread = threadOf(context);
  uint32_t members =
      thread.block->meetings.meet(thread, kWarpVote, mask, predicate != 0);
  uint32_t ballot = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (members >> lane & 1 && thread.lanes[lane])
      ballot |= 1u << lane;
  return vote(mode, ballot, members);
}

uint64_t heteroEmuMatch(ThreadContext *context, uint32_t mode, uint64_t value,
                        uint32_t mask) {
  PTXThread &thread = threadOf(context);
  uint32_t members =
      thread.block->meetings.meet(thread, kWarpMatch, mask, value);
  return match(mode, value, members, thread.lanes);
}

uint32_t heteroEmuRedux(ThreadContext *context, uint32_t mode, uint32_t value,
                        uint32_t mask) {
  PTXThread &thread = threadOf(context);
  uint32_t members =
      thread.block->meetings.meet(thread, kWarpRedux + mode, mask, value);
  uint32_t result = value;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (members >> lane & 1 && lane != context->laneid)
      result = reduce(mode, result, static_cast<uint32_t>(thread.lanes[lane]));
  return result;
}

/// Threads run one at a time, so that each is the only active one.
uint32_t heteroEmuActiveMask(ThreadContext *context, uint32_t place) {
  PTXThread &thread = threadOf(context);
  return thread.block->turns.step(thread, place, /*address=*/0,
                                  /*waits=*/false);
}

void heteroEmuStep(ThreadContext *context, uint32_t place, uint64_t address,
                   uint32_t waits) {
  PTXThread &thread = threadOf(context);
  thread.block->turns.step(thread, place, address, waits != 0);
}

void heteroEmuSleep(ThreadContext *context, uint32_t nanoseconds) {
  PTXThread &thread = threadOf(context);
  thread.block->turns.sleep(thread, nanoseconds);
}

void heteroEmuYield(ThreadContext *context) {
  PTXThread &thread = threadOf(context);
  thread.block->turns.yield(thread);
}

void heteroEmuSpin(ThreadContext *context) {
  constexpr uint32_t kPatience = 16;
  PTXThread &thread = threadOf(context);
  if (++thread.spins % kPatience == 0)
    thread.block->turns.yield(thread);
}

//===----------------------------------------------------------------------===//
// Traps and time
//===----------------------------------------------------------------------===//

static void reportTrap(PTXThread &thread, const char *what, uint32_t line) {
  thread.block->report(thread, cuda::kLaunchFailed,
                       "stops: " + std::string(what) + " (line " +
                           std::to_string(line) + " of the PTX)");
}

void heteroEmuTrap(ThreadContext *context, const char *what, uint32_t line) {
  PTXThread &thread = threadOf(context);
  reportTrap(thread, what, line);
  thread.block->leave(thread);
}

uint64_t heteroEmuClock(ThreadContext *context) {
  return threadOf(context).slept +
         std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
             .count();
}
