//===- ExportedPlacement.cpp - A placement for other programs -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Export/ExportedPlacement.h"

#include "Analysis/Placement/Decide/ReopenPlacement.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Memory/BuildMemory.h"
#include "Analysis/Placement/Memory/MemoryLimit.h"
#include "Analysis/Placement/Solve/BuildProblem.h"
#include "PricedSolution.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::hetero;

/// A loop carries what its body reads; the body stands in another block.
static CarriedBy getCarrier(const PlacementGraph &graph,
                            const ProgramOrder &order, NodeIndex node) {
  switch (order.getKind(node)) {
  case CarrierKind::None:
    return CarriedBy::Nothing;
  case CarrierKind::Signature:
    return CarriedBy::Call;
  case CarrierKind::Block:
    return CarriedBy::Block;
  case CarrierKind::Region:
    break;
  }
  bool isRead = llvm::any_of(graph.resultsOfNode.get(node), [&](unsigned v) {
    return graph.values[v].block != graph.nodes[node].block;
  });
  return isRead ? CarriedBy::Loop : CarriedBy::Branch;
}

FailureOr<ExportedPlacement> mlir::hetero::exportPlacement(ModuleOp module,
                                                           Profile *profile) {
  Topology topology = getTopology(module, profile);
  ExportedPlacement result{{}, {}, {}, {}, {}, BlockTree(module)};
  PlacementGraph graph =
      buildPlacementGraph(module, topology, result.tree, profile);
  std::optional<ReopenedPlacement> open = reopenPlacement(module, graph);
  FailureOr<PlacementSolution> solution = decidePlacement(module, graph, {});
  if (failed(solution))
    return failure();
  {
    // What does not fit was said when the module was placed.
    ScopedDiagnosticHandler quiet(module.getContext(),
                                  [](Diagnostic &) { return success(); });
    (void)fitMemory(*solution, /*mayMove=*/false);
  }
  result.problem = buildProblem(open ? open->graph : graph);
  MemoryModel memory(graph);
  result.problem.memory = buildMemory(memory);
  result.solution = exportSolution(*solution, memory);
  PlacementPrice &price = result.solution.price;
  price.lowerBound = open ? std::min(open->lowerBound, price.cost) : 0;
  price.isOptimal = open && open->lowerBound == price.cost;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    result.operations.push_back(graph.nodes[node].op);
    result.carriers.push_back(getCarrier(graph, memory.order, node));
  }
  llvm::append_range(result.arguments, graph.arguments);
  return std::move(result);
}
