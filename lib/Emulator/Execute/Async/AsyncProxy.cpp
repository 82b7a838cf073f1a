//===- AsyncProxy.cpp - Memory that is accessed for threads ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Async/AsyncProxy.h"

#include "Emulator/Execute/Async/PhaseBarrier.h"

using namespace hetero::emulator;
using namespace hetero;

/// Of groups among the keys of SharedChecks: those of copies, then those of
/// products; the low bits are a group, the others a thread.
static constexpr uint64_t kGroupKey = UINT64_C(1) << 34;
static constexpr uint32_t kGroupBits = 6;

AsyncProxy::AsyncProxy(ThreadContext *context, Kind kind, uint32_t line)
    : context(context), line(line), thread(threadOf(context)),
      checks(thread.block->sharedChecks()) {
  if (!checks)
    return;
  agent =
      kind == Copy ? checks->copyAgent() : checks->productAgent(thread.index);
  checks->startAgent(agent, thread.index);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

// No string is left when the thread leaves its stack.

static std::string atLine(uint32_t line) {
  return " (line " + std::to_string(line) + " of the PTX)";
}

static void reportOperation(PTXThread &thread, const char *what,
                            uint32_t line) {
  thread.block->report(thread, cuda::kLaunchFailed, what + atLine(line));
}

static void reportAlignment(PTXThread &thread, const char *what, uint64_t value,
                            uint64_t align, uint32_t line) {
  thread.block->report(thread, cuda::kMisalignedAddress,
                       "gives an asynchronous operation the " +
                           std::string(what) + " " + hexadecimal(value) +
                           atLine(line) + ", which is not a multiple of " +
                           std::to_string(align));
}

static void reportBounds(PTXThread &thread, const Access &access,
                         const char *space, const std::string &where) {
  thread.block->report(thread, cuda::kIllegalAddress,
                       describe(access, space) + where);
}

void AsyncProxy::fail(const char *what) {
  reportOperation(thread, what, line);
  thread.block->leave(thread);
}

void AsyncProxy::checkAlignment(const char *what, uint64_t value,
                                uint64_t align) {
  if (value % align == 0)
    return;
  reportAlignment(thread, what, value, align, line);
  thread.block->leave(thread);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

uint8_t *AsyncProxy::shared(uint64_t offset, uint64_t bytes, bool isStore) {
  Access access{offset, static_cast<uint32_t>(bytes), isStore ? kWrites : 0u,
                line};
  if (offset > context->sharedBytes || bytes > context->sharedBytes - offset) {
    reportBounds(thread, access, "shared",
                 "where there are " + std::to_string(context->sharedBytes) +
                     " bytes");
    thread.block->leave(thread);
  }
  if (checks && !checkShared(thread, agent, *checks, access))
    thread.block->leave(thread);
  return context->shared + offset;
}

uint8_t *AsyncProxy::global(uint64_t address, uint64_t bytes, bool isStore) {
  const Memory &memory = *thread.block->launch.memory;
  Access access{address, static_cast<uint32_t>(bytes), isStore ? kWrites : 0u,
                line};
  uint8_t *host = memory.access(address, bytes, isStore, context->windows);
  if (!host) {
    reportBounds(thread, access, "global", memory.describe(address, bytes));
    thread.block->leave(thread);
  }
  thread.block->noteAccess(context->windows, address, access.size, isStore);
  context->counters[kCountedBytes] += bytes;
  if (isStore) {
    memory.noteWritten(address, bytes);
  } else if (!memory.isWritten(address, bytes)) {
    reportUnwritten(thread, access, "global",
                    ", " + memory.describe(address, bytes));
    thread.block->leave(thread);
  }
  return host;
}

void AsyncProxy::complete(uint64_t barrier, uint64_t bytes) {
  // The object is there for every access, so that no check concerns it.
  uint8_t *place = heteroEmuShared(context, barrier, sizeof(uint64_t),
                                   kWrites | kStrong | kReadsToo, line);
  auto *object = reinterpret_cast<uint64_t *>(place);
  context->line = line;
  checkPhaseObject(thread, object);
  expectBytes(thread, object, -static_cast<int64_t>(bytes));
  if (checks)
    checks->release(barrier, agent);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// What the last of a thread's groups released, but for some, is done.
static void waitForGroup(SharedChecks &checks, uint32_t thread, uint64_t kind,
                         uint32_t committed, uint32_t left) {
  if (committed <= left)
    return;
  uint64_t group = (committed - 1 - left) % (1 << kGroupBits);
  checks.acquire(kGroupKey + ((2 * uint64_t(thread) + kind) << kGroupBits) +
                     group,
                 thread);
}

void heteroEmuGroups(ThreadContext *context, uint32_t operation,
                     uint32_t left) {
  PTXThread &thread = threadOf(context);
  SharedChecks *checks = thread.block->sharedChecks();
  if (!checks)
    return;
  bool isProduct = operation >= kCommitProducts;
  uint32_t &committed = isProduct ? thread.productGroups : thread.copyGroups;
  if (operation == kWaitForCopies || operation == kWaitForProducts)
    return waitForGroup(*checks, thread.index, isProduct, committed, left);
  uint64_t group = committed++ % (1 << kGroupBits);
  uint32_t agent =
      isProduct ? checks->productAgent(thread.index) : checks->copyAgent();
  checks->release(kGroupKey +
                      ((2 * uint64_t(thread.index) + isProduct) << kGroupBits) +
                      group,
                  agent);
}
