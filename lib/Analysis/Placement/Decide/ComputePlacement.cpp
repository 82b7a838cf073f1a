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
//             (Graph/GraphBuilder.cpp, Graph/CarriedValues.cpp).
//   annotate  What leaves no choice is decided: annotations, copies by the
//             user, the default, what a device cannot run
//             (Annotate/Annotations.cpp, Annotate/Colocation.cpp). The rest is
//             open. From here on nobody but this file changes the graph:
//             solvers get an assignment (Graph/Assignment.h) and return one.
//   settle    Of each pair of devices, nodes whose side no copy can change
//             are decided (Solve/PairChoice.cpp, Solve/SettleNodes.cpp).
//   problem   The others get variables that are 0 or 1, and costs of them
//             (Solve/PlaceOptimally.cpp, Solve/PairProblem.cpp).
//   cut       The least sum of the costs is a minimum cut, after reductions
//             (lib/Support/Solvers: BinaryProblem, BinarySolver, MaxFlow).
//   memory    Where it is short, its price changes the problem until the cut
//             fits (Memory/MemoryLimit.cpp). What may be made anywhere gets
//             the devices that need it (Price/Replicas.cpp).
//   report    Decisions, their price, and what no price can be below
//             (Decide/PlacementResult.cpp, Price/PlacementPrice.cpp,
//             Solve/LowerBound.cpp).
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"

#include "Analysis/Placement/Annotate/Ambiguity.h"
#include "Analysis/Placement/Annotate/Annotations.h"
#include "Analysis/Placement/Annotate/CheckPaths.h"
#include "Analysis/Placement/Annotate/OpenSlices.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Memory/FitLatency.h"
#include "Analysis/Placement/Memory/MemoryLimit.h"
#include "Analysis/Placement/Price/Replicas.h"
#include "Analysis/Placement/Solve/Latency/PlaceForLatency.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"
#include "Analysis/Placement/Solve/PlaceGreedily.h"
#include "Analysis/Placement/Solve/PlaceOptimally.h"
#include "PlacementResult.h"
#include "ReportTies.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Support/Assert.h"

using namespace mlir;
using namespace mlir::hetero;

/// Whether it is made once and copied is a question for what takes time; what
/// takes none is made wherever it is needed.
static void findRepeatable(PlacementGraph &graph, const Assignment &fixed) {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    graph.nodes[node].mayRepeat =
        fixed.isReplicated(node) &&
        llvm::any_of(graph.representatives, [&](DeviceIndex device) {
          return graph.getTime(node, device) != 0;
        });
}

/// Gives every open node a device, as the objective asks for. To the solvers
/// colocated nodes are one, except where it matters when each of them starts.
static PlacementSolution placeByCost(const Assignment &open,
                                     const MergedGroups &merged,
                                     const PlacementOptions &options) {
  switch (options.objective) {
  case PlacementObjective::Sum: {
    PlacementSolution solution =
        placeOptimally(merged.merge(open), options.workLimit);
    solution.assignment = merged.spread(std::move(solution.assignment));
    return solution;
  }
  case PlacementObjective::Latency:
    return {*placeForLatency(open, merged, options.workLimit)};
  case PlacementObjective::Throughput:
    return {merged.spread(
        placeForThroughput(merged.merge(open), options.workLimit))};
  }
  llvm_unreachable("all objectives are handled");
}

/// Gives every open node a device.
static PlacementSolution placeOpen(Assignment fixed,
                                   const PlacementOptions &options) {
  MergedGroups merged(fixed.getGraph());
  if (options.strategy == PlacementStrategy::Optimal)
    return placeByCost(fixed, merged, options);
  fixed = merged.merge(std::move(fixed));
  if (options.strategy == PlacementStrategy::Greedy)
    fixed = placeGreedily(std::move(fixed));
  return {merged.spread(std::move(fixed))};
}

/// Says where cost decided whether an operation is repeated.
static void nameRepetition(PlacementGraph &graph, const Assignment &decided,
                           MLIRContext *context) {
  auto onceOrigin = StringAttr::get(context, kMadeOnceOrigin);
  auto repeatedOrigin = StringAttr::get(context, kRepeatedOrigin);
  for (auto [index, node] : llvm::enumerate(graph.nodes))
    if (decided.isReplicated(index) && node.op &&
        (node.open || isRepeated(node.op)))
      node.origin = repeatedOrigin;
    else if (node.mayRepeat && !decided.isReplicated(index))
      node.origin = onceOrigin;
}

