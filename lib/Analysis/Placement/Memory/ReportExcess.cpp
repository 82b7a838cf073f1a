//===- ReportExcess.cpp - The error for memory that is too small ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportExcess.h"

using namespace mlir;
using namespace mlir::hetero;

/// How many of the values that live at the peak are shown.
static constexpr unsigned kMaxShown = 4;

/// Where the most is alive.
static Location getPeakLocation(const MemoryModel &model,
                                const MemoryUse::Peak &peak) {
  // What passes values has no operation, but the next one is that which does.
  for (NodeIndex node = peak.node;
       peak.node != kNone && node < model.graph.nodes.size(); ++node)
    if (Operation *op = model.graph.nodes[node].op)
      return op->getLoc();
  Operation *function = model.order.getFunctions()[peak.function].op;
  return function->getLoc();
}

/// The operation whose result, or whose block's argument, the value is.
static Operation *getMaker(const PlacementGraph &graph,
                           const PlacementValue &value) {
  if (value.producer != kNone && graph.nodes[value.producer].op)
    return graph.nodes[value.producer].op;
  return graph.tree.getBlock(value.block)->getParentOp();
}

static void noteValue(InFlightDiagnostic &error, const MemoryUse &use,
                      ValueIndex index, DeviceIndex device) {
  const MemoryModel &model = use.getModel();
  const Assignment &assignment = use.getAssignment();
  const PlacementGraph &graph = model.graph;
  const PlacementValue &value = graph.values[index];
  Operation *maker = getMaker(graph, value);
  Diagnostic &note = error.attachNote(maker->getLoc());
  note << value.bytes << " bytes of that: ";
  if (model.isArgumentValue(index))
    note << "an argument of '" << maker->getName() << "' op";
  else
    note << "what '" << maker->getName() << "' op makes";
  if (!assignment.isValueReplicated(index) &&
      assignment.getValueDevice(index) != device)
    note << ", copied";
  else if (value.producer != kNone && graph.nodes[value.producer].origin)
    note << " (" << graph.nodes[value.producer].origin.getValue() << ")";
}

static void noteState(InFlightDiagnostic &error, const MemoryUse &use,
                      const ResidentState &resident) {
  Operation *state = resident.state;
  const PlacementNode &user = use.getModel().graph.nodes[resident.user];
  Diagnostic &note = error.attachNote(state->getLoc());
  note << resident.bytes << " bytes of that: the state @"
       << SymbolTable::getSymbolName(state).getValue();
  if (user.origin)
    note << " (" << user.origin.getValue() << ")";
}

void mlir::hetero::reportExcess(const MemoryUse &use, bool wasSearched) {
  const MemoryModel &model = use.getModel();
  const Topology &topology = model.graph.topology;
  DeviceIndex device = 0;
  while (use.getExcess(device) == 0)
    ++device;
  const MemoryUse::Peak &peak = use.getPeak(device);
  std::string name = topology.getDevice(device).str();
  InFlightDiagnostic error = emitError(getPeakLocation(model, peak))
                             << (wasSearched ? "found no placement that fits: "
                                             : "the placement does not fit: ")
                             << peak.bytes << " bytes live on " << name
                             << " here, but it has a memory of "
                             << *topology.getCapacity(device) << " bytes; ";
  if (!wasSearched)
    error << "use placement=optimal, which looks for one that fits";
  else if (topology.hasBudget(device))
    error << "annotate less for it, split the tensors, or raise its "
             "memory-budget";
  else
    error << "annotate less for it, split the tensors, or correct its "
             "device_spec";
  for (const MemoryUse::Holder &holder : use.getLargest(device, kMaxShown))
    if (holder.state)
      noteState(error, use, *holder.state);
    else
      noteValue(error, use, holder.value, device);
}
