//===- DeviceMemory.h - The memory of a device ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_MEMORY_DEVICEMEMORY_H
#define HETERO_LIB_RUNTIME_DEVICE_MEMORY_DEVICEMEMORY_H

#include "Runtime/Device/Streams.h"
#include "Runtime/Host/Reuse.h"

#include <unordered_map>
#include <vector>

namespace hetero::runtime {

/// Blocks of a device that are used again. While there is only one stream, a
/// freed block can be reused at once. Calls need the device's lock.
class DeviceMemory {
public:
  DeviceMemory(Context &context, Streams &streams)
      : context(context), streams(streams) {}

  /// What is kept takes no more than it needs.
  HeteroStatus allocate(int64_t bytes, bool isKept, void **pointer);
  void free(void *pointer);
  /// Whether the driver could get memory back.
  bool hasUnused() const { return !cache.empty() || !retired.empty(); }
  /// Gives unused blocks back to the driver, when nothing uses them.
  void releaseUnused();
  /// Before there is more work: retired blocks come before it.
  HeteroStatus markRetired();
  /// Moves retired blocks that nothing uses any more to the cache.
  void revive(bool all);
  /// The same for those of a lane, all of whose streams are done.
  void reviveOf(int32_t lane);
  /// It went with its context.
  void clear();

private:
  /// A freed block that work on several streams may still use.
  struct RetiredBlock {
    void *pointer;
    int64_t bytes;
    /// Whose streams use it; those of all, or none.
    int32_t lane;
    /// Whether the events are there: one for each stream that has work.
    bool isMarked;
    std::vector<cuda::Event> events;
  };

  /// A block, and the lane that allocated it.
  struct Block {
    int64_t bytes;
    int32_t lane;
  };

  void retire(void *pointer, Block block);
  void put(RetiredBlock &block);
  template <typename Predicate> void reviveIf(Predicate isDone);
  HeteroStatus mark(RetiredBlock &block);

  Context &context;
  Streams &streams;
  std::vector<RetiredBlock> retired;
  bool hasUnmarked = false;
  /// Lists of events of blocks that were revived.
  std::vector<std::vector<cuda::Event>> spareEvents;
  /// While blocks are revived: those of which one is busy.
  std::vector<int32_t> busyLanes;
  /// Free blocks, and every block.
  FreeBlocks cache;
  std::unordered_map<void *, Block> blocks;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_MEMORY_DEVICEMEMORY_H
