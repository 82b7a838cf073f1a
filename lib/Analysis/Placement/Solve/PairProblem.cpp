//===- PairProblem.cpp - Placement on two devices -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is present on the second device when its variable is 1, on the first
// when it is 0. So "present here but not where it comes from" is an arc in one
// direction for the one device and in the other for the other, and every cost
// is one that a cut can pay.
//
//===----------------------------------------------------------------------===//

#include "PairProblem.h"

#include "SettleNodes.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr int64_t kInfinite = BinaryProblem::kInfinite;

PairProblem::PairProblem(PairChoice whatIsOpen)
    : choice(std::move(whatIsOpen)), graph(choice.graph),
      devices{choice.getDevice(false), choice.getDevice(true)} {
  addNodes();
  if (problem.getNumVariables() == 0)
    return;
  // One per value and read, as a rule.
  problem.reserveArcs(graph.values.size() + graph.reads.size());
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    addValue(value);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The problem's units are half as long.
static int64_t getHalves(int64_t time) {
  if (time == kInfinite)
    return time;
  return time < kInfinite / 2 ? 2 * time : kInfinite - 1;
}

void PairProblem::addCost(Variable variable, int64_t ifFirst,
                          int64_t ifSecond) {
  problem.addCost(variable, getHalves(ifFirst), getHalves(ifSecond));
}

void PairProblem::addNodes() {
  for (auto &list : variables)
    list.assign(graph.nodes.size(), kNoVariable);
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    if (choice.assignment.isReplicated(index)) {
      addReplicated(index);
      continue;
    }
    if (!choice.isOpen(index))
      continue;
    open.push_back(index);
    variables[0][index] = variables[1][index] = problem.addVariable();
    addCost(variables[0][index], graph.getTime(index, devices[0]),
            graph.getTime(index, devices[1]));
  }
}

/// Nothing to decide where making it costs nothing.
void PairProblem::addReplicated(NodeIndex node) {
  int64_t first = graph.getTime(node, devices[0]);
  int64_t second = graph.getTime(node, devices[1]);
  if (first == 0 && second == 0 && graph.readsOfNode.get(node).empty())
    return;
  variables[0][node] = problem.addVariable();
  addCost(variables[0][node], first, 0);
  variables[1][node] = problem.addVariable();
  addCost(variables[1][node], 0, second);
  // It is made somewhere.
  if (choice.isCopiable(node))
    problem.addArc(variables[1][node], variables[0][node], kInfinite);
}

