//===- PlacementGraph.cpp - The graph that placement decides on -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementGraph.h"

using namespace mlir;
using namespace mlir::hetero;

void Grouping::build(unsigned count, unsigned numKeys,
                     llvm::function_ref<unsigned(unsigned)> key) {
  begin.assign(numKeys + 1, 0);
  for (unsigned i = 0; i < count; ++i)
    if (unsigned k = key(i); k != kNone)
      ++begin[k + 1];
  for (unsigned k = 0; k < numKeys; ++k)
    begin[k + 1] += begin[k];
  order.resize_for_overwrite(begin[numKeys]);
  SmallVector<unsigned, 0> next(ArrayRef(begin).drop_back());
  for (unsigned i = 0; i < count; ++i)
    if (unsigned k = key(i); k != kNone)
      order[next[k]++] = i;
}

void PlacementGraph::groupByNode() {
  readsOfNode.build(reads.size(), nodes.size(),
                    [&](unsigned i) { return reads[i].node; });
  resultsOfNode.build(values.size(), nodes.size(),
                      [&](unsigned i) { return values[i].producer; });
}
