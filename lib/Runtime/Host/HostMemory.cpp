//===- HostMemory.cpp - Memory of the host for compiled code --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/HostMemory.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Host/Reuse.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

using namespace hetero::runtime;

static constexpr int64_t kAlignment = 64;

namespace {
/// Blocks that were used before.
struct HostBlocks {
  std::mutex mutex;
  FreeBlocks free;
  /// Bytes of blocks in use, the most of them so far, and of those kept.
  int64_t used = 0, mostUsed = 0, kept = 0;
};
} // namespace

static HostBlocks &blocks() {
  static HostBlocks *instance = new HostBlocks;
  return *instance;
}

/// A kept block, or null; the block counts as used either way.
static void *takeKept(int64_t size, bool isOrdinary) {
  HostBlocks &all = blocks();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.used += size;
  all.mostUsed = std::max(all.mostUsed, all.used);
  void *block = isOrdinary ? all.free.take(size) : nullptr;
  if (block)
    all.kept -= size;
  else
    all.free.announce(size);
  return block;
}

/// A new block, or null; what is kept of other sizes goes first.
static void *allocateBlock(int64_t size, int64_t alignment) {
  size_t align = std::max(alignment, kAlignment);
  size_t bytes = (size + align - 1) / align * align;
  if (void *block = std::aligned_alloc(align, bytes))
    return block;
  trimHostMemory();
  return std::aligned_alloc(align, bytes);
}

static HeteroStatus failAllocation(int64_t bytes) {
  return fail(HETERO_ERROR_OUT_OF_MEMORY,
              "cannot allocate " + std::to_string(bytes) +
                  " bytes on cpu:0; free memory or use smaller tensors");
}

HeteroStatus hetero::runtime::allocateOnHost(int64_t bytes, int64_t alignment,
                                             void **pointer) {
  // What is rounded up stays within the type.
  if (bytes > INT64_MAX / 2)
    return failAllocation(bytes);
  int64_t size = blockSize(bytes);
  *pointer = takeKept(size, alignment <= kAlignment);
  if (!*pointer)
    *pointer = allocateBlock(size, alignment);
  if (*pointer)
    return HETERO_OK;
  std::lock_guard<std::mutex> lock(blocks().mutex);
  blocks().used -= size;
  return failAllocation(bytes);
}

void hetero::runtime::freeOnHost(void *pointer, int64_t bytes) {
  int64_t size = blockSize(bytes);
  HostBlocks &all = blocks();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    all.used -= size;
    if (all.used + all.kept + size <= all.mostUsed) {
      all.free.put(size, pointer);
      all.kept += size;
      return;
    }
    all.free.renounce(size);
  }
  std::free(pointer);
}

void hetero::runtime::trimHostMemory() {
  HostBlocks &all = blocks();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.free.forEach([](void *block) { std::free(block); });
  all.free.clear();
  all.kept = 0;
  all.mostUsed = all.used;
}