PairProblem::Presence PairProblem::getReader(NodeIndex node,
                                             bool isSecond) const {
  if (Variable variable = variables[isSecond][node]; variable != kNoVariable)
    return {Presence::Unknown, variable};
  bool isThere = !choice.assignment.isReplicated(node) &&
                 choice.assignment.getDevice(node) == devices[isSecond];
  return {isThere ? Presence::Present : Presence::Absent};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void PairProblem::require(Presence from, Presence to, bool isSecond,
                          int64_t time) {
  if (from.kind == Presence::Present || to.kind == Presence::Absent)
    return;
  if (from.kind == Presence::Absent) {
    if (to.kind == Presence::Unknown)
      addCost(to.variable, isSecond ? 0 : time, isSecond ? time : 0);
    return;
  }
  if (to.kind == Presence::Present)
    addCost(from.variable, isSecond ? time : 0, isSecond ? 0 : time);
  else if (isSecond)
    problem.addArc(from.variable, to.variable, getHalves(time));
  else
    problem.addArc(to.variable, from.variable, getHalves(time));
}

/// The uses on one of the two devices, known and unknown ones.
void PairProblem::collectUses(ValueIndex value, bool isSecond) {
  uses.clear();
  optional.clear();
  for (unsigned index : graph.readsOfValue.get(value)) {
    const PlacementRead &read = graph.reads[index];
    Presence presence = getReader(read.node, isSecond);
    if (presence.kind != Presence::Absent)
      uses.push_back({read.block, presence});
  }
  for (unsigned index : graph.fixedUsesOfValue.get(value)) {
    const FixedUse &use = graph.fixedUses[index];
    if (use.device == devices[isSecond])
      uses.push_back({use.block, {Presence::Present}});
  }
}

/// A replica is made on a device as soon as one use is there, unless a copy
/// from the other one serves it.
void PairProblem::addReplicas(ValueIndex value) {
  NodeIndex producer = graph.values[value].producer;
  if (variables[0][producer] == kNoVariable)
    return;
  if (choice.isCopiable(producer)) {
    addSide(value, false);
    addSide(value, true);
    return;
  }
  for (bool isSecond : {false, true}) {
    collectUses(value, isSecond);
    Presence replica{Presence::Unknown, variables[isSecond][producer]};
    for (const Use &use : uses)
      require(replica, use.presence, isSecond, kInfinite);
    if (devices[isSecond] == Topology::kHost &&
        !graph.partialReadsOfValue.get(value).empty())
      require(replica, {Presence::Present}, isSecond, kInfinite);
  }
}

void PairProblem::addValue(ValueIndex value) {
  if (choice.assignment.isValueReplicated(value))
    return addReplicas(value);
  NodeIndex producer = graph.values[value].producer;
  bool isChoice = choice.isOpen(producer);
  if (!isChoice || !addTriangle(value, variables[0][producer])) {
    addSide(value, false);
    addSide(value, true);
  }
  for (DeviceIndex device = 0; isChoice && device < graph.topology.size();
       ++device)
    if (device != devices[0] && device != devices[1])
      addElsewhere(value, device);
}

/// The readers, if there are two, both open, and no other use on the two
/// devices.
std::optional<std::pair<PairProblem::Variable, PairProblem::Variable>>
PairProblem::findOpenReaders(ValueIndex value) {
  if (!graph.partialReadsOfValue.get(value).empty())
    return std::nullopt;
  SmallVector<Variable, 4> readers;
  for (bool isSecond : {false, true}) {
    collectUses(value, isSecond);
    for (const Use &use : uses) {
      if (use.presence.kind != Presence::Unknown || uses.size() != 2)
        return std::nullopt;
      readers.push_back(use.presence.variable);
    }
  }
  // Those of what is replicable differ by the device.
  if (readers.size() != 4 || readers[0] != readers[2] ||
      readers[1] != readers[3] || readers[0] == readers[1])
    return std::nullopt;
  return std::pair(readers[0], readers[1]);
}

/// What the copy to one device costs that serves all uses; nothing where
/// several may be cheaper, or none is possible.
std::optional<int64_t> PairProblem::getTimeOfOnly(ValueIndex value,
                                                  bool isSecond) const {
  int64_t time =
      graph.getTransferTime(value, devices[!isSecond], devices[isSecond]);
  std::optional<BlockIndex> site = findOnlySite(value, time);
  if (!site || time == kInfinite)
    return std::nullopt;
  return graph.tree.scale(time, *site);
}

/// Two open readers, and nothing else on the two devices, need no variable of
/// their own: what copies cost either way is paid unless the three are on one
/// device, and of three that are not exactly two pairs are apart.
bool PairProblem::addTriangle(ValueIndex value, Variable origin) {
  auto readers = findOpenReaders(value);
  if (!readers || readers->first == origin || readers->second == origin)
    return false;
  std::optional<int64_t> times[] = {getTimeOfOnly(value, false),
                                    getTimeOfOnly(value, true)};
  if (!times[0] || !times[1])
    return false;
  // In halves it is the whole time that each pair pays half of.
  int64_t shared = std::min(*times[0], *times[1]);
  auto addPair = [&](Variable a, Variable b) {
    problem.addArc(a, b, shared);
    problem.addArc(b, a, shared);
  };
  addPair(origin, readers->first);
  addPair(origin, readers->second);
  addPair(readers->first, readers->second);
  for (bool isSecond : {false, true})
    if (*times[isSecond] != shared)
      addFlat({Presence::Unknown, origin}, isSecond, *times[isSecond] - shared);
  return true;
}

/// The block where one copy serves all uses at the least cost, if that is the
/// definition's, or lies on the way to the one block with uses.
std::optional<BlockIndex> PairProblem::findOnlySite(ValueIndex value,
                                                    int64_t time) const {
  BlockIndex definition = graph.values[value].block;
  if (llvm::all_of(uses, [&](const Use &use) {
        return graph.tree.runsOftener(use.block, definition);
      }))
    return definition;
  BlockIndex block = uses.front().block;
  if (llvm::all_of(uses, [&](const Use &use) { return use.block == block; }))
    return findCheapestBlock(graph.tree, definition, block, time);
  return std::nullopt;
}

/// The copies to one of the two devices.
void PairProblem::addSide(ValueIndex value, bool isSecond) {
  const PlacementValue &v = graph.values[value];
  DeviceIndex from = devices[!isSecond], to = devices[isSecond];
  Presence origin{Presence::Absent};
  if (choice.isOpen(v.producer) || choice.assignment.isValueReplicated(value))
    origin = {Presence::Unknown, variables[isSecond][v.producer]};
  else
    from = choice.assignment.getValueDevice(value);
  if (from == to)
    return;
  collectUses(value, isSecond);
  if (to == Topology::kHost)
    for (unsigned read : graph.partialReadsOfValue.get(value))
      optional.push_back(graph.getOptionalUse(graph.partialReads[read], from));
  if (uses.empty() && optional.empty())
    return;
  int64_t time = graph.getTransferTime(value, from, to);
  if (optional.empty())
    if (std::optional<BlockIndex> site = findOnlySite(value, time))
      return addFlat(origin, isSecond, graph.tree.scale(time, *site));
  addTree(value, isSecond, origin, time);
}

/// One copy, which takes `time`, for all uses.
void PairProblem::addFlat(Presence origin, bool isSecond, int64_t time) {
  const Use *known = llvm::find_if(uses, [](const Use &use) {
    return use.presence.kind == Presence::Present;
  });
  if (known != uses.end() || uses.size() == 1)
    return require(origin,
                   known != uses.end() ? known->presence : uses[0].presence,
                   isSecond, time);
  Presence copy = addPresence();
  require(origin, copy, isSecond, time);
  for (const Use &use : uses)
    require(copy, use.presence, isSecond, kInfinite);
}

/// One variable per block on the way, unless a use in it is known. Blocks that
/// only lead to one other need none: one copy in the cheaper of the two does.
void PairProblem::addTree(ValueIndex value, bool isSecond, Presence origin,
                          int64_t time) {
  useBlocks.clear();
  for (const Use &use : uses)
    useBlocks.push_back(use.block);
  SmallVector<CopyStop> stops = collectCopyStops(
      graph.tree, graph.values[value].block, useBlocks, optional);
  /// What a stop has from above, and at which time it gets it.
  struct Stop {
    Presence presence{Presence::Absent};
    int64_t time = 0;
    bool isKnown = false;
    unsigned branches = 0;
  };
  SmallVector<Stop, 16> state(stops.size());
  for (const CopyStop &stop : llvm::drop_begin(stops))
    ++state[stop.parent].branches;
  for (const Use &use : uses) {
    Stop &stop = state[findStop(stops, use.block)];
    stop.isKnown |= use.presence.kind == Presence::Present;
    stop.branches = kNoVariable;
  }
  for (OptionalUse use : optional)
    state[findStop(stops, use.block)].branches = kNoVariable;
  for (auto [index, stop] : llvm::enumerate(stops)) {
    Stop &here = state[index];
    const Stop &above = state[stop.parent];
    bool isPassage = index != 0 && above.branches == 1;
    Presence from = index == 0 ? origin : above.presence;
    here.time = graph.tree.scale(time, stop.block);
    if (isPassage)
      here.time = std::min(here.time, above.time);
    if (here.branches == 1) {
      here.presence = from;
      continue;
    }
    here.presence = here.isKnown ? Presence{Presence::Present} : addPresence();
    require(from, here.presence, isSecond, here.time);
  }
  for (const Use &use : uses)
    require(state[findStop(stops, use.block)].presence, use.presence, isSecond,
            kInfinite);
  for (OptionalUse use : optional) {
    Presence isServed = addPresence();
    require(state[findStop(stops, use.block)].presence, isServed, isSecond,
            kInfinite);
    // What it pays alone: the cost of not being served.
    require(isServed, {Presence::Present}, isSecond, use.time);
  }
}

/// The copies to a third device, whose uses all stay.
void PairProblem::addElsewhere(ValueIndex value, DeviceIndex device) {
  const PlacementValue &v = graph.values[value];
  useBlocks.clear();
  for (unsigned index : graph.readsOfValue.get(value)) {
    NodeIndex reader = graph.reads[index].node;
    if (!choice.assignment.isReplicated(reader) &&
        choice.assignment.getDevice(reader) == device)
      useBlocks.push_back(graph.reads[index].block);
  }
  for (unsigned index : graph.fixedUsesOfValue.get(value))
    if (graph.fixedUses[index].device == device)
      useBlocks.push_back(graph.fixedUses[index].block);
  int64_t times[2];
  for (bool isSecond : {false, true}) {
    DeviceIndex from = devices[isSecond];
    optional.clear();
    if (device == Topology::kHost)
      for (unsigned read : graph.partialReadsOfValue.get(value))
        optional.push_back(
            graph.getOptionalUse(graph.partialReads[read], from));
    times[isSecond] =
        chooseCopySites(graph.tree, v.block, useBlocks,
                        graph.getTransferTime(value, from, device), optional)
            .time;
  }
  addCost(variables[0][v.producer], times[0], times[1]);
}

//===----------------------------------------------------------------------===//
// Solution
//===----------------------------------------------------------------------===//

Assignment PairProblem::solve(int64_t workLimit) {
  if (problem.getNumVariables() != 0) {
    SmallVector<uint8_t, 0> values = problem.solve(workLimit);
    for (NodeIndex node : open)
      choice.settle(node, values[variables[0][node]]);
    chooseReplicas(values);
  }
  return std::move(choice.assignment);
}

/// What is needed on a device where it is not made is made once and copied; so
/// is what is made on one device alone, if it might as well be an operation
/// there like any other.
void PairProblem::chooseReplicas(ArrayRef<uint8_t> solution) {
  if (!choice.hasCopiable())
    return;
  // By device and node: what needs it there, and whether it is made there.
  SmallVector<uint8_t, 0> isWanted[2], isMade[2];
  SmallVector<std::pair<NodeIndex, bool>, 0> worklist;
  for (bool isSecond : {false, true}) {
    isWanted[isSecond].assign(graph.nodes.size(), false);
    isMade[isSecond].assign(graph.nodes.size(), false);
  }
  Assignment &assignment = choice.assignment;
  auto want = [&](ValueIndex value, DeviceIndex device) {
    NodeIndex node = graph.values[value].producer;
    if (!assignment.isValueReplicated(value) ||
        (device != devices[0] && device != devices[1]))
      return;
    bool isSecond = device == devices[1];
    isWanted[isSecond][node] = true;
    if (choice.isCopiable(node) &&
        (solution[variables[isSecond][node]] == 1) != isSecond)
      isSecond = !isSecond;
    if (!std::exchange(isMade[isSecond][node], true))
      worklist.push_back({node, isSecond});
  };
  assignment.visitPlacedReads(want);
  while (!worklist.empty()) {
    auto [node, isSecond] = worklist.pop_back_val();
    for (unsigned read : graph.readsOfNode.get(node))
      want(graph.reads[read].value, devices[isSecond]);
  }
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!choice.isCopiable(node) || (isMade[0][node] && isMade[1][node]))
      continue;
    bool isSecond = isMade[1][node];
    if (!graph.nodes[node].open && !isWanted[!isSecond][node])
      continue;
    assignment.setReplicated(node, false);
    assignment.setDevice(node, devices[isSecond]);
  }
}

PairSolution mlir::hetero::solvePair(Assignment start, DeviceIndex first,
                                     DeviceIndex second, int64_t workLimit) {
  PairChoice choice(std::move(start), first, second);
  bool hasSettled = settleNodes(choice);
  PairProblem problem(std::move(choice));
  bool hadChoice = hasSettled || !problem.isEmpty();
  Assignment assignment = problem.solve(workLimit);
  return {std::move(assignment), problem.getGap(), hadChoice};
}
