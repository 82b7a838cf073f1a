//===- ReportTies.cpp - Choices that cost nothing -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cut that prefers the other device moves all that can stand there for the
// same cost, as a whole where an operation alone could not:
//
//   %1 = linalg.exp %x    // gpu:0 by cost, could be gpu:1
//   %2 = linalg.abs %1    // with it
//
//===----------------------------------------------------------------------===//

#include "ReportTies.h"

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Price/MoveCosts.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "Analysis/Placement/Solve/PairProblem.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
class TieReporter {
public:
  TieReporter(const Assignment &decided, ConflictMode mode,
              const PlacementOptions &options)
      : decided(decided), graph(decided.getGraph()), mode(mode),
        options(options) {}

  /// Fails if one is an error.
  LogicalResult run();

private:
  bool isChoice(NodeIndex index) const;
  std::optional<bool> getSeverity(NodeIndex node) const;
  DeviceIndex findTie(NodeIndex node, MoveCosts &moves) const;
  void reportSingle();
  void reportJoint(DeviceIndex device, DeviceIndex other, int64_t cost);
  void reportGroup(ArrayRef<NodeIndex> group, DeviceIndex other);
  void report(NodeIndex node, unsigned numOthers, DeviceIndex other);

  const Assignment &decided;
  const PlacementGraph &graph;
  ConflictMode mode;
  const PlacementOptions &options;
  llvm::DenseSet<NodeIndex> reported;
  bool hasErrors = false;
};
} // namespace

/// What takes no time is no choice that anybody would miss.
bool TieReporter::isChoice(NodeIndex index) const {
  const PlacementNode &node = graph.nodes[index];
  return node.op && node.isTimed && node.open && !decided.isReplicated(index) &&
         graph.getTime(index, decided.getDevice(index)) != 0;
}

/// True for an error, none for what nobody asks to report.
std::optional<bool> TieReporter::getSeverity(NodeIndex node) const {
  if (!isChoice(node))
    return std::nullopt;
  ConflictMode own = getConflictMode(graph.nodes[node].op, mode);
  if (own != ConflictMode::Warn && own != ConflictMode::Error)
    return std::nullopt;
  return own == ConflictMode::Error;
}

/// Another device on which the node alone would cost the same, or kNone.
DeviceIndex TieReporter::findTie(NodeIndex node, MoveCosts &moves) const {
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    if (device == decided.getDevice(node) || !graph.isAllowed(node, device))
      continue;
    std::optional<MoveCost> cost = moves.get(node, device);
    if (cost && cost->compute + cost->copies == 0)
      return device;
  }
  return kNone;
}

void TieReporter::report(NodeIndex node, unsigned numOthers,
                         DeviceIndex other) {
  Operation *op = graph.nodes[node].op;
  bool isError = *getSeverity(node);
  hasErrors |= isError;
  InFlightDiagnostic diagnostic =
      isError ? emitError(op->getLoc()) : emitWarning(op->getLoc());
  diagnostic << "'" << op->getName() << "' op ";
  if (numOthers != 0)
    diagnostic << "and " << numOthers << " more cost together ";
  else
    diagnostic << "costs ";
  diagnostic << "the same on "
             << graph.topology.getDevice(decided.getDevice(node)).str()
             << " and " << graph.topology.getDevice(other).str()
             << "; annotate it, or use conflict=copy to take the first";
}

void TieReporter::reportSingle() {
  MoveCosts moves(decided);
  llvm::DenseSet<NodeIndex> grouped;
  for (const ColocationGroup &group : graph.groups)
    grouped.insert(group.members.begin(), group.members.end());
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!getSeverity(node) || grouped.contains(node))
      continue;
    DeviceIndex other = findTie(node, moves);
    if (other == kNone)
      continue;
    reported.insert(node);
    report(node, 0, other);
  }
}

/// Reports one of a group, unless some of it have been.
void TieReporter::reportGroup(ArrayRef<NodeIndex> group, DeviceIndex other) {
  NodeIndex first = kNone;
  unsigned numChoices = 0;
  for (NodeIndex node : group) {
    if (reported.contains(node))
      return;
    numChoices += isChoice(node);
    std::optional<bool> isError = getSeverity(node);
    if (isError && (first == kNone || (*isError && !*getSeverity(first))))
      first = node;
  }
  reported.insert(group.begin(), group.end());
  if (first != kNone)
    report(first, numChoices - 1, other);
}

/// Of what stands on `device` and could stand on `other`, all that is joined by
/// values or a group is one tie.
void TieReporter::reportJoint(DeviceIndex device, DeviceIndex other,
                              int64_t cost) {
  MergedGroups merged(graph);
  Assignment moved = merged.spread(
      solvePair(merged.merge(decided), other, device, options.workLimit)
          .assignment);
  auto isMoved = [&](NodeIndex node) {
    return node != kNone && !decided.isReplicated(node) &&
           !moved.isReplicated(node) && decided.getDevice(node) == device &&
           moved.getDevice(node) == other;
  };
  llvm::EquivalenceClasses<NodeIndex> joined;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (isMoved(node))
      joined.insert(node);
  if (joined.empty() || computePrice(moved).cost != cost)
    return;
  for (ValueIndex value = 0; value < graph.values.size(); ++value) {
    if (decided.isValueReplicated(value))
      continue;
    NodeIndex producer = graph.values[value].producer;
    NodeIndex leader = isMoved(producer) ? producer : kNone;
    for (unsigned read : graph.readsOfValue.get(value)) {
      NodeIndex reader = graph.reads[read].node;
      if (!isMoved(reader))
        continue;
      leader = leader == kNone ? reader : leader;
      joined.unionSets(leader, reader);
    }
  }
  for (const ColocationGroup &group : graph.groups)
    for (NodeIndex member : group.members)
      if (isMoved(member) && isMoved(group.members.front()))
        joined.unionSets(group.members.front(), member);
  SmallVector<SmallVector<NodeIndex>> groups;
  for (const auto *set : joined)
    if (set->isLeader())
      groups.push_back(llvm::to_vector(joined.members(*set)));
  for (SmallVector<NodeIndex> &group : groups)
    llvm::sort(group);
  llvm::sort(groups);
  for (ArrayRef<NodeIndex> group : groups)
    reportGroup(group, other);
}

LogicalResult TieReporter::run() {
  reportSingle();
  // Cuts are of sums.
  if (options.objective != PlacementObjective::Sum)
    return failure(hasErrors);
  int64_t cost = computePrice(decided).cost;
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
    for (DeviceIndex other = 0; other < graph.topology.size(); ++other) {
      auto isOpen = [&](NodeIndex node) {
        return decided.getDevice(node) == device && getSeverity(node) &&
               !reported.contains(node) && graph.isAllowed(node, other);
      };
      if (device != other &&
          llvm::any_of(llvm::seq<NodeIndex>(0, graph.nodes.size()), isOpen))
        reportJoint(device, other, cost);
    }
  return failure(hasErrors);
}

LogicalResult mlir::hetero::reportTies(const Assignment &decided,
                                       ConflictMode mode,
                                       const PlacementOptions &options) {
  return TieReporter(decided, mode, options).run();
}