/// Whether each node that cost decides is where it can run.
[[maybe_unused]] static bool canRunWherePlaced(const Assignment &decided) {
  const PlacementGraph &graph = decided.getGraph();
  return llvm::all_of(
      llvm::seq<NodeIndex>(0, graph.nodes.size()), [&](NodeIndex node) {
        return !graph.nodes[node].open || decided.isReplicated(node) ||
               graph.canRunOn(node, decided.getDevice(node));
      });
}

/// Makes room where memory is short, as the objective asks for.
static LogicalResult fitWhatIsPlaced(PlacementSolution &solution,
                                     const PlacementOptions &options) {
  bool isOptimal = options.strategy == PlacementStrategy::Optimal;
  if (isOptimal && options.objective == PlacementObjective::Throughput)
    return fitLoads(solution);
  if (isOptimal && options.objective == PlacementObjective::Latency)
    return fitLatency(solution, options.workLimit);
  return fitMemory(solution, isOptimal);
}

FailureOr<PlacementSolution>
mlir::hetero::decidePlacement(ModuleOp module, PlacementGraph &graph,
                              const PlacementOptions &options) {
  FailureOr<Assignment> fixed = decideByAnnotations(module, graph, options);
  if (failed(fixed))
    return failure();
  // What only annotations place is on the host where nothing says otherwise.
  if (options.strategy != PlacementStrategy::AnnotatedOnly)
    openSlices(graph, *fixed);
  bool isOptimal = options.strategy == PlacementStrategy::Optimal;
  // What was placed before is kept as it is.
  bool wasPlaced = keepsPlacement(module, options);
  if (isOptimal && !wasPlaced)
    findRepeatable(graph, *fixed);
  PlacementSolution solution = placeOpen(std::move(*fixed), options);
  bool hasErrors = failed(checkPaths(solution.assignment)) ||
                   (!wasPlaced && !options.reopensCosts &&
                    failed(fitWhatIsPlaced(solution, options)));
  nameRepetition(graph, solution.assignment, module.getContext());
  placeReplicas(solution.assignment);
  hasErrors |= failed(checkEndsOfCopies(solution.assignment));
  if (hasErrors)
    return failure();
  HETERO_ASSERT(canRunWherePlaced(solution.assignment),
                "no search moves a node to where it cannot run");
  return solution;
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
  bool pricesSettled = options.wantsPrice || options.reopensCosts ||
                       options.objective != PlacementObjective::Sum ||
                       hasCapacity(topology);
  PlacementGraph graph = buildPlacementGraph(module, topology, tree,
                                             options.profile, pricesSettled);
  FailureOr<PlacementSolution> solution =
      decidePlacement(module, graph, options);
  if (failed(solution))
    return failure();
  Placement placement;
  placement.decisions = getDecisions(solution->assignment);
  placement.carried = getCarriedDevices(solution->assignment);
  placement.states = getStateDevices(solution->assignment);
  if (options.wantsPrice)
    placement.price = getBoundedPrice(*solution, options);
  if (options.wantsPrice && options.onDecided)
    options.onDecided(*solution, placement.price);
  placement.shortages = std::move(solution->shortages);
  placement.streams = std::move(solution->streams);
  return placement;
}

LogicalResult mlir::hetero::reportOpenChoices(ModuleOp module,
                                              const Topology &topology,
                                              const BlockTree &tree,
                                              const PlacementOptions &options,
                                              ConflictMode mode) {
  PlacementGraph open = buildPlacementGraph(module, topology, tree);
  PlacementGraph graph =
      buildPlacementGraph(module, topology, tree, options.profile);
  std::optional<ScopedDiagnosticHandler> quiet;
  quiet.emplace(module.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<Assignment> fixed = decideByAnnotations(module, open, options);
  FailureOr<PlacementSolution> solution =
      decidePlacement(module, graph, options);
  quiet.reset();
  assert(succeeded(fixed) && succeeded(solution));
  bool hasErrors = failed(reportAmbiguity(*fixed, mode));
  if (options.strategy == PlacementStrategy::Optimal)
    hasErrors |= failed(reportTies(solution->assignment, mode, options));
  return failure(hasErrors);
}
