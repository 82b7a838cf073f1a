//===- HostMemory.cpp - Memory of the host for compiled code --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/HostMemory.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Host/KeptBlocks.h"

#include <algorithm>
#include <cstdlib>

using namespace hetero::runtime;

static constexpr int64_t kAlignment = 64;

static KeptBlocks &blocks() {
  static KeptBlocks *instance = new KeptBlocks;
  return *instance;
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
  *pointer = blocks().take(size, alignment <= kAlignment);
  if (!*pointer)
    *pointer = allocateBlock(size, alignment);
  if (*pointer)
    return HETERO_OK;
  blocks().cancel(size);
  return failAllocation(bytes);
}

void hetero::runtime::freeOnHost(void *pointer, int64_t bytes) {
  if (!blocks().put(blockSize(bytes), pointer))
    std::free(pointer);
}

void hetero::runtime::trimHostMemory() {
  blocks().clear([](void *block) { std::free(block); });
}
