//===- MemoryLimit.cpp - Placement within the memory of devices -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A penalty search. What lives on a device while its memory is short gets a
// price per byte there, which adds to the times of the operations that keep it
// alive, and everything is placed again, until it fits (negotiated congestion:
// McMurchie and Ebeling 1995, FPGA). Bisection then finds how much of all these
// prices is enough. From the placements without prices, with those that are
// enough and with those that are just too low, a search goes on that knows
// exactly what fits (hetero/Placement/FitSearch.h).
//
//===----------------------------------------------------------------------===//

#include "MemoryLimit.h"

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "Analysis/Placement/Solve/PlaceOptimally.h"
#include "FitCandidates.h"
#include "MemoryUse.h"
#include "ReportExcess.h"
#include "StreamCost.h"

using namespace mlir;
using namespace mlir::hetero;

/// The first price per byte is this part of the mean time per byte; it doubles
/// at most so often, and so often the prices are bisected.
static constexpr double kFirstPart = 1.0 / 256;
static constexpr unsigned kMaxRounds = 32, kBisections = 8;

namespace {
class MemorySearch {
public:
  /// `plain` is the model in which constants are resident.
  MemorySearch(const Assignment &start, const MemoryModel &model,
               const MemoryModel &plain, int64_t workLimit);
  /// The cheapest placement that fits, else the one that exceeds the least.
  const Assignment &run();
  /// The same, of placements that pay for the constants of devices that are too
  /// small for them.
  const Assignment &runWithStreams();
  /// What the best placement costs, with the copies of constants.
  int64_t getCost() const { return best->cost; }
  bool fits() const { return best->excess == 0; }
  /// The last placement that was found not to fit.
  const Assignment &getLastShort() const { return lastShort->placement; }

private:
  struct Candidate {
    int64_t excess, cost;
    Assignment placement;
    bool operator<(const Candidate &other) const {
      return std::pair(excess, cost) < std::pair(other.excess, other.cost);
    }
  };

  void raisePrices(double price);
  void addStreamPenalties();
  void placeWithPrices(double part);
  void findPrices();
  void bisect();
  Candidate look();

  const PlacementGraph &graph;
  const MemoryModel &model, &plain;
  int64_t workLimit;
  /// What is being looked at.
  Assignment current;
  /// The graph with times that memory has a price in.
  PlacementGraph priced;
  /// Its times without that.
  SmallVector<int64_t, 0> plainTimes;
  /// By node, then by device: what that adds to the times.
  SmallVector<double, 0> penalties;
  std::optional<Candidate> best, lastShort;
};
} // namespace

