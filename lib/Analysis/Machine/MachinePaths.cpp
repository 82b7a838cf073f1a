//===- MachinePaths.cpp - Links between devices, and paths ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A way is either over listed links alone, which the tree of its destination
// has (Dijkstra's algorithm from there, when somebody asks for it), or over the
// network once: from its start to the closest end of the network, and from the
// end that is the closest to its destination. To cross it twice is no faster: a
// link that is listed between two of its ends is there because it is better.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/MachinePaths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <queue>
#include <tuple>
#include <vector>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// What copies are taken to have when routes are chosen.
static constexpr int64_t kTypicalBytes = 1000000;
/// Most devices for which there is an entry for each pair.
static constexpr unsigned kMostInTable = 32;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

int64_t mlir::hetero::addTimes(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

int64_t mlir::hetero::getRateTime(int64_t amount, int64_t rate) {
  constexpr int64_t kPicosecondsPerSecond = 1000000000000;
  unsigned __int128 time =
      (static_cast<unsigned __int128>(amount) * kPicosecondsPerSecond + rate -
       1) /
      rate;
  return time > INT64_MAX ? INT64_MAX : static_cast<int64_t>(time);
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

void MachinePaths::addLink(DeviceIndex from, DeviceIndex to, LinkRate rate) {
  links[{from, to}] = rate;
  into[to].push_back(from);
  outOf[from].push_back(to);
}

void MachinePaths::setNetwork(ArrayRef<DeviceIndex> ends, LinkRate rate) {
  network = rate;
  for (DeviceIndex end : ends)
    isJoined[end] = true;
}

void MachinePaths::finish() {
  if (llvm::is_contained(isJoined, true)) {
    exits = findExits(into, /*isTowards=*/true);
    entries = findExits(outOf, /*isTowards=*/false);
  }
  if (numDevices > kMostInTable)
    return;
  SmallVector<Hop, 0> hops;
  for (DeviceIndex from = 0; from < numDevices; ++from)
    for (DeviceIndex to = 0; to < numDevices; ++to)
      hops.push_back(from == to ? Hop() : findHop(from, to));
  table = std::move(hops);
  trees.clear();
}

const LinkRate *MachinePaths::getLink(DeviceIndex from, DeviceIndex to) const {
  if (auto it = links.find({from, to}); it != links.end())
    return &it->second;
  return from != to && isJoined[from] && isJoined[to] ? &network : nullptr;
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

namespace {
/// Devices that have a way, the closest first, then by number.
using Frontier =
    std::priority_queue<std::pair<int64_t, DeviceIndex>,
                        std::vector<std::pair<int64_t, DeviceIndex>>,
                        std::greater<>>;
} // namespace

/// The ways to a device over listed links. What a link joins to it takes that.
/// Of ways that are as long that over the first device counts.
MachinePaths::Tree MachinePaths::makeTree(DeviceIndex to) const {
  Tree tree;
  Frontier frontier;
  for (DeviceIndex from : into[to]) {
    int64_t time = links.find({from, to})->second.getTime(kTypicalBytes);
    tree[from] = {time, to};
    frontier.push({time, from});
  }
  while (!frontier.empty()) {
    auto [time, via] = frontier.top();
    frontier.pop();
    if (time > tree.find(via)->second.time)
      continue;
    for (DeviceIndex from : into[via]) {
      if (from == to)
        continue;
      int64_t through = addTimes(
          time, links.find({from, via})->second.getTime(kTypicalBytes));
      auto [it, isNew] = tree.try_emplace(from, Step{through, via});
      Step &known = it->second;
      bool isFaster = isNew || through < known.time;
      // Only what is closer is exchanged, so that no way is a circle.
      bool isAsFast =
          through == known.time && via < known.next && time < through;
      if (known.next == to || !(isFaster || isAsFast))
        continue;
      known = {through, via};
      if (isFaster)
        frontier.push({through, from});
    }
  }
  return tree;
}

std::optional<MachinePaths::Step> MachinePaths::findStep(DeviceIndex from,
                                                         DeviceIndex to) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] = trees.try_emplace(to);
  if (isNew)
    it->second = makeTree(to);
  auto step = it->second.find(from);
  return step == it->second.end() ? std::nullopt : std::optional(step->second);
}

/// Of each device the end of the network that is the closest, over listed
/// links; of others `end` is `numDevices`.
SmallVector<MachinePaths::Exit, 0>
MachinePaths::findExits(ArrayRef<Neighbours> neighbours, bool isTowards) const {
  SmallVector<Exit, 0> found(numDevices, {INT64_MAX, numDevices, numDevices});
  Frontier frontier;
  for (DeviceIndex device = 0; device < numDevices; ++device)
    if (isJoined[device]) {
      found[device] = {0, device, device};
      frontier.push({0, device});
    }
  while (!frontier.empty()) {
    auto [time, via] = frontier.top();
    frontier.pop();
    if (time > found[via].time)
      continue;
    for (DeviceIndex other : neighbours[via]) {
      auto pair = isTowards ? std::pair(other, via) : std::pair(via, other);
      int64_t through =
          addTimes(time, links.find(pair)->second.getTime(kTypicalBytes));
      if (through >= found[other].time)
        continue;
      found[other] = {through, found[via].end, via};
      frontier.push({through, other});
    }
  }
  return found;
}

/// The way over the network, if it takes less than `limit`.
MachinePaths::Hop MachinePaths::findHopOverNetwork(DeviceIndex from,
                                                   DeviceIndex to,
                                                   int64_t limit) const {
  if (exits.empty())
    return {};
  const Exit &exit = exits[from], &entry = entries[to];
  // Where a listed link joins the two ends, the way over it is in the tree.
  if (exit.end == numDevices || entry.end == numDevices ||
      exit.end == entry.end || links.count({exit.end, entry.end}) ||
      addTimes(addTimes(exit.time, network.getTime(kTypicalBytes)),
               entry.time) >= limit)
    return {};
  DeviceIndex next = exit.end == from ? entry.end : exit.next;
  return {next, getLink(from, next)};
}

MachinePaths::Hop MachinePaths::findHop(DeviceIndex from,
                                        DeviceIndex to) const {
  if (const LinkRate *link = getLink(from, to))
    return {to, link};
  std::optional<Step> step = findStep(from, to);
  Hop hop = findHopOverNetwork(from, to, step ? step->time : INT64_MAX);
  if (!hop.link && step)
    hop = {step->next, getLink(from, step->next)};
  return hop;
}
