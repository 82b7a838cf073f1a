//===- MemoryHistory.h - Who touched which bytes ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last accesses of streams to bytes of buffers. Each write comes after all
// accesses before it, or is an error, so that only the last one matters, and
// the reads after it: the cells of an arena join again when they are written as
// one, which keeps the work near-linear.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_ORDER_MEMORYHISTORY_H
#define HETERO_TRANSFORMS_ORDER_MEMORYHISTORY_H

#include "StreamClocks.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>
#include <map>
#include <optional>

namespace mlir::hetero {

/// Bytes that accesses are compared by.
struct MemoryRange {
  /// An allocation, argument or state, and the offset in it if that is known at
  /// run time only.
  const void *root = nullptr, *slot = nullptr;
  int64_t begin = 0, end = std::numeric_limits<int64_t>::max();
  /// The view of an arena, or the root.
  const void *place = nullptr;
  /// The root may be other memory under another name.
  bool isAlias = false;
  /// No value that is an alias may be the root, as none is state, which loads
  /// copy.
  bool hasNoAlias = false;
  /// And no other function has it.
  bool isLocal = false;

  bool overlaps(const MemoryRange &other) const {
    return root == other.root && slot == other.slot && begin < other.end &&
           other.begin < end;
  }
};

/// An access that another one has to come after.
struct MemoryAccess {
  StreamEvent event;
  bool writes;
};

/// The last accesses to some bytes.
struct AccessHistory {
  std::optional<StreamEvent> write;
  /// Since then, the last one of each stream.
  SmallVector<StreamEvent, 2> reads;
  /// The generation of the last write or allocation.
  unsigned generation = 0;

  /// An access that is not known to be done before the next one of the stream.
  std::optional<MemoryAccess> findConflict(const StreamClocks &clocks,
                                           unsigned stream, bool writes) const;
  void note(StreamEvent event, bool writes, unsigned generation);
  /// The event is over for everybody.
  void forget(StreamEvent event);
};

class MemoryHistory {
public:
  /// New memory, which nobody has touched.
  void allocate(const void *root, unsigned generation);
  /// When the root was allocated: 0 if that is outside of what is looked at.
  unsigned getGeneration(const void *root) const {
    return generations.lookup(root);
  }
  /// Visits all that is known of the range, which is cut out first.
  void visit(const MemoryRange &range,
             function_ref<void(AccessHistory &)> visitor);
  /// Visits all that is known of the root.
  void visitAll(const void *root, function_ref<void(AccessHistory &)> visitor);
  void note(const MemoryRange &range, StreamEvent event, bool writes,
            unsigned generation);

private:
  struct Cell {
    int64_t end;
    AccessHistory history;
  };
  /// By first byte.
  using Cells = std::map<int64_t, Cell>;
  using Key = std::pair<const void *, const void *>;

  static void cut(Cells &cells, int64_t place);
  void cutOut(Cells &cells, const MemoryRange &range);

  std::map<Key, Cells> memory;
  llvm::DenseMap<const void *, unsigned> generations;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_ORDER_MEMORYHISTORY_H