MemorySearch::MemorySearch(const Assignment &start, const MemoryModel &model,
                           const MemoryModel &plain, int64_t workLimit)
    : graph(start.getGraph()), model(model), plain(plain), workLimit(workLimit),
      current(start), priced(graph),
      penalties(graph.nodes.size() * graph.topology.size(), 0) {
  priced.tellDevicesApart();
  plainTimes = priced.times;
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// What lives while memory is short costs more: whoever makes it there, else
/// those who need the copy.
void MemorySearch::raisePrices(double price) {
  unsigned numDevices = graph.topology.size();
  MemoryUse(model, current)
      .forEachInExcess([&](const MemoryUse::Holder &holder,
                           DeviceIndex device) {
        double penalty = price * double(holder.bytes);
        // All that use it are one choice.
        if (holder.state) {
          penalties[size_t(holder.state->user) * numDevices + device] +=
              penalty;
          return;
        }
        ValueIndex index = holder.value;
        const PlacementValue &value = graph.values[index];
        if (current.isValueReplicated(index) ||
            current.getValueDevice(index) == device) {
          if (value.producer != kNone)
            penalties[size_t(value.producer) * numDevices + device] += penalty;
          return;
        }
        SmallVector<NodeIndex> readers;
        for (unsigned read : graph.readsOfValue.get(index))
          if (NodeIndex node = graph.reads[read].node;
              current.getDevice(node) == device)
            readers.push_back(node);
        for (NodeIndex node : readers)
          penalties[size_t(node) * numDevices + device] +=
              penalty / readers.size();
      });
}

/// The most that is added to a time: more than what it can save to be there.
static double getHighestPenalty(int64_t cost) {
  constexpr double kUsual = 1e15, kHighest = 4e18;
  return std::clamp(2 * double(cost), kUsual, kHighest);
}

void MemorySearch::placeWithPrices(double part) {
  double highest = getHighestPenalty(lastShort->cost);
  for (auto [time, plain, penalty] :
       llvm::zip_equal(priced.times, plainTimes, penalties))
    if (plain != kNever)
      time =
          addPossibleTimes(plain, int64_t(std::min(part * penalty, highest)));
  MergedGroups merged(priced);
  PlacementSolution solution =
      placeOptimally(merged.merge(std::move(current)), workLimit);
  current = merged.spread(std::move(solution.assignment));
  current.setGraph(graph);
}

/// True if each copy has a path. A sum of times tells nothing: it saturates at
/// what the missing path counts as.
static bool areCopiesPossible(const PlacementGraph &graph,
                              const PlacementPrice &price) {
  return llvm::all_of(price.links, [&](const auto &entry) {
    return graph.topology.isReachable(entry.first.first, entry.first.second);
  });
}

/// The placement as it is.
MemorySearch::Candidate MemorySearch::look() {
  PlacementPrice price = computePrice(current);
  MemoryUse use(model, current);
  Candidate candidate{use.getExcess(), price.cost, current};
  if (model.streamsConstants())
    for (const StreamedConstants &stream : estimateStreams(use, plain))
      candidate.cost = addTimes(candidate.cost, stream.time);
  // What cannot get where it is needed does not count as a placement.
  if (!areCopiesPossible(graph, price))
    candidate.excess = INT64_MAX;
  if (!best || candidate < *best)
    best = candidate;
  return candidate;
}

void MemorySearch::findPrices() {
  lastShort = look();
  double bytes = 1;
  for (const PlacementValue &value : graph.values)
    bytes += double(value.bytes);
  double price = std::max(double(lastShort->cost), 1.0) / bytes * kFirstPart;
  for (unsigned round = 0; round < kMaxRounds; ++round, price *= 2) {
    raisePrices(price);
    placeWithPrices(1);
    Candidate candidate = look();
    if (candidate.excess == 0)
      return;
    lastShort = std::move(candidate);
  }
}

void MemorySearch::bisect() {
  double low = 0, high = 1;
  for (unsigned i = 0; i < kBisections; ++i) {
    double middle = (low + high) / 2;
    placeWithPrices(middle);
    Candidate candidate = look();
    (candidate.excess == 0 ? high : low) = middle;
    if (candidate.excess != 0)
      lastShort = std::move(candidate);
  }
}

const Assignment &MemorySearch::run() {
  findPrices();
  if (fits())
    bisect();
  return best->placement;
}

/// Constants on a device that is short of memory cost their copies, in part,
/// since some of them are kept.
void MemorySearch::addStreamPenalties() {
  unsigned numDevices = graph.topology.size();
  forEachStreamableRead(
      model, [&](const PlacementRead &read, DeviceIndex device, int64_t time) {
        penalties[size_t(read.node) * numDevices + device] += double(time);
      });
}

const Assignment &MemorySearch::runWithStreams() {
  lastShort = look();
  addStreamPenalties();
  for (double part : {1.0, 0.75, 0.5, 0.25}) {
    placeWithPrices(part);
    look();
  }
  if (fits())
    return best->placement;
  current = best->placement;
  llvm::fill(penalties, 0);
  return run();
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// Where memory is short.
static SmallVector<MemoryShortage, 0> findShortages(const MemoryUse &use) {
  const Topology &topology = use.getModel().graph.topology;
  SmallVector<MemoryShortage, 0> shortages;
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    if (use.getExcess(device) != 0)
      shortages.push_back({topology.getDevice(device),
                           use.getPeak(device).bytes,
                           *topology.getCapacity(device)});
  return shortages;
}

/// True if some constant could be streamed to a device that is short of memory.
static bool canStreamAny(const MemoryModel &model,
                         ArrayRef<MemoryShortage> shortages) {
  bool may = false;
  forEachStreamableRead(
      model, [&](const PlacementRead &, DeviceIndex device, int64_t) {
        may |= llvm::any_of(shortages, [&](const MemoryShortage &shortage) {
          return shortage.device == model.graph.topology.getDevice(device);
        });
      });
  return may;
}

/// Takes the placement if it fits, else says why not.
static LogicalResult finish(PlacementSolution &solution,
                            const MemoryModel &model, const MemoryModel &plain,
                            bool wasSearched) {
  MemoryUse use(model, solution.assignment);
  if (model.streamsConstants())
    solution.streams = estimateStreams(use, plain);
  if (use.getExcess() == 0)
    return success();
  reportExcess(use, wasSearched);
  return failure();
}

LogicalResult mlir::hetero::fitMemory(PlacementSolution &solution, bool mayMove,
                                      int64_t workLimit, bool mayStream) {
  const PlacementGraph &graph = solution.assignment.getGraph();
  if (!mayExceedMemory(graph))
    return success();
  MemoryModel model(graph);
  MemoryUse use(model, solution.assignment);
  solution.shortages = findShortages(use);
  if (solution.shortages.empty())
    return success();
  MemoryModel streaming(graph, /*streamsConstants=*/true);
  bool streams = mayStream && canStreamAny(streaming, solution.shortages);
  if (!mayMove)
    return finish(solution, streams ? streaming : model, model,
                  /*wasSearched=*/false);
  int64_t cost = computePrice(solution.assignment).cost;
  MemorySearch search(solution.assignment, model, model, workLimit);
  Assignment chosen = search.run();
  bool isFitting = search.fits();
  int64_t least = search.getCost();
  SmallVector<Assignment, 0> found = findFittingPlacements(
      model, {solution.assignment, chosen, search.getLastShort()},
      SearchGoal::Sum);
  if (!found.empty()) {
    int64_t price = computePrice(found.front()).cost;
    if (!isFitting || price < least) {
      chosen = found.front();
      least = price;
    }
    isFitting = true;
  }
  if (streams) {
    MemorySearch other(solution.assignment, streaming, model, workLimit);
    const Assignment &streamed = other.runWithStreams();
    streams = !isFitting || (other.fits() && other.getCost() < least);
    if (streams)
      chosen = streamed;
  }
  solution.assignment = std::move(chosen);
  LogicalResult isFit = finish(solution, streams ? streaming : model, model,
                               /*wasSearched=*/true);
  // The bound is that of the placement without limits.
  if (solution.gap)
    *solution.gap += computePrice(solution).cost - cost;
  return isFit;
}
