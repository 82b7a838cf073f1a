//===- ProgramSegments.h - What is ordered together ----------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of a block between two that nothing crosses, as
// hetero-schedule orders them: control flow, calls, and other operations with
// effects end one segment and begin the next.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_GRAPH_PROGRAMSEGMENTS_H
#define HETERO_ANALYSIS_PLACEMENT_GRAPH_PROGRAMSEGMENTS_H

#include "PlacementGraph.h"

namespace mlir::hetero {

/// Number of a segment. The first one of a block has the number of the block.
using SegmentIndex = unsigned;

class ProgramSegments {
public:
  explicit ProgramSegments(const PlacementGraph &graph);

  unsigned size() const { return count; }
  SegmentIndex getOfNode(NodeIndex node) const { return ofNode[node]; }
  /// Where the value is there first.
  SegmentIndex getOfValue(ValueIndex value) const { return ofValue[value]; }
  SegmentIndex getOfPart(unsigned partialRead) const {
    return ofPart[partialRead];
  }
  /// Of a copy of a whole value whose site is in the block: it stands as early
  /// as it can.
  SegmentIndex getOfCopy(ValueIndex value, BlockIndex site) const {
    return site == graph.values[value].block ? ofValue[value] : site;
  }

private:
  SegmentIndex lookup(BlockIndex block, NodeIndex at) const;
  SegmentIndex lookupAfter(BlockIndex block, NodeIndex at) const;

  const PlacementGraph &graph;
  unsigned count;
  /// By block: the nodes that end segments, and the segments after them.
  SmallVector<SmallVector<std::pair<NodeIndex, SegmentIndex>, 1>, 0> ends;
  SmallVector<SegmentIndex, 0> ofNode, ofValue, ofPart;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_GRAPH_PROGRAMSEGMENTS_H
