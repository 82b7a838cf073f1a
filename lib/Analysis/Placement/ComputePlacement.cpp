//===- ComputePlacement.cpp - A placement from beginning to end -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens to a module that is placed, in this order:
//
//   graph     Operations, values and uses get numbers, times and sizes
//             (PlacementGraph.cpp, CarriedValues.cpp).
//   annotate  What leaves no choice is decided: annotations, copies by the
//             user, the default, what a device cannot run (Annotations.cpp,
//             Colocation.cpp). The rest is open.
//   problem   Each pair of devices gives variables that are 0 or 1, and costs
//             of them (PlaceOptimally.cpp, PairProblem.cpp). Nodes whose side
//             no copy can change have none (SettleNodes.cpp).
//   cut       The least sum of the costs is a minimum cut, after reductions
//             (BinaryProblem.cpp, BinarySolver.cpp, MaxFlow.cpp).
//   settle    Where memory is short, its price changes the problem until the
//             cut fits (MemoryLimit.cpp). What may be made anywhere gets the
//             devices that need it (PlacementPrice.cpp).
//   report    Decisions, their price, and what no price can be below
//             (PlacementResult.cpp, PlacementPrice.cpp, LowerBound.cpp).
//
// `computePlacement` owns the graph; nobody keeps it, or changes IR.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/ComputePlacement.h"

#include "Analysis/Placement/Annotate/CheckPaths.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Price/Replicas.h"
#include "Analysis/Placement/Solve/PlaceGreedily.h"
#include "Analysis/Placement/Solve/PlaceOptimally.h"

#include "Analysis/Placement/Annotate/Annotations.h"
#include "Analysis/Placement/Annotate/Colocation.h"
#include "Analysis/Placement/Memory/MemoryLimit.h"
#include "PlacementResult.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"

using namespace mlir;
using namespace mlir::hetero;

/// Whether it is made once and copied is a question for what takes time; what
/// takes none is made wherever it is needed.
static void findRepeatable(PlacementGraph &graph) {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    graph.nodes[node].mayRepeat =
        graph.nodes[node].replicable &&
        llvm::any_of(llvm::seq(graph.topology.size()), [&](DeviceIndex device) {
          return graph.getTime(node, device) != 0;
        });
}

/// Gives every open node a device. Colocated nodes are one to the solver.
static void placeOpen(PlacementGraph &graph, const PlacementOptions &options) {
  MergedGroups merged(graph);
  if (options.strategy == PlacementStrategy::Optimal)
    graph.gap = placeOptimally(graph, options.workLimit);
  else if (options.strategy == PlacementStrategy::Greedy)
    placeGreedily(graph);
}

/// Says where cost decided whether an operation is repeated.
static void nameRepetition(PlacementGraph &graph, MLIRContext *context) {
  auto onceOrigin = StringAttr::get(context, kMadeOnceOrigin);
  auto repeatedOrigin = StringAttr::get(context, kRepeatedOrigin);
  for (PlacementNode &node : graph.nodes)
    if (node.replicable && node.op && (node.open || isRepeated(node.op)))
      node.origin = repeatedOrigin;
    else if (node.mayRepeat && !node.replicable && !node.open)
      node.origin = onceOrigin;
}

LogicalResult mlir::hetero::decidePlacement(ModuleOp module,
                                            PlacementGraph &graph,
                                            const PlacementOptions &options) {
  if (failed(decideByAnnotations(module, graph, options)))
    return failure();
  bool isOptimal = options.strategy == PlacementStrategy::Optimal;
  // What was placed before is kept as it is.
  bool wasPlaced = getPhase(module) == Phase::Placed;
  if (isOptimal && !wasPlaced)
    findRepeatable(graph);
  placeOpen(graph, options);
  bool hasErrors =
      failed(checkPaths(graph)) ||
      (!wasPlaced && failed(fitMemory(graph, isOptimal, options.workLimit)));
  nameRepetition(graph, module.getContext());
  placeReplicas(graph);
  hasErrors |= failed(checkEndsOfCopies(graph));
  return failure(hasErrors);
}

/// True if the memory of some device may be short: what is searched then
/// depends on the times of all operations.
static bool hasCapacity(const Topology &topology) {
  return llvm::any_of(llvm::seq(topology.size()), [&](DeviceIndex device) {
    return topology.getCapacity(device).has_value();
  });
}

FailureOr<Placement>
mlir::hetero::computePlacement(ModuleOp module, const Topology &topology,
                               const BlockTree &tree,
                               const PlacementOptions &options) {
  PlacementGraph graph =
      buildPlacementGraph(module, topology, tree, options.profile,
                          options.wantsPrice || hasCapacity(topology));
  if (failed(decidePlacement(module, graph, options)))
    return failure();
  Placement placement;
  placement.decisions = getDecisions(graph);
  placement.carried = getCarriedDevices(graph);
  placement.shortages = graph.shortages;
  if (options.wantsPrice)
    placement.price = getBoundedPrice(graph, options.workLimit);
  return placement;
}
