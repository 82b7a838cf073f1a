//===- ProblemLists.h - Who reads and who makes what ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_PROBLEMLISTS_H
#define HETERO_LIB_PLACEMENT_PROBLEMLISTS_H

#include "hetero/Placement/PlacementProblem.h"

namespace mlir::hetero {

/// Numbers that belong to another number, for each of these.
class NumberLists {
public:
  struct Range {
    const unsigned *first, *last;
    const unsigned *begin() const { return first; }
    const unsigned *end() const { return last; }
    bool empty() const { return first == last; }
    size_t size() const { return last - first; }
  };

  /// Entry i of `keys` puts i into the list of that number; -1 into none.
  template <typename Entries, typename GetKey>
  void build(const Entries &entries, size_t numLists, GetKey getKey) {
    begins.assign(numLists + 1, 0);
    for (const auto &entry : entries)
      if (int64_t key = getKey(entry); key >= 0)
        ++begins[key + 1];
    for (size_t i = 0; i < numLists; ++i)
      begins[i + 1] += begins[i];
    numbers.resize(begins.back());
    std::vector<unsigned> ends(begins.begin(), begins.end() - 1);
    for (size_t i = 0; i < entries.size(); ++i)
      if (int64_t key = getKey(entries[i]); key >= 0)
        numbers[ends[key]++] = unsigned(i);
  }
  Range get(unsigned key) const {
    return {numbers.data() + begins[key], numbers.data() + begins[key + 1]};
  }

private:
  std::vector<unsigned> begins, numbers;
};

struct ProblemLists {
  explicit ProblemLists(const PlacementProblem &problem);

  NumberLists readsOfNode, readsOfValue, resultsOfNode, usesOfValue,
      partsOfValue, membersOfGroup;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_PROBLEMLISTS_H
