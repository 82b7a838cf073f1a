//===- AnnotatedGraph.h - A program before its placement --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left to the solver of a program, and the least cost of that by
// enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_ANALYSIS_ANNOTATEDGRAPH_H
#define HETERO_TEST_UNIT_ANALYSIS_ANNOTATEDGRAPH_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "hetero/Analysis/Blocks/BlockTree.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::hetero::test {

/// The graph of a module, after its annotations.
class AnnotatedGraph {
public:
  /// The text is a module whose annotations can be met.
  AnnotatedGraph(const std::string &text, MLIRContext &context);

  OwningOpRef<ModuleOp> module;
  std::optional<Topology> topology;
  std::optional<BlockTree> tree;
  std::optional<PlacementGraph> graph;
  std::optional<Assignment> assignment;
};

/// Open nodes without a device.
SmallVector<NodeIndex> findUndecided(const Assignment &assignment);

/// Calls `visit` with random programs for two devices, and with the few nodes
/// that annotations leave open there.
void visitSmallPrograms(
    llvm::function_ref<void(const Assignment &, ArrayRef<NodeIndex>)> visit);

/// The least price over both devices of these nodes.
int64_t findLeast(Assignment assignment, ArrayRef<NodeIndex> nodes);

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_ANALYSIS_ANNOTATEDGRAPH_H
