//===- AnnotatedGraph.cpp - A program before its placement ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedGraph.h"

#include "../TestRegistry.h"
#include "Analysis/Placement/Annotate/Annotations.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "RandomPrograms.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

AnnotatedGraph::AnnotatedGraph(const std::string &text, MLIRContext &context)
    : module(parseSourceString<ModuleOp>(text, &context, "test.mlir")) {
  if (!module)
    llvm::report_fatal_error("the program does not parse");
  topology = Topology::get(*module);
  tree.emplace(*module);
  graph.emplace(buildPlacementGraph(*module, *topology, *tree));
  FailureOr<Assignment> fixed = decideByAnnotations(*module, *graph, {});
  if (failed(fixed))
    llvm::report_fatal_error("its annotations cannot be met");
  assignment = std::move(*fixed);
}

SmallVector<NodeIndex>
mlir::hetero::test::findUndecided(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  SmallVector<NodeIndex> nodes;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].open && assignment.getDevice(node) == kNone)
      nodes.push_back(node);
  return nodes;
}

/// There are 2 to this power of assignments.
static constexpr unsigned kMostOpen = 11;

void mlir::hetero::test::visitSmallPrograms(
    function_ref<void(const Assignment &, ArrayRef<NodeIndex>)> visit) {
  MLIRContext context(getTestRegistry(), MLIRContext::Threading::DISABLED);
  for (unsigned seed = 0; seed < 150 && !::testing::Test::HasFailure();
       ++seed) {
    RandomProgramOptions options;
    options.hasRegions = seed % 3 != 0;
    std::string text = RandomProgram(seed, options).run();
    SCOPED_TRACE(text);
    AnnotatedGraph program(text, context);
    SmallVector<NodeIndex> open = findUndecided(*program.assignment);
    if (open.size() <= kMostOpen)
      visit(*program.assignment, open);
  }
}

int64_t mlir::hetero::test::findLeast(Assignment assignment,
                                      ArrayRef<NodeIndex> nodes) {
  int64_t least = INT64_MAX;
  for (unsigned choice = 0; choice < 1u << nodes.size(); ++choice) {
    bool isAllowed = true;
    for (auto [bit, node] : llvm::enumerate(nodes)) {
      assignment.setDevice(node, choice >> bit & 1);
      isAllowed &= assignment.getGraph().isAllowed(node, choice >> bit & 1);
    }
    if (isAllowed)
      least = std::min(least, computePrice(assignment).cost);
  }
  return least;
}
