//===- KeptBlocks.h - Freed memory of the host for later --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_KEPTBLOCKS_H
#define HETERO_LIB_RUNTIME_HOST_KEPTBLOCKS_H

#include "Runtime/Host/Reuse.h"

#include <algorithm>
#include <mutex>

namespace hetero::runtime {

/// Freed blocks by size, up to the most bytes that were in use at once.
class KeptBlocks {
public:
  /// A kept block, or null; the block counts as used either way.
  void *take(int64_t size, bool isOrdinary = true) {
    std::lock_guard<std::mutex> lock(mutex);
    used += size;
    mostUsed = std::max(mostUsed, used);
    void *block = isOrdinary ? free.take(size) : nullptr;
    if (block)
      kept -= size;
    else
      free.announce(size);
    return block;
  }

  /// There was no such block after all.
  void cancel(int64_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    used -= size;
  }

  /// False if the block is one too many to keep.
  bool put(int64_t size, void *block) {
    std::lock_guard<std::mutex> lock(mutex);
    used -= size;
    if (used + kept + size > mostUsed) {
      free.renounce(size);
      return false;
    }
    free.put(size, block);
    kept += size;
    return true;
  }

  /// Gives all that is kept to the function.
  template <typename Function> void clear(Function function) {
    std::lock_guard<std::mutex> lock(mutex);
    free.forEach(function);
    free.clear();
    kept = 0;
    mostUsed = used;
  }

private:
  std::mutex mutex;
  FreeBlocks free;
  /// Bytes of blocks in use, the most of them so far, and of those kept.
  int64_t used = 0, mostUsed = 0, kept = 0;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_KEPTBLOCKS_H
