//===- PeakTree.h - The largest sum of what overlaps ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_PEAKTREE_H
#define HETERO_LIB_PLACEMENT_PEAKTREE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlir::hetero {

/// A number for each position. Adding to a range and the largest number of all
/// take the logarithm of their count.
class PeakTree {
public:
  explicit PeakTree(size_t numPositions) {
    while (size < numPositions)
      size *= 2;
    clear();
  }

  void clear() {
    added.assign(2 * size, 0);
    largest.assign(2 * size, 0);
  }
  /// Adds to the positions from first to last, both included.
  void add(size_t first, size_t last, int64_t amount) {
    size_t left = first + size, right = last + size;
    apply(left, amount);
    if (left != right)
      apply(right, amount);
    for (; left / 2 != right / 2; left /= 2, right /= 2) {
      if (left % 2 == 0)
        apply(left + 1, amount);
      if (right % 2 == 1)
        apply(right - 1, amount);
      update(left / 2);
      update(right / 2);
    }
    for (left /= 2; left != 0; left /= 2)
      update(left);
  }
  int64_t getLargest() const { return largest[1]; }

private:
  void apply(size_t node, int64_t amount) {
    added[node] += amount;
    largest[node] += amount;
  }
  void update(size_t node) {
    largest[node] =
        std::max(largest[2 * node], largest[2 * node + 1]) + added[node];
  }

  size_t size = 1;
  /// By node of a complete binary tree: what was added to all below it, and the
  /// largest number below it.
  std::vector<int64_t> added, largest;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_PEAKTREE_H
