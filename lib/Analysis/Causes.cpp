//===- Causes.cpp - Notes that say why a value is there -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Causes.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::attachCause(InFlightDiagnostic &error,
                               const PlacementGraph &graph, NodeIndex index,
                               StringRef what) {
  const PlacementNode &node = graph.nodes[index];
  if (!node.op)
    return;
  Diagnostic &note = error.attachNote(node.op->getLoc());
  note << "'" << node.op->getName() << "' op " << what << " on "
       << graph.topology.getDevice(node.device).str();
  if (node.origin)
    note << ": " << node.origin.getValue();
}

/// The control flow or function that hands the value on, else the operation in
/// whose region it is defined.
static Operation *getAround(const PlacementGraph &graph, ValueIndex value) {
  NodeIndex producer = graph.values[value].producer;
  for (const CarriedValues &carried : graph.carried)
    if (producer != kNone &&
        (llvm::is_contained(carried.results, producer) ||
         llvm::is_contained(carried.inits, producer) ||
         llvm::any_of(carried.blocks, [&](ArrayRef<NodeIndex> block) {
           return llvm::is_contained(block, producer);
         })))
      return carried.op;
  return graph.tree.getBlock(graph.values[value].block)->getParentOp();
}

/// A value that becomes what this node hands on, preferably one on the same
/// device; kNone if there is none but itself.
static ValueIndex getHandedOn(const PlacementGraph &graph, NodeIndex carrier) {
  ValueIndex found = kNone;
  for (unsigned index : graph.readsOfNode.get(carrier)) {
    ValueIndex value = graph.reads[index].value;
    if (graph.values[value].producer == carrier)
      continue;
    if (graph.getValueDevice(value) == graph.nodes[carrier].device)
      return value;
    if (found == kNone)
      found = value;
  }
  return found;
}

void mlir::hetero::attachCauses(InFlightDiagnostic &error,
                                const PlacementGraph &graph, ValueIndex value) {
  // Longer chains do not help, and loops may hand on each other's values.
  constexpr unsigned kMaxNotes = 8;
  for (unsigned i = 0; i < kMaxNotes && value != kNone; ++i) {
    NodeIndex producer = graph.values[value].producer;
    std::string device =
        graph.topology.getDevice(graph.getValueDevice(value)).str();
    if (producer != kNone && graph.nodes[producer].op)
      return attachCause(error, graph, producer, "makes it");
    Operation *around = getAround(graph, value);
    if (producer == kNone) {
      error.attachNote(around->getLoc())
          << "'" << around->getName() << "' op has it on " << device;
      return;
    }
    error.attachNote(around->getLoc())
        << "'" << around->getName() << "' op hands it on, on " << device;
    value = getHandedOn(graph, producer);
  }
}
