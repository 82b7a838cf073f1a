//===- TimeShares.cpp - Measured times of operations ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeShares.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Nodes of a view by the names that the runtime reports.
class NodesBySource {
public:
  explicit NodesBySource(const PlacementView &view) : view(view) {
    for (auto [index, node] : llvm::enumerate(view.nodes))
      if (node.isOperation)
        for (const std::string &source : node.sources)
          nodes[source].push_back(index);
  }

  /// Those that a piece works for, each once, in their order. Operations that
  /// the cost model has no time for take part where all are such.
  SmallVector<unsigned> find(const NodeTime &time) const {
    SmallVector<unsigned> found;
    for (const std::string &name : time.nodes)
      for (unsigned index : nodes.lookup(name))
        if (getDevice(view.nodes[index]) == time.device)
          found.push_back(index);
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
    auto hasNoTime = [&](unsigned index) {
      return view.nodes[index].time.value_or(0) == 0;
    };
    if (!llvm::all_of(found, hasNoTime))
      llvm::erase_if(found, hasNoTime);
    return found;
  }

private:
  StringRef getDevice(const ViewNode &node) const {
    return node.runsOnHost ? StringRef("cpu:0")
                           : StringRef(view.devices[node.device]);
  }

  const PlacementView &view;
  llvm::StringMap<SmallVector<unsigned>> nodes;
};
} // namespace

std::vector<TimeShare> mlir::hetero::divideTimes(const PlacementView &view,
                                                 ArrayRef<NodeTime> times) {
  std::vector<TimeShare> shares(view.nodes.size());
  NodesBySource nodes(view);
  for (const NodeTime &time : times) {
    SmallVector<unsigned> found = nodes.find(time);
    double predicted = 0;
    for (unsigned index : found)
      predicted += view.nodes[index].time.value_or(0);
    for (unsigned index : found) {
      double part = predicted > 0
                        ? view.nodes[index].time.value_or(0) / predicted
                        : 1.0 / found.size();
      TimeShare &share = shares[index];
      share.seconds = share.seconds.value_or(0) + time.seconds * part;
      share.isAlone &= found.size() == 1;
    }
  }
  return shares;
}
