//===- Heap.cpp - malloc and free in kernels ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Heap.h"

#include "Emulator/Execute/Blocks/Block.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

/// What the device's memory gives is aligned like this.
static constexpr uint64_t kHeapAlignment = 512;

uint64_t Heap::allocate(uint64_t bytes, uint64_t align, uint64_t limit) {
  uint64_t more = align > kHeapAlignment ? align - kHeapAlignment : 0;
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes == 0 || used > limit || bytes > limit - used ||
      more > limit - used - bytes)
    return 0;
  uint64_t allocation = memory.allocate(bytes + more, owner);
  if (!allocation)
    return 0;
  uint64_t address = (allocation + more) / std::max<uint64_t>(align, 1) *
                     std::max<uint64_t>(align, 1);
  used += bytes + more;
  pieces[address] = {allocation, bytes + more};
  return address;
}

bool Heap::free(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = pieces.find(address);
  if (it == pieces.end())
    return false;
  memory.free(it->second.allocation);
  used -= it->second.bytes;
  pieces.erase(it);
  return true;
}

bool Heap::owns(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  return pieces.count(address) != 0;
}

void Heap::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  used = 0;
  pieces.clear();
}

//===----------------------------------------------------------------------===//
// Called by kernels
//===----------------------------------------------------------------------===//

uint64_t heteroEmuAllocate(ThreadContext *context, uint64_t bytes,
                           uint64_t align) {
  const Launch &launch = threadOf(context).block->launch;
  if (!launch.heap || align == 0 || (align & (align - 1)) != 0)
    return 0;
  return launch.heap->allocate(bytes, align, launch.heapBytes);
}

static void reportFree(PTXThread &thread, uint64_t address) {
  thread.block->reportMeeting(
      thread, "frees what malloc has not given, " +
                  thread.block->launch.memory->describe(address, 1));
}

void heteroEmuFree(ThreadContext *context, uint64_t address) {
  PTXThread &thread = threadOf(context);
  Block &block = *thread.block;
  if (address == 0)
    return;
  if (!block.launch.heap || !block.launch.heap->free(address)) {
    reportFree(thread, address);
    block.leave(thread);
  }
  block.forgetWindows();
}
