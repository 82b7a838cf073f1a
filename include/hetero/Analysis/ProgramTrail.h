//===- ProgramTrail.h - Where a program lies in memory ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of a block are a list: in a large module each walk waits for
// the memory of every operation to learn where the next one is. A pass that has
// gone through the module leaves a trail for the passes behind it, which load
// operations ahead of their walks.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PROGRAMTRAIL_H
#define HETERO_ANALYSIS_PROGRAMTRAIL_H

#include "hetero/Dialect/Hetero/IR/Prefetch.h"

namespace mlir::hetero {

/// Operations of a module in the order of the program, with others between
/// them; an analysis that is empty until a pass lays the trail.
class ProgramTrail {
public:
  explicit ProgramTrail(Operation *) {}

  /// For one walk in the order of the program. The operations must stay where
  /// they are until the walk has met them.
  void lay(SmallVector<Operation *, 0> &&trail) {
    ops = std::move(trail);
    next = 0;
  }
  void clear() { lay({}); }

  /// For each operation of the walk: loads some behind it and what follows
  /// them; without a trail those that are likely to be next.
  void follow(Operation *op) {
    constexpr size_t kAhead = 20, kFollowing = 10;
    if (ops.empty())
      return strides.prefetch(op);
    if (next == ops.size() || ops[next] != op)
      return;
    ++next;
    if (next + kAhead < ops.size())
      prefetch(ops[next + kAhead]);
    if (next + kFollowing < ops.size()) {
      Operation *near = ops[next + kFollowing];
      __builtin_prefetch(near->getBlock());
      if (Operation *following = near->getNextNode())
        prefetchHead(following);
    }
  }

private:
  SmallVector<Operation *, 0> ops;
  /// The number of the first one that the walk has not met.
  size_t next = 0;
  StridePrefetcher strides;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PROGRAMTRAIL_H
