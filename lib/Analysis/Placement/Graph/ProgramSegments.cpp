//===- ProgramSegments.cpp - What is ordered together ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramSegments.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

/// True for what nothing is moved across.
static bool endsSegment(const PlacementNode &node) {
  if (!node.op || node.isCopy || node.isTimed)
    return false;
  return node.isControl || isa<CallOpInterface>(node.op) ||
         !isMemoryEffectFree(node.op);
}

ProgramSegments::ProgramSegments(const PlacementGraph &graph)
    : graph(graph), count(graph.tree.size()), ends(graph.tree.size()) {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (endsSegment(graph.nodes[node]))
      ends[graph.nodes[node].block].push_back({node, count++});
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    ofNode.push_back(lookup(graph.nodes[node].block, node));
  // Results of control flow are found before it, and are there after it.
  llvm::DenseSet<NodeIndex> results;
  for (const CarriedValues &carried : graph.carried)
    if (!isa<FunctionOpInterface>(carried.op))
      for (NodeIndex node : carried.results)
        if (node != kNone)
          results.insert(node);
  for (const PlacementValue &value : graph.values) {
    bool isResult = value.producer != kNone &&
                    results.contains(value.producer) &&
                    value.block == graph.nodes[value.producer].block;
    ofValue.push_back(isResult ? lookupAfter(value.block, value.at)
                               : lookup(value.block, value.at));
  }
  for (const PartialRead &read : graph.partialReads)
    ofPart.push_back(lookup(read.block, read.at));
}

/// The segment after the last of the block's nodes before `at` that ends one.
SegmentIndex ProgramSegments::lookup(BlockIndex block, NodeIndex at) const {
  const auto *it = llvm::partition_point(
      ends[block], [&](auto end) { return end.first < at; });
  return it == ends[block].begin() ? block : std::prev(it)->second;
}

/// The segment after the first of them from `at` on.
SegmentIndex ProgramSegments::lookupAfter(BlockIndex block,
                                          NodeIndex at) const {
  const auto *it = llvm::partition_point(
      ends[block], [&](auto end) { return end.first < at; });
  return it == ends[block].end() ? lookup(block, at) : it->second;
}
