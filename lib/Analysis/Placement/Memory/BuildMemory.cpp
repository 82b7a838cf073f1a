//===- BuildMemory.cpp - A memory model as numbers ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildMemory.h"

#include "Analysis/Placement/Solve/BuildProblem.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Writes down one model.
class MemoryExporter {
public:
  explicit MemoryExporter(const MemoryModel &model)
      : model(model), graph(model.graph), order(model.order) {}

  ProblemMemory run();

private:
  void addValues();
  void addUses();
  void addStreams();
  void addCarriers();
  void addFunctions();
  ProblemSpan getUse(NodeIndex at, BlockIndex block, ValueIndex value) const {
    return getSpan(order.getUse(at, block, graph.values[value].block));
  }
  static ProblemSpan getSpan(Span span) {
    return {span.first == kNone ? INT64_C(1) << 32 : int64_t(span.first),
            span.last};
  }
  static int64_t getNumber(unsigned number) {
    return number == kNone ? -1 : int64_t(number);
  }

  const MemoryModel &model;
  const PlacementGraph &graph;
  const ProgramOrder &order;
  ProblemMemory memory;
};
} // namespace

void MemoryExporter::addValues() {
  llvm::DenseMap<Attribute, int64_t> constants;
  for (ValueIndex value = 0; value < graph.values.size(); ++value) {
    Attribute attribute = model.getConstant(value);
    int64_t constant =
        attribute
            ? constants.try_emplace(attribute, constants.size()).first->second
            : -1;
    memory.values.push_back({getNumber(model.getViewed(value)),
                             getNumber(model.getOverwritten(value)), constant,
                             getNumber(model.getCall(value)),
                             model.isArgumentValue(value),
                             graph.values[value].at});
  }
}

void MemoryExporter::addUses() {
  graph.visitReads([&](const PlacementRead &read, NodeIndex at) {
    memory.reads.push_back(getUse(at, read.block, read.value));
  });
  for (const FixedUse &use : graph.fixedUses)
    memory.uses.push_back(getUse(use.at, use.block, use.value));
  for (const PartialRead &part : graph.partialReads)
    memory.parts.push_back(getUse(part.at, part.block, part.value));
}

void MemoryExporter::addStreams() {
  if (!model.streamsConstants())
    return;
  for (const PlacementRead &read : graph.reads)
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      memory.streams.push_back(model.canStream(read, device));
}

void MemoryExporter::addCarriers() {
  for (auto [node, span] : model.getCarriers())
    memory.carriers.push_back({node, getSpan(span)});
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (order.getKind(node) == CarrierKind::Block)
      memory.blockCarriers.push_back(node);
}

void MemoryExporter::addFunctions() {
  for (BlockIndex block = 0; block < graph.tree.size(); ++block)
    memory.blocks.push_back(
        {getNumber(order.getSpan(block).first), order.getFunction(block)});
  for (auto [number, function] : llvm::enumerate(order.getFunctions())) {
    memory.functions.push_back({getSpan(function.span), function.isRoot});
    for (auto [node, callee] : function.calls)
      memory.calls.push_back({unsigned(number), node, callee});
  }
  llvm::append_range(memory.order, order.getCallOrder());
}

ProblemMemory MemoryExporter::run() {
  for (const ResidentState &state : model.getStates())
    memory.states.push_back({state.user, state.bytes});
  addValues();
  addUses();
  addStreams();
  addCarriers();
  addFunctions();
  return std::move(memory);
}

ProblemMemory mlir::hetero::buildMemory(const MemoryModel &model) {
  return MemoryExporter(model).run();
}

PlacementProblem mlir::hetero::buildLimitedProblem(const MemoryModel &model) {
  PlacementProblem problem = buildProblem(model.graph);
  problem.memory = buildMemory(model);
  return problem;
}
